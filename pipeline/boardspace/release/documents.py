"""Documents of a dataset: all that is written about it, made from what :mod:`.dataset` knows."""

from boardspace.release.card import card
from boardspace.release.croissant import croissant
from boardspace.release.datapackage import datapackage
from boardspace.release.dataset import Dataset
from boardspace.spec.described import dictionary, json_text, table_schema
from boardspace.storage.release_folder import CITATION, schema_path


def documents(dataset: Dataset) -> dict[str, str]:
    """Documents of a dataset, by file name."""
    texts = {
        "README.md": card(dataset),
        "dictionary.csv": dictionary([table.table for table in dataset.tables], dataset.families),
        "datapackage.json": json_text(datapackage(dataset)),
        "croissant.json": json_text(croissant(dataset)),
        CITATION: dataset.cited.cff,
    }
    return texts | {schema_path(t.table.name): json_text(table_schema(t.table)) for t in dataset.tables}
