"""``python -m benchmarks [WORD]...``: run the benchmarks whose full name holds every word given."""

import sys

from benchmarks.harness import registered, report


def main(words: list[str]) -> int:
    """Run the benchmarks that match, one line each; 1 where nothing does."""
    chosen = registered(words)
    for benchmark in chosen:
        print(report(benchmark), flush=True)
    if not chosen:
        print(f"no benchmark matches {' '.join(words)!r}", file=sys.stderr)
    return 0 if chosen else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
