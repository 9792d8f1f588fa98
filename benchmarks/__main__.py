"""``python -m benchmarks [WORD]...``: run the benchmarks whose full name holds every word given."""

import importlib
import pkgutil
import sys

import benchmarks
from benchmarks.harness import REGISTRY, report


def main(words: list[str]) -> int:
    """Import every benchmark module, run what matches, one line each; 1 where nothing matches."""
    for module in pkgutil.iter_modules(benchmarks.__path__):
        if not module.name.startswith("_"):
            importlib.import_module(f"benchmarks.{module.name}")
    chosen = [b for b in REGISTRY if all(word in f"{b.module}.{b.name}" for word in words)]
    for benchmark in chosen:
        print(report(benchmark), flush=True)
    if not chosen:
        print(f"no benchmark matches {' '.join(words)!r}", file=sys.stderr)
    return 0 if chosen else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
