import {
  castType,
  type Dialect,
  type NameParts,
  parameterPlaceholder,
  qualifiedName,
  quoteIdentifier,
  quoteString,
} from '@askema/core';
import { SQUASHED_MARKS } from './question-mentions.ts';

/** One statement with its positional parameters. */
export interface ProbeStatement {
  readonly sql: string;
  readonly parameters: readonly string[];
}

/** Parameters of one statement at most; SQLite takes 32,766, BigQuery 10,000. Long lists lose their last words. */
export const MAX_PARAMETERS = 8_000;

/**
 * The statement that looks whole cells of several attributes up: rows of the attribute's position among all, and the
 * cell as it is stored. `words` are squashed (see `squashText`); without them, every cell is given. The alias is for
 * BigQuery, where the name of a relation hides a column of the same name.
 */
export function probeStatement(
  dialect: Dialect,
  places: readonly { readonly relation: NameParts; readonly attributes: readonly string[] }[],
  words: readonly string[] | undefined,
): ProbeStatement {
  const all = places.flatMap(({ relation, attributes }) => {
    const from = qualifiedName(relation, dialect, 'always');
    return attributes.map((attribute) => ({ from, attribute }));
  });
  const [before, after] = squashing(dialect);
  const wanted = words?.slice(0, Math.max(1, Math.floor(MAX_PARAMETERS / all.length)));
  const parameters: string[] = [];
  // Enumerations, intervals and the like have no LOWER in some engines, and do not stand in one column with text: the
  // cast makes text of them.
  const selects = all.map(({ from, attribute }, position) => {
    const text = `CAST(${quoteIdentifier(attribute, dialect)} AS ${castType('TEXT', dialect)})`;
    const select = `SELECT DISTINCT ${position} AS place, ${text} AS cell FROM ${from} AS probed WHERE`;
    if (wanted === undefined) return `${select} ${quoteIdentifier(attribute, dialect)} IS NOT NULL`;
    const placeholders = wanted.map((word) => {
      parameters.push(word);
      return parameterPlaceholder(dialect, parameters.length);
    });
    return `${select} ${before}${text}${after} IN (${placeholders.join(', ')})`;
  });
  return { sql: selects.join('\nUNION ALL\n'), parameters };
}

/** What stands around a text to squash it. */
function squashing(dialect: Dialect): readonly [before: string, after: string] {
  const marks = SQUASHED_MARKS.map((mark) => `, ${quoteString(mark, dialect)}, '')`);
  return [`${'REPLACE('.repeat(marks.length)}LOWER(`, `)${marks.join('')}`];
}
