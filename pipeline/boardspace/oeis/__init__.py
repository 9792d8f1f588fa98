"""Submissions to the On-Line Encyclopedia of Integer Sequences: terms, files, the text of the edit, checked."""
