"""What sqlglot reads in statements, as the reference: for each JSON line {"dialect", "sql"} of stdin a line {"ctes", "tables", "seconds"}, in order.

`ctes` are the names of the WITH that leads the last statement, `tables` the names after FROM and JOIN that are no CTE, both in lower case; null where
sqlglot does not parse. The first line tells the version.
"""

import json
import logging
import sys
import time

import sqlglot
from sqlglot import exp

logging.disable(logging.CRITICAL)
sys.setrecursionlimit(20_000)


def with_of(tree):
    """The WITH that leads a statement: its own, or that of the query which CREATE, INSERT or brackets hold."""
    while tree is not None:
        clause = tree.args.get("with_") or tree.args.get("with")
        if isinstance(clause, exp.With):
            return clause
        if isinstance(tree, (exp.Create, exp.Insert)):
            tree = tree.args.get("expression")
        elif isinstance(tree, (exp.Paren, exp.Subquery)):
            tree = tree.this
        else:
            return None
    return None


def read(item):
    started = time.perf_counter()
    try:
        trees = [tree for tree in sqlglot.parse(item["sql"], dialect=item["dialect"]) if tree is not None]
        last = [tree for tree in trees if not isinstance(tree, exp.Semicolon)][-1]
    except Exception:  # every failure of this parser is an answer
        return {"ctes": None, "tables": None, "seconds": time.perf_counter() - started}
    seconds = time.perf_counter() - started
    clause = with_of(last)
    names = [cte.alias.lower() for cte in clause.expressions] if clause is not None else []
    every = {cte.alias.lower() for cte in last.find_all(exp.CTE)}
    tables = {
        table.name.lower()
        for table in last.find_all(exp.Table)
        if isinstance(table.this, exp.Identifier) and (table.db or table.name.lower() not in every)
    }
    return {"ctes": names, "tables": sorted(tables), "seconds": seconds}


print(json.dumps({"version": sqlglot.__version__}))
for line in sys.stdin:
    print(json.dumps(read(json.loads(line))))
