"""Files and streams: paths, decompression, encodings, and entries on their way to a reader."""
