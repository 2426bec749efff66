"""Measurements anyone can repeat; nothing here is imported by the library."""
