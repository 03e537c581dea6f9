import { conjuncts, textOf } from '../../resolve/index.ts';
import type { ResolvedBlock, ResolvedColumn, ResolvedQuery } from '../../resolved-query.ts';
import type { RuleFinding } from '../../rule.ts';

/** Columns that are shown twice, and a result that the statement itself gives away: `SELECT name … WHERE name = 'Kyle'`. */
export function* repeatedItems(query: ResolvedQuery): Generator<RuleFinding, void, undefined> {
  for (const resolved of query.blocks) {
    const { block } = resolved;
    if (block.id !== 0 && block.place !== 'operand') continue;
    const seen = new Set<string>();
    for (const { kind, columns, span } of block.items) {
      const key = kind === 'column' ? keyOf(resolved.columns[columns[0] ?? -1]) : undefined;
      if (key !== undefined && seen.has(key))
        yield {
          message: `${textOf(query, span)} is shown twice.`,
          advice: 'Show another column in its place, the one that the question asks for, or leave it out.',
          span,
        };
      if (key !== undefined) seen.add(key);
    }
    const known = knownResult(query, resolved);
    if (known !== undefined) yield known;
  }
}

function knownResult(query: ResolvedQuery, { block, columns }: ResolvedBlock): RuleFinding | undefined {
  const [item] = block.items;
  if (block.id !== 0 || item?.kind !== 'column' || block.items.length !== 1) return undefined;
  const shown = keyOf(columns[item.columns[0] ?? -1]);
  const filter = conjuncts(block, 'where').find(
    ({ operator, left, right }) =>
      operator === '=' &&
      left.kind === 'column' &&
      right[0]?.kind === 'literal' &&
      keyOf(columns[left.columns[0] ?? -1]) === shown,
  );
  if (shown === undefined || filter === undefined) return undefined;
  return {
    message: `Every row of the result is ${textOf(query, filter.right[0]?.span ?? filter.span)}: ${textOf(query, filter.span)} fixes the only column that is shown.`,
    advice: 'Show the column that the question asks for.',
    span: item.span,
  };
}

function keyOf(column: ResolvedColumn | undefined): string | undefined {
  if (column?.kind !== 'attribute') return undefined;
  return `${column.relation.block}/${column.relation.relation}/${column.attribute}`;
}
