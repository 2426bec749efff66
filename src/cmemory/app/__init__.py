"""Use cases: load, decide, save in one transaction. They hold no rules of their own."""
