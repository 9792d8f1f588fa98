"""The errors a user can cause or mend. The command line prints their text and exits with 2; anything else is a bug."""


class BoardspaceError(Exception):
    """Error that a user can mend: its text says what was wrong, where, and what to do about it."""


class NotInReleaseError(BoardspaceError):
    """A check needs what the stages of a run leave for one another, and a release holds only what is published."""
