import type { Cte, CteSplit, LexerTraits } from '@askema/core';
import { findReferences } from './cte-references.ts';
import { readStatements, type Statement } from './split-statements.ts';
import { isSymbol, nameOfToken, type SqlToken } from './sql-token.ts';
import { type CteTokens, findWithClauses, matchBrackets, type WithClause } from './with-clauses.ts';

/** WITHs nested deeper than this are read over, so that what is returned can be walked and written as JSON. */
const DEPTH_LIMIT = 16;

/**
 * Takes the last statement of a text apart at its outermost WITH, by slicing the source. That WITH may stand behind
 * INSERT, CREATE … AS, EXPLAIN, or brackets; the others hang below. Names compare as the dialect compares them. Never
 * throws, whatever the text is; linear in its length.
 */
export function splitCtes(sql: string, traits: LexerTraits): CteSplit {
  const statements = readStatements(sql, traits);
  const last = statements.at(-1) ?? { start: sql.length, end: sql.length, tokens: [] };
  const prelude = statements.slice(0, -1).map(({ start, end }) => ({ start, end }));
  const { tokens } = last;
  const closing = matchBrackets(tokens);
  const clauses = findWithClauses(tokens, closing);
  const builder: Builder = {
    sql,
    traits,
    statement: last,
    clauses,
    references: findReferences(tokens, clauses, traits),
  };
  const children = hang(clauses);
  const top = clauses.findIndex((clause) => clause.leads);
  const others = (children.get(-1) ?? []).filter((index) => index !== top);
  const statement = { start: last.start, end: last.end };
  if (top < 0) {
    const subqueries = others.map((index) => build(builder, children, index, 1));
    return { prelude, statement, recursive: false, ctes: [], final: statement, subqueries, complete: true };
  }
  const split = build(builder, children, top, 0);
  const beside = others.map((index) => build(builder, children, index, 1));
  return { ...split, prelude, statement, subqueries: [...split.subqueries, ...beside] };
}

interface Builder {
  readonly sql: string;
  readonly traits: LexerTraits;
  readonly statement: Statement;
  readonly clauses: readonly WithClause[];
  readonly references: readonly (readonly (readonly number[] | undefined)[])[];
}

/**
 * For each clause (-1: none) those directly inside of it. Clauses come in the order of the text, so that a stack is
 * enough.
 */
function hang(clauses: readonly WithClause[]): ReadonlyMap<number, readonly number[]> {
  const children = new Map<number, number[]>();
  const open: number[] = [];
  for (const [index, clause] of clauses.entries()) {
    while (open.length > 0 && (clauses[open.at(-1) ?? 0]?.scopeEnd ?? 0) <= clause.at) open.pop();
    const parent = open.at(-1) ?? -1;
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [index]);
    else siblings.push(index);
    open.push(index);
  }
  return children;
}

/** Recursion ends at {@link DEPTH_LIMIT}. */
function build(
  builder: Builder,
  children: ReadonlyMap<number, readonly number[]>,
  index: number,
  depth: number,
): CteSplit {
  const { clauses, statement } = builder;
  const { tokens } = statement;
  const clause = clauses[index] ?? { at: 0, recursive: false, ctes: [], scopeEnd: 0, leads: false };
  const inner = depth >= DEPTH_LIMIT ? [] : (children.get(index) ?? []);
  const nestedAt = new Map(inner.flatMap((child) => nestedEntry(clauses[child], child)));
  const ctes = clause.ctes.map((cte, position) => {
    const child = nestedAt.get(cte.open);
    const nested = child === undefined ? undefined : build(builder, children, child, depth + 1);
    return cteOf(builder, index, position, cte, nested);
  });
  const nestedOnes = new Set(nestedAt.values());
  const start = tokens[clause.at]?.start ?? statement.end;
  const end = clause.scopeEnd > 0 ? (tokens[clause.scopeEnd - 1]?.end ?? statement.end) : statement.end;
  const last = clause.ctes.at(-1)?.to ?? 0;
  const withSpan = { start, end: tokens[last - 1]?.end ?? end };
  const final = last < clause.scopeEnd ? { start: tokens[last]?.start ?? end, end } : { start: end, end };
  return {
    prelude: [],
    statement: { start, end },
    recursive: clause.recursive,
    withSpan,
    ctes,
    final,
    subqueries: inner
      .filter((child) => !nestedOnes.has(child))
      .map((child) => build(builder, children, child, depth + 1)),
    complete: clause.ctes.every(({ close }) => close < tokens.length),
  };
}

function nestedEntry(clause: WithClause | undefined, index: number): readonly (readonly [number, number])[] {
  return clause?.bodyOpen === undefined ? [] : [[clause.bodyOpen, index]];
}

function cteOf(
  { sql, traits, statement: { tokens, end }, clauses, references }: Builder,
  clause: number,
  position: number,
  cte: CteTokens,
  nested: CteSplit | undefined,
): Cte {
  const name = tokens[cte.name];
  const bodySpan = { start: tokens[cte.open]?.end ?? end, end: tokens[cte.close]?.start ?? end };
  const all = clauses[clause]?.ctes ?? [];
  const dependsOn = [...new Set(references[clause]?.[position])]
    .sort((one, other) => one - other)
    .map((other) => nameAt(tokens[all[other]?.name ?? -1], traits));
  return {
    name: nameAt(name, traits),
    rawName: name?.text ?? '',
    columns: cte.columns === undefined ? undefined : columnsOf(tokens.slice(cte.columns.from, cte.columns.to), traits),
    materialized: cte.materialized,
    body: sql.slice(bodySpan.start, bodySpan.end),
    bodySpan,
    span: { start: name?.start ?? end, end: tokens[cte.to - 1]?.end ?? end },
    dependsOn: [...new Set(dependsOn)],
    nested,
  };
}

/** A string in the place of a name is one, where an engine takes it (SQLite). */
function nameAt(token: SqlToken | undefined, traits: LexerTraits): string {
  if (token === undefined) return '';
  return nameOfToken(token, traits) ?? token.text.slice(1, -1);
}

function columnsOf(tokens: readonly SqlToken[], traits: LexerTraits): string[] {
  return tokens.filter((token) => !isSymbol(token, ',')).map((token) => nameAt(token, traits));
}
