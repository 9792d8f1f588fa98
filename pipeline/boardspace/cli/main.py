"""The ``boardspace`` command: which commands there are, and how errors, closed pipes and Ctrl-C end."""

import errno
import importlib
import io
import os
import signal
import sys
import traceback
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import click

from boardspace.cli.commands.options import DONE, INTERNAL_ERROR, INTERRUPTED, NOT_RIGHT, PIPE_CLOSED, USER_ERROR
from boardspace.cli.lines import draw_plainly
from boardspace.cli.notices import complain, printable
from boardspace.spec import registry
from boardspace.spec.deferred import Entry
from boardspace.spec.errors import BoardspaceError
from boardspace.spec.registry import error_text, plug_in_of
from boardspace_kernels.jit import CompilerError

BESIDE = {"shard": "jobs", "advance": "jobs", "check-shard": "verify", "sign": "publish", "atlas": "serve"}
"""Commands that stand in the module of another one."""
ENTRIES = tuple(
    Entry(name, text, f"boardspace.cli.commands.{BESIDE.get(name, name).replace('-', '_')}")
    for name, text in {
        "run": "Run a config: enumerate, judge the claims, write the datasets.",
        "plan": "Show what a config would run: stages, shards, seconds, size.",
        "keys": "List the keys of a config, with their types and meanings.",
        "jobs": "Begin a run for a batch system, and print its number of tasks.",
        "shard": "Compute one task of such a run, in this process.",
        "advance": "Finish the stages of such a run whose tasks are done, and cut the next.",
        "status": "Show the progress of a run.",
        "claims": "Show what the source texts state, and the data's verdict.",
        "verify": "Check a run or a release: hashes, structure, logic.",
        "check-shard": "Make one shard of a run or a release again and compare it.",
        "publish": "Make a release of a run that others can check.",
        "sign": "Sign a release, so that others can tell who made it.",
        "atlas": "Write a static site that shows a release.",
        "serve": "Serve a site or a release to this machine, or answer questions.",
        "instances": "Write problem instances with proven optima, and a checker.",
        "oeis": "Write a folder for the encyclopaedia of integer sequences.",
        "new-space": "Write the skeleton of a space of your own.",
    }.items()
)


class PipeClosedError(Exception):
    """Error: the reader of standard output has stopped."""


class Commands(click.Group):
    """The top level: what every run needs, and what the spaces add. The module of a command is imported when that is
    asked for. Errors a user can mend end in exit code 2."""

    def __init__(self, *args: Any, entries: Iterable[Entry] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._own = {entry.name: entry for entry in entries}

    def entries(self) -> dict[str, Entry]:
        """Run commands first, then those of the spaces."""
        return {**self._own, **{entry.name: entry for entry in registry.commands(self._own)}}

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order of the entries."""
        return list(self.entries())

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """The command of that name, loaded; a plug-in's last: to look for plug-ins takes a tenth of a small question's
        time."""
        known = self._own | {entry.name: entry for entry in registry.shipped_commands()}
        entry = known.get(name) or self.entries().get(name)
        if entry is None:
            return None
        command = getattr(importlib.import_module(entry.module), name.replace("-", "_"))
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The names with their lines of help."""
        with formatter.section("Commands"):
            formatter.write_dl([(entry.name, entry.help) for entry in self.entries().values()])

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command. What it raises ends here, in a line and a nonzero code; ``--debug`` shows the traceback."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            raise PipeClosedError from error  # click would end with exit code 1, which says that faults were found
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except (Exception, SystemExit) as error:
            if isinstance(error, SystemExit) and plug_in_of(error) is None:
                raise
            text, code = _explained(error)
            if ctx.params.get("debug"):
                traceback.print_exc()
            if text:
                complain(text)
                ctx.exit(code)
            raise


@click.group(cls=Commands, entries=ENTRIES, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="boardspace")
@click.option("--debug", is_flag=True, help="Show the traceback of an error: boardspace --debug COMMAND ...")
def cli(debug: bool) -> None:
    """Enumerate complete spaces of board problems and publish them as datasets that can be checked.

    \b
    boardspace run                the default run: configs/laptop.toml into outputs/laptop
    boardspace plan smoke         what a config would do
    boardspace keys klotski       what a config can hold
    boardspace status DIR         how far a run is
    boardspace claims DIR         what the source texts state, and the data's verdict
    boardspace verify DIR         does the folder hold what it says?
    boardspace publish DIR        make a release of it that others can check
    boardspace atlas RELEASE      write a site that shows the release and verifies what it shows
    """


def _explained(error: BaseException) -> tuple[str, int]:
    """Message for an error, and the exit code; no text where standard output failed, which has its own."""
    if isinstance(error, BoardspaceError | CompilerError):
        return str(error), USER_ERROR
    if isinstance(error, OSError) and error.filename is not None:
        return f"{os.fsdecode(error.filename)}: {error.strerror or error}", USER_ERROR
    if isinstance(error, OSError) and error.errno in {errno.EMFILE, errno.ENFILE}:
        return f"{error.strerror}; allow more with: ulimit -n 1024", USER_ERROR
    if isinstance(error, OSError) and error.errno in {errno.ENOSPC, errno.EPIPE, errno.EBADF}:
        return "", NOT_RIGHT
    # In the words of Python, of Arrow and of numba; the last is an OSError.
    if any(text in str(error) for text in ("start new thread", "launch worker thread", "libllvmlite")):
        return "no thread or library can be started: allow more memory or processes (ulimit -d, -v, -u)", USER_ERROR
    if isinstance(error, OSError):
        return f"a file cannot be read or written: {error.strerror or error}", USER_ERROR
    if isinstance(error, MemoryError):
        return "there is not enough memory for that", USER_ERROR
    if isinstance(error, ValueError) and str(error).startswith("Exceeds the limit"):  # of digits of a whole number
        return "a number has more digits than can be printed; give a smaller one", USER_ERROR
    if isinstance(error, ValueError) and str(error).startswith("A dask config file"):  # Dask reads it when imported
        return f"{str(error).splitlines()[0].split(', original')[0]}: mend it, or unset DASK_CONFIG", USER_ERROR
    if plug_in_of(error) is not None:
        return error_text(error), USER_ERROR
    return f"{error_text(error)} (an error in boardspace itself; `boardspace --debug ...` shows where)", INTERNAL_ERROR


def main(*, ctrl_c_raises: bool = False) -> None:
    """Entry point. Ctrl-C ends with exit code 130 and says that nothing is lost. With ``ctrl_c_raises`` it raises
    KeyboardInterrupt while the command works; before and after that it ends the process at once."""
    _open_closed_streams()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # letters that a terminal lacks are drawn plainly, or are escapes
            draw_plainly(stream)
    warnings.showwarning = _show_warning
    try:
        code = _called(ctrl_c_raises)
        sys.stdout.flush()
    except (BrokenPipeError, PipeClosedError):
        _discard_output()
        code = PIPE_CLOSED
    except OSError as error:
        _discard_output()
        complain(f"standard output: {error.strerror or error}")
        code = NOT_RIGHT
    sys.exit(code)


def _open_closed_streams() -> None:
    """Let standard streams that are closed lead nowhere. Otherwise the next files that are opened would take their
    numbers, and what a library or a worker writes to standard output would be written to these files."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            stream = Path(os.devnull).open(mode, encoding="utf-8")  # noqa: SIM115 as long as the process lives
            os.set_inheritable(stream.fileno(), True)
            setattr(sys, name, stream)


def _called(ctrl_c_raises: bool) -> int:
    try:
        with _ctrl_c_raising() if ctrl_c_raises else nullcontext():
            code = cli(standalone_mode=False)
    except click.ClickException as error:
        text = printable(error.format_message(), lines=True)
        context = getattr(error, "ctx", None)
        complain(f"{text}\n{context.get_usage()}" if context is not None else text)
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        complain("stopped; finished shards are kept, and the same command resumes from there")
        return INTERRUPTED
    except PipeClosedError:
        raise
    except Exception as error:  # raised before any command was found
        text, failed = _explained(error)
        if not text:
            raise
        complain(text)
        return failed
    return code if isinstance(code, int) else DONE


@contextmanager
def _ctrl_c_raising() -> Iterator[None]:
    """Within it Ctrl-C raises KeyboardInterrupt; after it, it ends the process at once."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.SIG_DFL)


def _show_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    """Say the first line of a warning: what libraries let follow is for those who mend them."""
    complain(f"warning: {(str(message).splitlines() or [''])[0]}")


def _discard_output() -> None:
    """Drop what is still buffered for a reader who is gone, so that it does not fail again when Python ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
