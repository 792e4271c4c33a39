"""The experiments of Ignatov & Kuznetsov 2009 on any collections of web pages, its figures beside ours."""
