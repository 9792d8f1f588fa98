"""Dataset of one space, chosen with ``--data``."""

from boardspace.release.datasets import Dataset, open_datasets
from boardspace.spec.errors import BoardspaceError
from boardspace.storage.locations import Location


def dataset_in(place: Location | None, space: str) -> Dataset | None:
    """The dataset of a space in a run or a release; None for no place, BoardspaceError where it holds none of it."""
    if place is None:
        return None
    datasets = open_datasets(place)
    if space not in datasets:
        raise BoardspaceError(f"--data {place}: no dataset of {space}; it has {', '.join(datasets)}")
    return datasets[space]
