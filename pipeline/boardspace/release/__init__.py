"""Releases: published datasets with their cards, manifests and the index of the atlas, and how they are read."""
