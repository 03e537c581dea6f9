import type { Attribute } from '../../../schema/schema.ts';
import { splitWords } from '../../../text/index.ts';
import { attributeName, bareArgument, originOf } from '../../resolve/index.ts';
import type { ResolvedQuery } from '../../resolved-query.ts';
import type { RuleFinding } from '../../rule.ts';
import { columnOf } from './column-comparisons.ts';

const EXTREME = /^(?:min|max|avg|median)$/i;
const COMPARED = new Set(['=', '<>', '<', '<=', '>', '>=']);

/** Columns that are compared with the least, the greatest or the average cell of another column: `age > (SELECT AVG(weight) …)`. */
export function* unlikeExtremes(query: ResolvedQuery): Generator<RuleFinding, void, undefined> {
  for (const resolved of query.blocks)
    for (const { operator, left, right, span } of resolved.block.filters) {
      const inner = right[0]?.block;
      const column = columnOf(query, resolved, left)?.attribute;
      if (inner === undefined || column === undefined || right.length !== 1 || !COMPARED.has(operator)) continue;
      const extreme = extremeOf(query, inner);
      if (extreme === undefined || isOfOneKind(query, column, extreme.attribute)) continue;
      const [first, second] = [column, extreme.attribute].map(({ id }) =>
        attributeName(query, id, { qualified: true }),
      );
      yield {
        severity: 'warning',
        message: `${first} is compared with ${extreme.name} of another column, ${second}.`,
        advice: `Compare ${first} with ${extreme.name} of its own cells, or test ${second}.`,
        span,
      };
    }
}

/** The attribute whose extreme is all that the block selects. */
function extremeOf(
  query: ResolvedQuery,
  block: number,
): { readonly name: string; readonly attribute: Attribute } | undefined {
  const shape = query.shape.blocks[block];
  const [item] = shape?.items ?? [];
  const call = item?.calls.length === 1 ? shape?.calls[item.calls[0] ?? -1] : undefined;
  if (shape === undefined || item === undefined || call === undefined || shape.items.length !== 1) return undefined;
  const name = call.name.at(-1)?.text ?? '';
  const isWhole = call.span.start === item.expression.start && call.span.end === item.expression.end;
  const column = EXTREME.test(name) && isWhole ? bareArgument(query.sql, shape, call) : undefined;
  const id = column === undefined ? undefined : originOf(query, block, column);
  const attribute = id === undefined ? undefined : query.index.attribute(id);
  return attribute === undefined ? undefined : { name: name.toUpperCase(), attribute };
}

/** The same attribute, or one that shares a word with it (`total`, `sub_total`), or that a foreign key connects with it. */
function isOfOneKind({ index }: ResolvedQuery, a: Attribute, b: Attribute): boolean {
  if (a.id === b.id) return true;
  const words = splitWords(b.name);
  if (splitWords(a.name).some((word) => words.includes(word))) return true;
  const [first, second] = [a.name.toLowerCase(), b.name.toLowerCase()];
  if (first.includes(second) || second.includes(first)) return true;
  return areLinked(index, a, b) || areLinked(index, b, a);
}

function areLinked(index: ResolvedQuery['index'], from: Attribute, to: Attribute): boolean {
  return index
    .foreignKeysFrom(from.relation)
    .some(({ pairs }) => pairs.some((pair) => pair.from === from.id && pair.to === to.id));
}
