import type { FilterShape, OperandShape } from '../../../ports/query-shape.ts';
import type { Attribute, AttributeId } from '../../../schema/schema.ts';
import { splitWords } from '../../../text/index.ts';
import { attributeName, textOf } from '../../resolve/index.ts';
import type { OutputColumn, ResolvedQuery } from '../../resolved-query.ts';
import type { RuleFinding } from '../../rule.ts';
import { columnOf } from './column-comparisons.ts';

/**
 * Columns that are matched with what they cannot mean: IN and = of a sub-query, INTERSECT and EXCEPT. Reported are text with numbers, a key
 * with what is no key and has another name, and two keys that refer to different things.
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
  const keys = [a, b].filter(({ id }) => isKey(query, id)).length;
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

function isKey({ index }: ResolvedQuery, id: AttributeId): boolean {
  const relation = index.attribute(id)?.relation;
  if (relation === undefined) return false;
  return (
    index.primaryKey(relation)?.attributes.includes(id) === true ||
    index.foreignKeysFrom(relation).some(({ pairs }) => pairs.some(({ from }) => from === id))
  );
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
