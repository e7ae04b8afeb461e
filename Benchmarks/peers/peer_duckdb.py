"""DuckDB on one thread: the rows of `Benchmarks group`, from one table in memory into another."""

import json
import sys

import duckdb

from measure import measure

connection = duckdb.connect()
connection.execute("SET threads = 1")
connection.execute(
    "CREATE TABLE people AS SELECT row_number() OVER () AS row, * FROM read_csv(?, header = true)",
    [sys.argv[1]],
)

queries = {
    "counts": "SELECT eye_color, count(*) AS n FROM people GROUP BY eye_color",
    "members": "SELECT eye_color, list(row) AS rows FROM people GROUP BY eye_color",
    "sort_name": "SELECT row FROM people ORDER BY name",
    "sort_eye_color": "SELECT row FROM people ORDER BY eye_color",
}


def operation(query):
    return lambda: connection.execute(f"CREATE OR REPLACE TEMP TABLE answer AS {query}")


figures = {name: measure(operation(query)) for name, query in queries.items()}
rows = connection.execute("SELECT count(*) FROM people").fetchone()[0]
groups = connection.execute("SELECT count(DISTINCT eye_color) FROM people").fetchone()[0]
print(json.dumps({"rows": rows, "groups": groups, "operations": figures}))
