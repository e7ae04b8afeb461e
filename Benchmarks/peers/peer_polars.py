"""polars on one thread: the rows of `Benchmarks group`, grouped and sorted."""

import json
import os
import sys

os.environ["POLARS_MAX_THREADS"] = "1"  # read when polars is imported

import polars

from measure import measure

assert polars.thread_pool_size() == 1
rows = polars.read_csv(sys.argv[1]).with_row_index("row").rechunk()
by_color = rows.group_by("eye_color")

operations = {
    "counts": lambda: by_color.len(),
    "members": lambda: by_color.agg("row"),
    "sort_name": lambda: rows["name"].arg_sort(),
    "sort_eye_color": lambda: rows["eye_color"].arg_sort(),
}
figures = {name: measure(operation) for name, operation in operations.items()}
groups = by_color.agg("row", polars.len())
assert groups["len"].sum() == groups["row"].list.len().sum() == rows.height
print(json.dumps({"rows": rows.height, "groups": groups.height, "operations": figures}))
