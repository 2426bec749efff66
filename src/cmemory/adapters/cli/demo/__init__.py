"""The demo: two conversations of ours, played through the real pipeline on a real database file."""
