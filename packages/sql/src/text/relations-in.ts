import type { LexerTraits, Span } from '@askema/core';
import { visitRelations } from './cte-references.ts';
import { significantTokens } from './lex-sql.ts';
import { readStatements } from './split-statements.ts';
import { isSymbol, isWord, nameOfToken, type SqlToken } from './sql-token.ts';
import { findWithClauses, matchBrackets } from './with-clauses.ts';

/** Where a text reads from a relation. */
export interface RelationInText extends Span {
  /** The parts of its name, as the engine sees them. The span is that of the name. */
  readonly path: readonly string[];
  /** What stands behind it, or behind its AS: its alias, where it is no word of the query. */
  readonly next: SqlToken | undefined;
}

/**
 * Each place where a text reads from a relation, in the order of the text. CTEs and table functions are none. By the
 * text alone: no name is looked up.
 */
export function relationPlaces(sql: string, traits: LexerTraits): readonly RelationInText[] {
  const found: RelationInText[] = [];
  for (const { tokens } of readStatements(sql, traits)) {
    const clauses = findWithClauses(tokens, matchBrackets(tokens));
    visitRelations(tokens, clauses, traits, (index, reference) => {
      const path: string[] = [];
      let at = index;
      for (; ; at += 2) {
        const name = nameAt(tokens[at], traits);
        if (name === undefined) return;
        path.push(name);
        if (!isSymbol(tokens[at + 1], '.')) break;
      }
      const isCte = path.length === 1 && reference !== undefined;
      if (isCte || isSymbol(tokens[at + 1], '(')) return;
      const { start = 0 } = tokens[index] ?? {};
      const { end = start } = tokens[at] ?? {};
      found.push({ path, start, end, next: tokens[isWord(tokens[at + 1], 'AS') ? at + 2 : at + 1] });
    });
  }
  return found;
}

/** The names of {@link relationPlaces}, each once. */
export function relationsIn(sql: string, traits: LexerTraits): readonly (readonly string[])[] {
  return [...new Map(relationPlaces(sql, traits).map(({ path }) => [JSON.stringify(path), path])).values()];
}

/** A relation in a text that qualifies all names. */
export interface QualifiedRelation {
  readonly schema: string;
  readonly relation: string;
  /** By which the rest of the text calls it; its name where it has no alias. */
  readonly alias: string;
  /** Those that the text names, sorted. */
  readonly columns: readonly string[];
}

/**
 * The relations of a text as a server writes it back: `schema.relation` with a quoted alias or none, and columns as
 * `schema.alias.column`, or as `alias.column` where no derived table or CTE has that alias. What is not qualified is
 * left out.
 */
export function qualifiedRelations(sql: string, traits: LexerTraits): readonly QualifiedRelation[] {
  const tokens = significantTokens(sql, traits);
  const places = relationPlaces(sql, traits);
  const columns = new Map<string, Set<string>>();
  const paths = new Set(places.map(({ path }) => JSON.stringify(path)));
  const others = new Set(places.flatMap(({ path }) => (path.length === 1 ? path : [])));
  for (const at of tokens.keys()) {
    const name = nameAt(tokens[at], traits);
    if (isSymbol(tokens[at - 1], ')') && name !== undefined) others.add(name);
    if (!isSymbol(tokens[at + 1], '.') || isSymbol(tokens[at - 1], '.')) continue;
    const [second, third] = [2, 4].map((part) => nameAt(tokens[at + part], traits));
    const hasSchema = isSymbol(tokens[at + 3], '.');
    const key = JSON.stringify(hasSchema ? [name, second] : [name]);
    const column = hasSchema ? third : second;
    if (!hasSchema && paths.has(JSON.stringify([name, second]))) continue;
    if (column !== undefined) columns.set(key, (columns.get(key) ?? new Set()).add(column));
  }
  return places.flatMap(({ path: [schema, relation], next }) => {
    if (schema === undefined || relation === undefined) return [];
    const alias = (next?.kind === 'quotedName' ? nameAt(next, traits) : undefined) ?? relation;
    const keys = [[schema, alias], ...(others.has(alias) ? [] : [[alias]])];
    const found = keys.flatMap((key) => [...(columns.get(JSON.stringify(key)) ?? [])]);
    return [{ schema, relation, alias, columns: [...new Set(found)].sort() }];
  });
}

function nameAt(token: SqlToken | undefined, traits: LexerTraits): string | undefined {
  return token && nameOfToken(token, traits);
}
