"""The main texts of letters: the source, the form letters chosen from it, and the edits of writers."""
