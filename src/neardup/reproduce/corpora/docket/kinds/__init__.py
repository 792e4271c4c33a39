"""The kinds of letters of modern campaigns, and the composer that writes the body of every letter of a docket."""
