"""The methods: one file for each family, with settings and recipe."""
