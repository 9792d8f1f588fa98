"""The errors a user can cause or mend. The command line prints their text and exits with 2; anything else is a bug."""


class BoardspaceError(Exception):
    """Error that a user can mend: its text says what was wrong, where, and what to do about it."""


class NothingFoundError(BoardspaceError):
    """Answer to a question for something that does not exist: commands print it as an answer, not as an error."""


class NotInReleaseError(BoardspaceError):
    """Error of a check that needs ``what`` the stages of a run leave for one another; a release holds what is
    published."""

    def __init__(self, *what: str) -> None:
        super().__init__(f"it needs {', '.join(what)}, and a release holds none of that")
        self.what = what
