"""Slow, obvious twins of the native kernels, and the examples that both are held against. Never shipped."""
