import { AskemaError, type CteSplit, checkWhole, type LexerTraits } from '@askema/core';
import { comparedName } from './sql-token.ts';

export interface PrefixOptions {
  readonly traits: LexerTraits;
  /** Written as LIMIT; without it there is none. */
  readonly maxRows?: number | undefined;
}

/**
 * The statement that shows what the first `count` CTEs give: `WITH c1 … ck SELECT * FROM ck LIMIT n`, cut out of the
 * source, with the statements in front and RECURSIVE kept and the name as it is written. Later CTEs stay only where a
 * recursive one reads them.
 *
 * @throws AskemaError `INPUT_INVALID` when the split has no CTE of that number, counted from 1; `CONFIG_INVALID` when
 * `maxRows` is no whole number.
 */
export function prefixQuery(sql: string, split: CteSplit, count: number, { traits, maxRows }: PrefixOptions): string {
  const cte = split.ctes[count - 1];
  if (cte === undefined || split.withSpan === undefined)
    throw new AskemaError(
      'INPUT_INVALID',
      `There is no CTE number ${count}: the statement has ${split.ctes.length}, counted from 1.`,
    );
  if (maxRows !== undefined) checkWhole('maxRows', maxRows, 0);
  const end = split.ctes[lastNeeded(split, count, traits) - 1]?.span.end ?? cte.span.end;
  const prelude = split.prelude.map(({ start, end: to }) => `${sql.slice(start, to)};\n`).join('');
  const limit = maxRows === undefined ? '' : `\nLIMIT ${maxRows}`;
  return `${prelude}${sql.slice(split.withSpan.start, end)}\nSELECT * FROM ${cte.rawName}${limit}`;
}

/** The number of the last CTE that the first `count` read, directly or not. */
function lastNeeded({ ctes }: CteSplit, count: number, traits: LexerTraits): number {
  const positions = new Map(ctes.map(({ name }, position) => [comparedName(name, traits), position]));
  let needed = count;
  for (let position = 0; position < needed; position += 1)
    for (const name of ctes[position]?.dependsOn ?? [])
      needed = Math.max(needed, (positions.get(comparedName(name, traits)) ?? -1) + 1);
  return needed;
}
