"""Rows of MetricFlow. Run in the folder of a dbt project that is parsed; reads requests as JSON from standard input.

in:  [{"metrics": [name], "by": [name], "where": [sql], "start"?: day, "end"?: day}]
out: [{"rows": [[cell]]} or {"error": text}], the cells in the order of `by` and `metrics`
"""

import datetime
import json
import sys
from decimal import Decimal

from dbt_metricflow.cli.cli_configuration import CLIConfiguration
from metricflow.engine.metricflow_engine import MetricFlowQueryRequest


def plain(cell: object) -> object:
    if isinstance(cell, (datetime.date, datetime.datetime)):
        return cell.isoformat()[:10]
    return float(cell) if isinstance(cell, Decimal) else cell


def day(text: str | None) -> datetime.datetime | None:
    return None if text is None else datetime.datetime.fromisoformat(text)


def answer(request: dict) -> dict:
    try:
        asked = MetricFlowQueryRequest.create(
            metric_names=request["metrics"],
            group_by_names=request["by"],
            where_constraints=request["where"] or None,
            time_constraint_start=day(request.get("start")),
            time_constraint_end=day(request.get("end")),
        )
        table = configuration.mf.query(mf_request=asked).result_df
        names = [name.lower() for name in table.column_names]
        order = [names.index(name) for name in [*request["by"], *request["metrics"]]]
        return {"rows": [[plain(row[at]) for at in order] for row in table.rows]}
    except Exception as problem:
        return {"error": str(problem)[:2000]}


requests = json.load(sys.stdin)
configuration = CLIConfiguration()
configuration.setup(configure_file_logging=False)
print("\n" + json.dumps([answer(request) for request in requests]))
