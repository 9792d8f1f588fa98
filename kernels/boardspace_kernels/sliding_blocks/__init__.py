"""Sliding blocks of any pieces: packings of a tray, the groups that moves join them to, and corner puzzles.

``frontier`` counts packings without making one. ``tray`` has the tables that all else looks up; ``enumeration`` makes
the packings with given piece sizes and brings them together by class; ``step_graph`` joins the positions of a class;
``corner`` finds its longest corner puzzles; ``survey`` does both for all classes in one call.
"""
