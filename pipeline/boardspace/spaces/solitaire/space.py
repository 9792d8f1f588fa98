"""Peg solitaire: frontiers by moves, shortest solutions with their proof, whole spaces by jumps."""

from functools import partial
from pathlib import Path

from boardspace.spaces.solitaire.config import SolitaireConfig
from boardspace.spaces.solitaire.extent import SCOPES
from boardspace.spaces.solitaire.parts.classes.part import POSITION_CLASSES
from boardspace.spaces.solitaire.parts.feasible.part import FEASIBLE_POSITIONS
from boardspace.spaces.solitaire.parts.game_lengths.part import GAME_LENGTHS_COUNTED
from boardspace.spaces.solitaire.parts.games.part import GAMES_COUNTED
from boardspace.spaces.solitaire.parts.levels.part import LEVELS_BY_PEGS
from boardspace.spaces.solitaire.parts.searches.part import SEARCHES
from boardspace.spec.deferred import DeferredFunction
from boardspace.spec.question import Parameter, Question
from boardspace.spec.space import Measurement, Space

ask = DeferredFunction("boardspace.spaces.solitaire.parts.classes.queries", "ask_shipped")
POSITION = (
    Parameter("board", "text", "A board that ships, such as english.", "triangle15"),
    Parameter("vacancy", "number", "The hole that was empty at the start.", "1", most=999),
    Parameter("pegs", "text", "The pegs: '1 3-5', 'all but 6 12', or a drawing.", "all but 1"),
)
READINGS = {
    "english-history": Measurement(None, "of persons and centuries; no enumeration can judge it", "open", "reading"),
    "ls-hours": Measurement(
        None,
        "of the author's machines; a run of this program takes the moves that ls-prize counts",
        "open",
        "reading",
    ),
    "ls-origin": Measurement(
        None, "of where a game is from and is played; no enumeration can judge it", "open", "reading"
    ),
    "ls-thirty-years": Measurement(
        None,
        "of what other computers could have done; ls-fewer-decisions counts what the proof takes today",
        "open",
        "reading",
    ),
    "ls-cube": Measurement(
        None,
        "a comparison of two problems is a matter of judgement, and the cube is not enumerated here; ls-both-sides "
        "says how many positions this one takes",
        "open",
        "reading",
    ),
    "ls-four-colours-again": Measurement(
        None, "of another theorem and other programs; nothing here bears on it", "open", "reading"
    ),
    "ls-four-colours": Measurement(
        None,
        "a comparison of two proofs is a matter of judgement; ls-frontier-7 and ls-prize have figures",
        "open",
        "reading",
    ),
}


SPACE = Space(
    name="solitaire",
    version=5,
    title="Peg solitaire",
    doc=(
        "Positions of peg solitaire: frontiers of the Last Supper (37 holes) and of the English central game from both "
        "sides, all solutions with the fewest moves, certificates that none has fewer, and whole reachable spaces."
    ),
    config=SolitaireConfig,
    parts=(SEARCHES, FEASIBLE_POSITIONS, LEVELS_BY_PEGS, POSITION_CLASSES, GAMES_COUNTED, GAME_LENGTHS_COUNTED),
    readings=READINGS,
    claims_file=Path(__file__).with_name("claims.toml"),
    warm_up=DeferredFunction("boardspace_kernels.solitaire.warm_up", "warm_up"),
    more_warm_up={
        f"{kind}-{word}": partial(
            DeferredFunction("boardspace_kernels.solitaire.classes.warm_up", f"warm_up_{kind}"), word
        )
        for kind in ("moves", "sweeps")
        for word in ("uint8", "uint16", "uint32", "uint64")
    },
    needed_warm_up=DeferredFunction("boardspace.spaces.solitaire.parts.classes.stages", "class_kernels"),
    scopes=SCOPES,
    authors=("The boardspace maintainers",),
    questions=(Question("moves", "A position: can it be reached, can it be won, and every next jump.", ask, POSITION),),
)
