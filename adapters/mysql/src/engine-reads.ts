import type { Dialect, EngineRead } from '@askema/core';
import { isSymbol, isWord, nameOfToken, type SqlToken, significantTokens } from '@askema/sql';

/** What the server says of a statement by EXPLAIN. */
interface ExplainedStatement {
  readonly sql: string;
  /** As the server rewrote it. */
  readonly rewritten: string;
  /** The names under which tables stand in the steps of its plan. */
  readonly names: readonly string[];
}

/**
 * The tables in a statement as the server rewrote it: in full with their database, with the tables of views that it
 * merged, and a view that it computes first by its own name. A subquery that it computed while it planned is left out
 * there, and stands in the steps of the plan, under its alias. Columns of rows that the server has looked up already
 * are values there, so not all are named.
 */
export function engineReads({ sql, rewritten, names }: ExplainedStatement, { lexer }: Dialect): readonly EngineRead[] {
  const tokens = significantTokens(rewritten, lexer);
  const nameAt = (at: number): string | undefined => {
    const token = tokens[at];
    return token?.text.startsWith('`') ? nameOfToken(token, lexer) : undefined;
  };
  const found = new Map<string, { schema: string; relation: string; columns: Set<string> }>();
  const aliases = new Map<string, { readonly columns: Set<string> }>();
  for (const at of relationsIn(tokens)) {
    const [schema, relation] = [nameAt(at), nameAt(at + 2)];
    if (schema === undefined || relation === undefined || !isSymbol(tokens[at + 1], '.')) continue;
    const key = JSON.stringify([schema, relation]);
    const read = found.get(key) ?? { schema, relation, columns: new Set<string>() };
    found.set(key, read);
    aliases.set(JSON.stringify([schema, nameAt(at + 3) ?? relation]), read);
  }
  for (const at of tokens.keys()) {
    if (!isSymbol(tokens[at + 1], '.') || !isSymbol(tokens[at + 3], '.')) continue;
    const column = nameAt(at + 4);
    if (column !== undefined) aliases.get(JSON.stringify([nameAt(at), nameAt(at + 2)]))?.columns.add(column);
  }
  const known = new Set([...aliases.keys()].map((key) => String(JSON.parse(key)[1])));
  // `<derived2>` and `<union1,2>` are no tables.
  const others = names.filter((name) => !name.startsWith('<') && !known.has(name));
  return [
    ...[...found.values()].map(({ schema, relation, columns }) => ({
      nameParts: { schema, relation },
      columns: [...columns].sort(),
    })),
    ...[...new Set(others)].map((name) => ({ nameParts: { relation: behindAlias(name, sql, lexer) } })),
  ];
}

/** The relation that an alias stands for in the statement; the alias itself where none is found. */
function behindAlias(alias: string, sql: string, lexer: Dialect['lexer']): string {
  const tokens = significantTokens(sql, lexer);
  for (const [at, token] of tokens.entries()) {
    if (nameOfToken(token, lexer) !== alias) continue;
    const before = isWord(tokens[at - 1], 'AS') ? at - 2 : at - 1;
    const name = tokens[before] && nameOfToken(tokens[before], lexer);
    const opens = tokens[before - 1];
    if (name !== undefined && (isSymbol(opens, '.') || isSymbol(opens, ',') || isOpening(opens))) return name;
  }
  return alias;
}

function isOpening(token: SqlToken | undefined): boolean {
  return token?.kind === 'word' && /^(?:from|join|straight_join)$/i.test(token.text);
}

/** Where names of relations stand: behind FROM and JOIN, but not behind the FROM of a call such as `extract(year from …)`. */
function relationsIn(tokens: readonly SqlToken[]): readonly number[] {
  const places: number[] = [];
  const calls: boolean[] = [];
  for (const [at, token] of tokens.entries()) {
    if (isSymbol(token, '(')) calls.push(/^(?:extract|trim|substring|substr)$/i.test(tokens[at - 1]?.text ?? ''));
    else if (isSymbol(token, ')')) calls.pop();
    else if (isOpening(token) && calls.at(-1) !== true) {
      let next = at + 1;
      while (isSymbol(tokens[next], '(')) next += 1;
      places.push(next);
    }
  }
  return places;
}
