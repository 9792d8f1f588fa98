"""From a validated configuration to finished datasets: plan, cuts, the graph, what workers do, Dask."""
