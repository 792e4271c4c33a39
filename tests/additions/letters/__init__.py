"""A detector with a representation of its own: texts in which each letter occurs about as often."""
