"""Frontiers from both sides, the shortest solutions where they meet, and certificates that there are none shorter."""
