"""Serves fakesnow on a free port of the loopback address: prints {"port": …} when it listens, and ends when its stdin does.

Repairs: an abort stops the statement (fakesnow's own route only says that it did), what fails inside of fakesnow says why, a text that cannot be
parsed is a syntax error, and a statement that is only to be described never runs.
"""

import gzip
import json
import logging
import os
import socket
import sys
import threading
from uuid import uuid4

import duckdb
import fakesnow.server as fakesnow_server
import sqlglot
import uvicorn
from fakesnow.cursor import DESCRIBE_RESULT_SQL
from fakesnow.statement_type import _EXPRESSION_TYPES, SELECT, statement_type_id
from sqlglot import exp
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route


# Queries as well, for Snowflake.
_EXPRESSION_TYPES.update({kind: SELECT for kind in (exp.Union, exp.Except, exp.Intersect, exp.Subquery, exp.Values)})


class KeptErrors(logging.Logger):
    """Keeps the exception of the last failure: fakesnow answers with the statement alone."""

    last: BaseException | None = None

    def error(self, message, *arguments, exc_info=None, **rest):
        self.last = exc_info


logger = KeptErrors("fakesnow.server", logging.CRITICAL)
fakesnow_server.logger = logger


async def query_request(request: Request) -> JSONResponse:
    """As fakesnow does it. From what it logs to what it answers nothing else runs on this loop."""
    try:
        described = describe_only(await body_of(request))
        if described is not None:
            return described
        response = await fakesnow_server.query_request(request)
    except sqlglot.errors.SqlglotError as problem:
        return syntax_error(problem)
    if response.status_code < 500:
        return response
    problem, logger.last = logger.last, None
    if isinstance(problem, duckdb.InterruptException):
        return failure("000604", "57014", "SQL execution canceled")
    code, state = CODES.get(type(problem), ("261000", "XX000"))
    return failure(code, state, (str(problem).splitlines() or ["no message"])[0])


async def body_of(request: Request) -> dict:
    body = await request.body()
    return json.loads(gzip.decompress(body) if request.headers.get("Content-Encoding") == "gzip" else body)


def describe_only(body: dict) -> JSONResponse | None:
    """fakesnow runs what it cannot describe; here a statement that is only to be described changes nothing."""
    if not body.get("describeOnly"):
        return None
    expression = sqlglot.parse_one(body["sqlText"], read="snowflake")
    if isinstance(expression, exp.Query) or type(expression) in DESCRIBE_RESULT_SQL:
        return None
    data = {"rowtype": [], "rowset": [], "statementTypeId": statement_type_id(expression), "queryId": str(uuid4())}
    return JSONResponse({"data": data, "success": True})


def syntax_error(problem: Exception) -> JSONResponse:
    """In the words of Snowflake: the line from 1, the position in it from 0."""
    details = (getattr(problem, "errors", None) or [{}])[0]
    found = details.get("highlight") or ""
    place = ""
    if details.get("line"):
        place = f" line {details['line']} at position {max(0, details['col'] - len(found))} unexpected '{found}'"
    return failure("001003", "42000", f"SQL compilation error:\nsyntax error{place}.")


# What Snowflake calls these failures; fakesnow calls none of them by a code.
CODES = {
    duckdb.OutOfRangeException: ("100038", "22003"),
    duckdb.InvalidInputException: ("100038", "22018"),
    duckdb.ConstraintException: ("100072", "22000"),
}


def failure(code: str, state: str, message: str) -> JSONResponse:
    return JSONResponse(
        {"data": {"errorCode": code, "sqlState": state}, "code": code, "message": message, "success": False}
    )


async def abort_request(request: Request) -> JSONResponse:
    connection = fakesnow_server.sessions.get(fakesnow_server.to_token(request))
    if connection is not None:
        connection._duck_conn.interrupt()
    return JSONResponse({"data": None, "code": None, "message": None, "success": True})


routes = [
    Route("/queries/v1/query-request", query_request, methods=["POST"]),
    Route("/queries/v1/abort-request", abort_request, methods=["POST"]),
    *(route for route in fakesnow_server.routes if "/queries/v1/" not in route.path),
]


def end_with_stdin() -> None:
    while sys.stdin.buffer.read(65_536):
        pass
    os._exit(0)


listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
listener.bind(("127.0.0.1", 0))
listener.listen(128)
threading.Thread(target=end_with_stdin, daemon=True).start()
print(json.dumps({"port": listener.getsockname()[1]}), flush=True)
app = Starlette(routes=routes)
uvicorn.Server(uvicorn.Config(app, log_level="error", lifespan="off")).run(sockets=[listener])
