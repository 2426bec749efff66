"""Evaluation of a companion: what memory adds to its answers, and where the chain from a fact to an answer breaks."""
