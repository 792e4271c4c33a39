"""The main texts of letters: real letters, the form letters chosen from them, and what writers do to those."""
