"""The JSONL worker: protocol version 1 over any pair of streams."""
