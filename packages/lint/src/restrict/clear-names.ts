import { type AskemaError, foldName, type RelationId } from '@askema/core';
import { type ColumnShape, isSymbol, type QueryBlock, type SqlToken } from '@askema/sql';
import type { ResolvedQuery } from '../resolve/resolved-query.ts';
import { refused } from './check-tokens.ts';

/** Tells the columns that mean the same to every engine, however it looks names up. */
export interface ClearQualifiers {
  /**
   * Whether nothing that is kept back by that name is in the FROM of the block or of one around it, or the column has
   * one qualifier, which stands for one relation of the whole statement and for nothing else.
   */
  test(column: ColumnShape, block: QueryBlock): boolean;
  /** Folded qualifiers on which this was found. */
  readonly used: ReadonlySet<string>;
}

/**
 * MariaDB tells `s` and `S` apart, looks past FROM in HAVING and in ON, and takes `shop.a` for an alias `a`; others have
 * rules of their own. Where nothing else in the statement has the qualifier, in any case of its letters, none of it matters.
 */
export function clearQualifiers(
  query: ResolvedQuery,
  columnNames: ReadonlySet<string>,
  keepsBack: (relation: RelationId, column: string) => boolean,
): ClearQualifiers {
  const isInSight = (block: QueryBlock, column: string): boolean => {
    const { relations } = query.blocks[block.id] ?? { relations: [] };
    if (
      relations.some(
        (relation) => relation.kind !== 'block' && (relation.kind !== 'relation' || keepsBack(relation.id, column)),
      )
    )
      return true;
    const parent = block.parent === undefined ? undefined : query.blocks[block.parent]?.block;
    return parent !== undefined && isInSight(parent, column);
  };
  const counts = new Map<string, number>();
  for (const { block } of query.blocks)
    for (const { alias, name } of block.relations) {
      const exposed = fold((alias ?? name.at(-1))?.text ?? '');
      counts.set(exposed, (counts.get(exposed) ?? 0) + 1);
    }
  const used = new Set<string>();
  return {
    used,
    test({ qualifier, name }, block) {
      if (!isInSight(block, fold(name.text))) return true;
      const [only, ...more] = qualifier;
      if (only === undefined || more.length > 0) return false;
      // PostgreSQL folds no letter beyond ASCII, and cuts a name after 63 bytes.
      if (!/^[ -~]{1,63}$/.test(only.text)) return false;
      const folded = fold(only.text);
      // It may be a column with fields as well.
      if (counts.get(folded) !== 1 || columnNames.has(folded)) return false;
      used.add(folded);
      return true;
    },
  };
}

/**
 * Tells names that differ from one of these in the case of letters beyond ASCII: MariaDB takes `privÉ` for the column
 * `privé`, whatever else is called `privÉ`. A scan of its letters found no other pairs that it takes for one.
 */
export function otherCases(folded: Iterable<string>): (name: string) => boolean {
  const names = [...folded].filter((name) => /[^ -~]/.test(name));
  const own = new Set(names);
  const spellings = new Set(names.map(withoutCase));
  return (name) => spellings.has(withoutCase(name)) && !own.has(fold(name));
}

/** A name under which those are one that differ in the case of their letters, in any alphabet. */
export const withoutCase = (name: string): string => name.toLowerCase().toUpperCase();

export function unclear(name: string): AskemaError {
  return refused(
    `which ${JSON.stringify(name)} is meant may depend on the engine. Give its relation an alias that stands nowhere else in the statement, and write it in front`,
  );
}

/** Behind these words a text is a value. */
const BEFORE_VALUE =
  /^(?:all|and|any|between|by|case|distinct|else|escape|except|from|glob|having|ilike|in|intersect|interval|is|like|limit|match|not|offset|on|or|regexp|rlike|select|separator|similar|then|to|top|union|values|when|where|xor|date|time|timestamp|datetime|timestamptz|numeric|decimal|json|jsonb|div|mod|some|qualify|end)$/i;

/**
 * What a text says where an engine takes it for a name: SQLite and DuckDB behind `AS` and in front of a dot, and MySQL,
 * under some settings, everywhere if its quotes are double.
 */
export function nameInText(tokens: readonly SqlToken[], at: number): string | undefined {
  const token = tokens[at];
  if (token?.kind !== 'string') return undefined;
  const [before, next] = [tokens[at - 1], tokens[at + 1]];
  const isAlias =
    before?.kind === 'quotedName' ||
    isSymbol(before, ')') ||
    (before?.kind === 'word' && !BEFORE_VALUE.test(before.text));
  if (!token.text.startsWith('"') && !isAlias && !isSymbol(before, '.') && !isSymbol(next, '.')) return undefined;
  return token.text.replace(/^[^'"]*['"]|['"]$/g, '');
}

const fold = (name: string): string => foldName(name, 'insensitive');
