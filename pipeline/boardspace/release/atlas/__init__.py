"""The atlas: a static site beside published datasets, and a server on loopback to look at it.

The site is one bundle (``atlas/`` in the repository, built by ``make atlas``, shipped in ``bundle/``) and one index
that is made here for a release. The index is what the pages trust: it has the SHA-256 of every document, of every
table's file and of the footer of every Parquet file, and of the metadata of every array. Parquet pages have CRC-32s of
their own and Zarr chunks CRC-32Cs. So whatever a page shows was compared with a checksum before it was decoded,
although the host is any static file server and files are read in parts.
"""
