"""The pure domain: decisions about memory, without clock, input, output, randomness, model or logging."""
