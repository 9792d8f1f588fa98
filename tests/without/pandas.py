"""In the place of pandas for the commands that tests start: boardspace does not need it, and an installation has none.

pyarrow loads it wherever it finds it, which takes each of these processes half a second.
"""

raise ImportError("commands under test have what boardspace requires, and no more")
