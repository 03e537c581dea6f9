import type { Dialect } from '../adapter/dialect.ts';
import { parameterPlaceholder } from '../adapter/parameter-placeholder.ts';
import { qualifiedName, quoteIdentifier, quoteString } from '../adapter/quote-name.ts';
import type { NameParts } from '../catalog/catalog.ts';
import { SQUASHED_MARKS } from './question-mentions.ts';

/** One statement with its positional parameters. */
export interface ProbeStatement {
  readonly sql: string;
  readonly parameters: readonly string[];
}

/** Parameters of one statement at most; SQLite takes 32,766, BigQuery 10,000. Long lists lose their last words. */
const MAX_PARAMETERS = 8_000;

/**
 * The statement that looks whole cells of several attributes of one relation up: rows of the attribute's position in the
 * list and the cell as it is stored. `words` are squashed (see `squashText`). The alias is for BigQuery, where the name of a relation hides a column of
 * the same name.
 */
export function probeStatement(
  dialect: Dialect,
  relation: NameParts,
  attributes: readonly string[],
  words: readonly string[],
): ProbeStatement {
  const from = qualifiedName(relation, dialect, 'always');
  const wanted = words.slice(0, Math.max(1, Math.floor(MAX_PARAMETERS / attributes.length)));
  const parameters: string[] = [];
  // Enumerations, intervals and the like have no LOWER in some engines, and do not stand in one column with text: the cast makes text of them.
  const selects = attributes.map((attribute, position) => {
    const text = `CAST(${quoteIdentifier(attribute, dialect)} AS ${dialect.types.native.TEXT})`;
    const placeholders = wanted.map((word) => {
      parameters.push(word);
      return parameterPlaceholder(dialect, parameters.length);
    });
    return `SELECT DISTINCT ${position} AS place, ${text} AS cell FROM ${from} AS probed WHERE ${squashed(text, dialect)} IN (${placeholders.join(', ')})`;
  });
  return { sql: selects.join('\nUNION ALL\n'), parameters };
}

function squashed(text: string, dialect: Dialect): string {
  return SQUASHED_MARKS.reduce(
    (inner, mark) => `REPLACE(${inner}, ${quoteString(mark, dialect)}, '')`,
    `LOWER(${text})`,
  );
}
