import type { Attribute, AttributeId } from '@askema/core';
import { splitWords } from '@askema/grounding';
import type { FilterShape, OperandShape } from '@askema/sql';
import { attributeName, bareArgument, isKeyPart, originOf, textOf } from '../../resolve/query-facts.ts';
import type { OutputColumn, ResolvedQuery } from '../../resolve/resolved-query.ts';
import type { RuleFinding } from '../rule.ts';
import { columnOf } from './column-comparisons.ts';

/**
 * Columns that are matched with what they cannot mean: IN and = of a sub-query, INTERSECT and EXCEPT. Reported are text
 * with numbers, a key with what is no key and has another name, and two keys that refer to different things.
 */
export function* unlikeColumns(query: ResolvedQuery): Generator<RuleFinding, void, undefined> {
  for (const resolved of query.blocks) {
    for (const filter of resolved.block.filters) {
      const left = columnOf(query, resolved, filter.left)?.attribute;
      const right = innerColumn(query, filter);
      if (left !== undefined && right !== undefined && areUnlike(query, left, right, false))
        yield finding(query, left, right, filter.span);
    }
    for (const [index, id] of (resolved.block.setOperation?.operands ?? []).entries()) {
      if (index === 0) continue;
      // UNION may put different things into one column on purpose.
      const isExact = resolved.block.setOperation?.operators[index - 1]?.operator !== 'union';
      const first = query.blocks[resolved.block.setOperation?.operands[0] ?? -1]?.outputs ?? [];
      const operand = query.blocks[id];
      for (const [position, output] of (operand?.outputs ?? []).entries()) {
        const [a, b] = [attributeOf(query, first[position]), attributeOf(query, output)];
        const span = operand?.block.items[output.item ?? -1]?.span;
        if (a !== undefined && b !== undefined && span !== undefined && areUnlike(query, a, b, isExact))
          yield finding(query, a, b, span);
      }
    }
  }
}

/** The column of the sub-query behind IN; one behind = only where it is no aggregate. */
function innerColumn(query: ResolvedQuery, { operator, right }: FilterShape): Attribute | undefined {
  const [operand]: readonly (OperandShape | undefined)[] = right;
  if ((operator !== 'in' && operator !== '=') || operand?.block === undefined || right.length !== 1) return undefined;
  return attributeOf(query, query.blocks[operand.block]?.outputs?.[0]);
}

function attributeOf(query: ResolvedQuery, output: OutputColumn | undefined): Attribute | undefined {
  return output?.attribute === undefined ? undefined : query.index.attribute(output.attribute);
}

function areUnlike(query: ResolvedQuery, a: Attribute, b: Attribute, isSetOperation: boolean): boolean {
  if (a.id === b.id || areLinked(query, a, b)) return false;
  const [first, second] = [splitWords(a.name), splitWords(b.name)];
  const last = (words: readonly string[]): string | undefined => words.at(-1);
  const isText = (type: string): boolean => type === 'TEXT';
  const isNumber = (type: string): boolean => type === 'NUMERIC';
  if ((isText(a.type) && isNumber(b.type)) || (isNumber(a.type) && isText(b.type)))
    return first.join() !== second.join();
  const isApart = last(first) !== last(second) && !first.some((word) => second.includes(word));
  const keys = [a, b].filter(({ id }) => isKeyPart(query, id)).length;
  // Two keys of which the catalog knows what they refer to, and that is not the same.
  if (keys === 2) return isDeclared(query, a, b) && !isEnding(first, second) && !isEnding(second, first);
  return keys === 1 ? isApart : isSetOperation && isApart;
}

/** `id` of `building_id`, and equal names. */
function isEnding(words: readonly string[], of: readonly string[]): boolean {
  return words.every((word, index) => word === of[of.length - words.length + index]);
}

function isDeclared({ index }: ResolvedQuery, a: Attribute, b: Attribute): boolean {
  return index.foreignKeysFrom(a.relation).length > 0 || index.foreignKeysFrom(b.relation).length > 0;
}

/** A foreign key goes from one to the other, or from both to the same attribute. */
function areLinked({ index }: ResolvedQuery, a: Attribute, b: Attribute): boolean {
  const targets = ({ id, relation }: Attribute): ReadonlySet<AttributeId> =>
    new Set([
      id,
      ...index
        .foreignKeysFrom(relation)
        .flatMap(({ pairs }) => pairs.flatMap(({ from, to }) => (from === id ? to : []))),
    ]);
  const [first, second] = [targets(a), targets(b)];
  return [...first].some((id) => second.has(id));
}

function finding(query: ResolvedQuery, a: Attribute, b: Attribute, span: FilterShape['span']): RuleFinding {
  const [first, second] = [a, b].map(({ id }) => attributeName(query, id, { qualified: true }));
  const kinds = a.type === b.type ? 'they are different things' : `${a.type} and ${b.type}`;
  const text = textOf(query, span);
  return {
    message: `${first} is matched with ${second}: ${kinds}, and no foreign key connects them.`,
    advice: `Match columns that mean the same; look at both sides of ${text.length > 100 ? `${text.slice(0, 100)}…` : text}.`,
    span,
  };
}

const EXTREME = /^(?:min|max|avg|median)$/i;
const COMPARED = new Set(['=', '<>', '<', '<=', '>', '>=']);

/**
 * Columns that are compared with the least, the greatest or the average cell of another column: `age > (SELECT
 * AVG(weight) …)`.
 */
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

/**
 * The same attribute, or one that shares a word with it (`total`, `sub_total`), or that a foreign key connects with it.
 */
function isOfOneKind({ index }: ResolvedQuery, a: Attribute, b: Attribute): boolean {
  if (a.id === b.id) return true;
  const words = splitWords(b.name);
  if (splitWords(a.name).some((word) => words.includes(word))) return true;
  const [first, second] = [a.name.toLowerCase(), b.name.toLowerCase()];
  if (first.includes(second) || second.includes(first)) return true;
  return refersTo(index, a, b) || refersTo(index, b, a);
}

function refersTo(index: ResolvedQuery['index'], from: Attribute, to: Attribute): boolean {
  return index
    .foreignKeysFrom(from.relation)
    .some(({ pairs }) => pairs.some((pair) => pair.from === from.id && pair.to === to.id));
}

const ADDED_UP = /^(?:sum|avg|median|stddev\w{0,8}|variance|var_\w{1,8})$/i;
const RANGES = new Set(['<', '<=', '>', '>=', 'between']);
/**
 * The last word of names that number rows and measure nothing. A key that is called `year` or `rank` may well be
 * compared.
 */
const ROW_NUMBERS = new Set(['id', 'key', 'uid', 'pk', 'sk']);
/** Asks for rows by their number. */
const ASKS_FOR_KEYS = /\b(?:ids?|identifiers?|keys?|numbers?|numbered|codes?)\b/i;

/**
 * Keys that are treated as measures: their sum or average, and, where the question does not speak of keys, a range of
 * them (`customer_id > 15`).
 */
export function* measuresOfKeys(query: ResolvedQuery): Generator<RuleFinding, void, undefined> {
  const asksForKeys = query.question === undefined || ASKS_FOR_KEYS.test(query.question.slice(0, 5_000));
  for (const resolved of query.blocks) {
    const { block } = resolved;
    for (const call of block.calls) {
      const name = call.name.at(-1)?.text ?? '';
      const column = ADDED_UP.test(name) ? bareArgument(query.sql, block, call) : undefined;
      const id = column === undefined ? undefined : originOf(query, block.id, column);
      const attribute = id === undefined ? undefined : query.index.attribute(id);
      if (attribute !== undefined && isRowNumber(query, attribute))
        yield {
          severity: 'warning',
          message: `${textOf(query, call.span)} adds up keys, which number rows and measure nothing.`,
          advice: `Use the column that holds what is to be measured, or COUNT for a number of rows.`,
          span: call.span,
        };
    }
    if (asksForKeys) continue;
    for (const { operator, left, right, span } of block.filters) {
      const attribute = RANGES.has(operator) ? columnOf(query, resolved, left)?.attribute : undefined;
      if (attribute === undefined || !right.every(({ literal }) => literal?.type === 'number')) continue;
      if (!isRowNumber(query, attribute)) continue;
      yield {
        severity: 'warning',
        message: `${textOf(query, span)} compares a key, which numbers rows, and the question asks for no keys.`,
        advice: 'Compare the column that holds the measure that the question speaks of.',
        span,
      };
    }
  }
}

function isRowNumber(query: ResolvedQuery, { id, name, type }: Attribute): boolean {
  return type === 'NUMERIC' && ROW_NUMBERS.has(splitWords(name).at(-1) ?? '') && isKeyPart(query, id);
}
