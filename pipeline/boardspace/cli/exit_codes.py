"""Exit codes of all commands. The page on questions, ``docs/api.md``, has this table, and a test compares the two."""

DONE = 0
NOT_RIGHT = 1
USER_ERROR = 2
LASTING_FAILURE = 3
INTERNAL_ERROR = 70
INTERRUPTED = 130
PIPE_CLOSED = 141
TERMINATED = 143

MEANINGS = {
    DONE: "done, or answered, with a no as well: there is no solution, no such puzzle, no way",
    NOT_RIGHT: "what was checked is not right, a game has not reached its goal, or shards of a run are missing; "
    "or standard output cannot be written",
    USER_ERROR: "nothing was answered: an argument, a file, a shard or the code of a plug-in is wrong, "
    "or memory, disk or time do not suffice",
    LASTING_FAILURE: "`boardspace shard` alone: the shard would fail again",
    INTERNAL_ERROR: "an error in boardspace itself; `boardspace --debug` shows where",
    INTERRUPTED: "stopped by Ctrl-C; what is finished is kept",
    PIPE_CLOSED: "the program that read standard output has ended",
    TERMINATED: "`boardspace shard` alone: stopped by SIGTERM, between two shards",
}
