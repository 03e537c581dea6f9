"""An independent look at CTEs: what sqlglot (https://github.com/tobymao/sqlglot) reads in the same statements.

Reads JSON lines from standard input and answers each with one line:
  in:  {"id", "dialect", "sql", "statements", "withs", "recursive", "ctes": [{"name", "body"}], "prefixes": [sql]}
  out: {"id", "parsed", "error"?, "disagreements": [text], "prefixes": count, "unparsed_prefixes": [{"cte", "error"}]}
"""

import json
import logging
import sys

import sqlglot
from sqlglot import exp

logging.disable(logging.CRITICAL)
sys.setrecursionlimit(20_000)


def seen_name(identifier: exp.Expression, dialect: str) -> str:
    """The name as the engine stores it."""
    name = identifier.name
    if isinstance(identifier, exp.Identifier) and identifier.quoted:
        return name
    return {"snowflake": name.upper(), "postgres": name.lower()}.get(dialect, name)


def same_name(one: str, other: str, dialect: str) -> bool:
    return one == other if dialect in ("snowflake", "postgres") else one.lower() == other.lower()


def unwrap(tree: exp.Expression) -> exp.Expression:
    while isinstance(tree, (exp.Paren, exp.Subquery)) and tree.this is not None and not tree.alias:
        if tree.args.get("with_") or tree.args.get("with"):
            break
        tree = tree.this
    return tree


def with_of(tree: exp.Expression) -> exp.With | None:
    """The WITH that leads a statement: its own, or that of the query which INSERT, CREATE or brackets hold."""
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


def read(sql: str, dialect: str) -> list[exp.Expression]:
    return [tree for tree in sqlglot.parse(sql, dialect=dialect) if tree is not None and not isinstance(tree, exp.Semicolon)]


def compare(item: dict) -> dict:
    dialect = item["dialect"]
    answer: dict = {"id": item["id"], "parsed": True, "disagreements": [], "prefixes": 0, "unparsed_prefixes": []}
    try:
        trees = read(item["sql"], dialect)
    except Exception as error:  # every failure of the other parser is an answer
        return {**answer, "parsed": False, "error": str(error)[:300]}
    differ = answer["disagreements"].append
    if len(trees) != item["statements"]:
        differ(f"statements: {item['statements']} here, {len(trees)} there")
    last = trees[-1] if trees else None
    clause = with_of(last) if last is not None else None
    theirs = clause.expressions if clause is not None else []
    ours = item["ctes"]
    if len(theirs) != len(ours):
        differ(f"CTEs: {len(ours)} here, {len(theirs)} there")
    if bool(clause is not None and clause.args.get("recursive")) != item["recursive"]:
        differ("RECURSIVE is read differently")
    withs = len(list(last.find_all(exp.With))) if last is not None else 0
    if withs != item["withs"]:
        differ(f"WITHs at any depth: {item['withs']} here, {withs} there")
    for ours_, theirs_ in zip(ours, theirs):
        alias = theirs_.args["alias"].this
        if not same_name(seen_name(alias, dialect), ours_["name"], dialect):
            differ(f"name: {ours_['name']!r} here, {alias.sql(dialect=dialect)!r} there")
        try:
            body = read(ours_["body"], dialect)
        except Exception as error:
            differ(f"body of {ours_['name']!r} does not parse alone: {str(error)[:200]}")
            continue
        if len(body) != 1 or unwrap(body[0]) != unwrap(theirs_.this):
            differ(f"body of {ours_['name']!r} differs")
    for index, prefix in enumerate(item["prefixes"]):
        answer["prefixes"] += 1
        try:
            tree = read(prefix, dialect)[-1]
            count = len(with_of(tree).expressions)
            target = tree.args["from_" if "from_" in tree.args else "from"].this
            if count < index + 1 or not same_name(seen_name(target.this, dialect), ours[index]["name"], dialect):
                raise ValueError("it reads another CTE")
        except Exception as error:
            answer["unparsed_prefixes"].append({"cte": ours[index]["name"], "error": f"{type(error).__name__}: {str(error)[:200]}"})
    return answer


for line in sys.stdin:
    if line.strip():
        print(json.dumps(compare(json.loads(line))), flush=True)
