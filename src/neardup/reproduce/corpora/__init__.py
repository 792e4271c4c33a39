"""Generated corpora with known answers: dockets of form letters, short messages, and news."""
