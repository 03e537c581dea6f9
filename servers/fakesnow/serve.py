"""Serves fakesnow on a free port of the loopback address: prints {"port": …} when it listens, and ends when its stdin does.

Repairs: an abort stops the statement (fakesnow's own route only says that it did), what fails inside of fakesnow says why, a text that
cannot be parsed is a syntax error, complaints of DuckDB about names have Snowflake's words, a statement that is only to be described never
runs, keys may be NOT ENFORCED, and SHOW … KEYS shows them. Two routes of its own load databases for tests and tell whether something has
changed.
"""

import gzip
import hashlib
import json
import logging
import os
import re
import socket
import sys
import threading
from string import Template
from uuid import uuid4

import duckdb
import fakesnow.server as fakesnow_server
import snowflake.connector.errors
import sqlglot
import uvicorn
from fakesnow import cursor, info_schema, transforms
from fakesnow.cursor import DESCRIBE_RESULT_SQL, FakeSnowflakeCursor
from fakesnow.statement_type import _EXPRESSION_TYPES, SELECT, statement_type_id
from sqlglot import exp
from sqlglot.dialects.dialect import Dialect
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
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
    except Exception as problem:
        # What is only described fails outside of what fakesnow answers for.
        return failure_of(problem)
    if response.status_code < 500:
        answer = json.loads(response.body)
        return response if answer.get("success") else in_snowflake_words(answer["code"], answer["message"])
    problem, logger.last = logger.last, None
    return failure_of(problem)


def failure_of(problem: BaseException | None) -> JSONResponse:
    if isinstance(problem, snowflake.connector.errors.Error):
        return in_snowflake_words(f"{problem.errno:06d}", problem.msg or "no message")
    if isinstance(problem, duckdb.InterruptException):
        return failure("000604", "57014", "SQL execution canceled")
    if isinstance(problem, duckdb.ConstraintException) and "Duplicate key" in str(problem):
        return failure("200001", "22000", "A primary key already exists.")
    code, state = CODES.get(type(problem), ("261000", "XX000"))
    return failure(code, state, (str(problem).splitlines() or ["no message"])[0])


# DuckDB's complaint, Snowflake's code, state and words.
WORDS = [
    (r'Referenced column "(.+?)" not found', "000904", "42000", "invalid identifier '{}'"),
    (r'Table ".+?" does not have a column named "(.+?)"', "000904", "42000", "invalid identifier '{}'"),
    (r'Referenced table "(.+?)" not found', "000904", "42000", "invalid identifier '{}'"),
    (r'(?:Table|View) with name "?(.+?)"? does not exist', "002003", "42S02", "Object '{}' does not exist or not authorized."),
    (r"Function with name (\S+) does not exist", "002140", "42601", "Unknown function {}"),
    (r"No function matches the given name and argument types '([^(]+)", "001044", "42P13", "Invalid argument types for function '{}'"),
]


def in_snowflake_words(code: str, message: str) -> JSONResponse:
    for pattern, known, state, words in WORDS:
        if found := re.search(pattern, message):
            return failure(known, state, "SQL compilation error:\n" + words.format(found[1]))
    return failure(code, "42000", message)


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


async def load(request: Request) -> JSONResponse:
    """For tests, without a session: {"database", "snowflake": [statement], "duckdb": [statement]}. DuckDB's own statements are for thousands of tables."""
    body = await body_of(request)

    def run() -> None:
        connection = fakesnow_server.shared_fs.connect(body["database"], body.get("schema"))
        try:
            for statement in body.get("snowflake", []):
                connection.cursor().execute(statement, server=True)
            if body.get("duckdb"):
                connection._duck_conn.execute(";\n".join(body["duckdb"]))
        finally:
            connection.close()

    try:
        await run_in_threadpool(run)
    except Exception as problem:
        return JSONResponse({"success": False, "message": str(problem)})
    return JSONResponse({"success": True})


async def state(request: Request) -> JSONResponse:
    """For tests: a hash of everything that a database holds, with the names of all databases, users and stages."""

    def read() -> str:
        duck = fakesnow_server.shared_fs.duck_conn.cursor()
        digest = hashlib.sha256()
        seen = duck.execute(
            "select database_name, schema_name, table_name, sql from duckdb_tables() union all "
            "select database_name, schema_name, view_name, sql from duckdb_views() where not internal union all "
            "select database_name, schema_name, sequence_name, sql from duckdb_sequences() union all "
            "select database_name, schema_name, '', '' from duckdb_schemas() order by all"
        ).fetchall()
        wanted = request.query_params["database"]
        for database, schema, name, sql in seen:
            if database in (wanted, "_fs_global"):
                digest.update(repr((database, schema, name, sql)).encode())
            else:
                digest.update(repr(database).encode())
        for (database, schema, name) in duck.execute(
            "select database_name, schema_name, table_name from duckdb_tables() where database_name = ? "
            "or (database_name = '_fs_global' and table_name in ('_fs_users', '_fs_stages')) order by all",
            [wanted],
        ).fetchall():
            quoted = ".".join('"' + part.replace('"', '""') + '"' for part in (database, schema, name))
            rows = duck.execute(f"select * from {quoted}").fetchall()
            digest.update(repr((name, sorted(map(repr, rows)))).encode())
        return digest.hexdigest()

    return JSONResponse({"state": await run_in_threadpool(read)})


def without_enforcement(expression: exp.Expression) -> exp.Expression:
    """DuckDB has no NOT ENFORCED behind a key; it enforces keys, which Snowflake does not."""
    for node in expression.find_all(exp.PrimaryKey, exp.ForeignKey, exp.UniqueColumnConstraint, exp.Reference):
        options = node.args.get("options")
        if options:
            node.set("options", [option for option in options if str(option).upper() != "NOT ENFORCED"])
    for node in list(expression.find_all(exp.NotForReplicationColumnConstraint)):
        node.pop()
    return expression


# What a session is, where fakesnow has no such function.
CONTEXT = {
    "CURRENT_ACCOUNT_NAME": lambda connection: "FAKESNOW",
    "CURRENT_USER": lambda connection: "FAKE",
    "CURRENT_ROLE": lambda connection: "SYSADMIN",
    "CURRENT_WAREHOUSE": lambda connection: "FAKESNOW_WAREHOUSE",
    "CURRENT_DATABASE": lambda connection: connection.database,
    "CURRENT_SCHEMA": lambda connection: connection.schema,
}


def with_context(expression: exp.Expression, connection) -> exp.Expression:
    def replaced(node):
        value = isinstance(node, exp.Func) and CONTEXT.get(node.sql("snowflake").upper().removesuffix("()"))
        if not value:
            return node
        text = value(connection)
        return exp.Null() if text is None else exp.Literal.string(text)

    return expression.transform(replaced) if any(name in expression.sql("snowflake").upper() for name in CONTEXT) else expression


KEYS = {
    "PRIMARY KEYS": "select database_name, schema_name, table_name, unnest(constraint_column_names) as column_name, "
    "unnest(range(1, len(constraint_column_names) + 1)) as key_sequence, 'PK_' || constraint_index as constraint_name "
    "from duckdb_constraints() where constraint_type = 'PRIMARY KEY'",
    "UNIQUE KEYS": "select database_name, schema_name, table_name, unnest(constraint_column_names) as column_name, "
    "unnest(range(1, len(constraint_column_names) + 1)) as key_sequence, 'UK_' || constraint_index as constraint_name "
    "from duckdb_constraints() where constraint_type = 'UNIQUE'",
    "IMPORTED KEYS": "select database_name as pk_database_name, schema_name as pk_schema_name, referenced_table as pk_table_name, "
    "unnest(referenced_column_names) as pk_column_name, database_name as fk_database_name, schema_name as fk_schema_name, "
    "table_name as fk_table_name, unnest(constraint_column_names) as fk_column_name, "
    "unnest(range(1, len(constraint_column_names) + 1)) as key_sequence, 'FK_' || constraint_index as fk_name "
    "from duckdb_constraints() where constraint_type = 'FOREIGN KEY'",
}


def show_keys(expression: exp.Expression, current_database: str | None, *, kind: str) -> exp.Expression:
    """Keys as Snowflake shows them: fakesnow has no foreign and no unique ones, and no order of their columns."""
    name = expression.name.upper() if isinstance(expression, exp.Show) else ""
    if name != ("IMPORTED KEYS" if kind == "FOREIGN" else f"{kind} KEYS"):
        return expression
    scope = expression.args.get("scope")
    filters = []
    if expression.args.get("scope_kind") == "SCHEMA" and scope is not None:
        filters = [("schema_name", scope.name), ("database_name", scope.db or current_database)]
    elif expression.args.get("scope_kind") == "TABLE" and scope is not None:
        filters = [("table_name", scope.name), ("schema_name", scope.db), ("database_name", scope.catalog or current_database)]
    prefix = "fk_" if kind == "FOREIGN" else ""
    where = " and ".join(f"{prefix}{column} = {exp.Literal.string(value).sql('duckdb')}" for column, value in filters if value)
    return sqlglot.parse_one(f"select * from ({KEYS[name]}) as shown{' where ' + where if where else ''}", read="duckdb")


class EscapedTemplate(Template):
    """fakesnow puts names and comments into statements as they are, and breaks on a quote in them."""

    def substitute(self, **values):
        return super().substitute(**{key: str(value).replace("'", "''") for key, value in values.items()})


def escaped(function):
    """The same for functions of texts and of pairs of a text and a length."""

    def escape(value):
        if isinstance(value, list):
            return [(name.replace("'", "''"), length) for name, length in value]
        return value.replace("'", "''")

    return lambda *values: function(*map(escape, values))


for name, value in list(vars(cursor).items()):
    if name.startswith("SQL_") and isinstance(value, Template):
        setattr(cursor, name, EscapedTemplate(value.template))
info_schema.insert_table_comment_sql = escaped(info_schema.insert_table_comment_sql)
info_schema.insert_text_lengths_sql = escaped(info_schema.insert_text_lengths_sql)

transforms.show_keys = show_keys


generators = threading.local()
construct_generator = Dialect.generator


def kept_generator(self, **options):
    """The generator of a dialect, made once for each thread: making DuckDB's takes 45 ms, and each statement uses several."""
    key = (type(self), *sorted(map(repr, options.items())))
    kept = vars(generators)
    if key not in kept:
        kept[key] = construct_generator(self, **options)
    return kept[key]


Dialect.generator = kept_generator


class InPlace:
    """A statement that is copied once: by itself fakesnow copies it for each of its 75 transformations."""

    def __init__(self, expression: exp.Expression):
        self.expression = expression.copy()

    def transform(self, function, *arguments, **named):
        self.expression = self.expression.transform(function, *arguments, copy=False, **named)
        return self


transform = FakeSnowflakeCursor._transform
FakeSnowflakeCursor._transform = lambda self, expression, params: transform(
    self, InPlace(with_context(without_enforcement(expression), self._conn)), params
).expression

routes = [
    Route("/queries/v1/query-request", query_request, methods=["POST"]),
    Route("/queries/v1/abort-request", abort_request, methods=["POST"]),
    Route("/stand-in/load", load, methods=["POST"]),
    Route("/stand-in/state", state, methods=["GET"]),
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
