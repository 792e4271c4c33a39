"""The formats of files: one object for each, with its reader and its writer."""
