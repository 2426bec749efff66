"""Files on disk: exports of this library, and dialogues from elsewhere."""
