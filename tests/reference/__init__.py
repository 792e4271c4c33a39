"""Slow, obvious reference implementations of the native kernels, and the examples for tests. Not shipped."""
