"""Everything that touches the outside world; each folder by itself, none loaded by another."""
