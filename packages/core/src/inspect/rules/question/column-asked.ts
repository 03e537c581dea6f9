import type { Span } from '../../../ports/query-shape.ts';
import type { Attribute, AttributeId, RelationId } from '../../../schema/schema.ts';
import { splitWords } from '../../../text/index.ts';
import { attributeName, bareArgument, originOf } from '../../resolve/index.ts';
import type { ResolvedBlock, ResolvedQuery } from '../../resolved-query.ts';
import type { InspectionRule, RuleFinding } from '../../rule.ts';
import { MEASURE_ADJECTIVES } from './question-cues.ts';
import { contentWords, isLike, questionText, saysInOrder } from './question-text.ts';

/**
 * A column that the question does not speak of, where it names another one of the same relation that the statement leaves out: the wrong
 * column in SELECT, in a condition with a number, or in ORDER BY. Only names and comments are compared; synonyms are not known.
 */
export const columnAsked: InspectionRule = {
  code: 'column-asked',
  severity: 'warning',
  title: 'The question names another column than the statement uses',
  needsQuestion: true,
  *check(query) {
    const question = questionText(query);
    if (question === undefined) return;
    const words = splitWords(question);
    const used = usedAttributes(query);
    const named = namedButUnused(query, words, used);
    if (named.length === 0) return;
    for (const use of usesOf(query)) {
      const attribute = query.index.attribute(use.attribute);
      if (attribute === undefined || !isUnasked(query, words, attribute)) continue;
      const others = named.filter(
        (other) => other.relation === attribute.relation && (use.place === 'shown' || other.type === attribute.type),
      );
      const [first] = others;
      if (first !== undefined) yield findingOf(query, use, attribute, first, others.length === 1);
    }
  },
};

/** A place of the statement where one attribute stands by itself. */
interface Use {
  readonly attribute: AttributeId;
  readonly place: 'shown' | 'compared' | 'ordered by';
  readonly span: Span;
  /** Of its name without qualifier: what a fix replaces. */
  readonly name: Span;
}

function* usesOf(query: ResolvedQuery): Generator<Use, void, undefined> {
  for (const resolved of query.blocks) {
    const { block } = resolved;
    const use = (place: Use['place'], column: number | undefined): Use[] => {
      const shape = column === undefined ? undefined : block.columns[column];
      const attribute = column === undefined ? undefined : originOf(query, block.id, column);
      return shape === undefined || attribute === undefined
        ? []
        : [{ attribute, place, span: shape.span, name: shape.name.span }];
    };
    const isShown = block.id === 0 || query.shape.blocks[block.parent ?? -1]?.kind === 'set operation';
    if (isShown) for (const column of shownColumns(query, resolved)) yield* use('shown', column);
    for (const { operator, left, right } of block.filters)
      if (left.kind === 'column' && ['<', '<=', '>', '>=', 'between'].includes(operator))
        if (right.every(({ literal }) => literal?.type === 'number')) yield* use('compared', left.columns[0]);
    for (const { kind, columns } of block.orderBy) if (kind === 'column') yield* use('ordered by', columns[0]);
  }
}

/** Columns of the select list, alone or as the only argument of an aggregate that keeps their meaning. */
function shownColumns(query: ResolvedQuery, { block }: ResolvedBlock): readonly number[] {
  return block.items.flatMap(({ kind, columns, calls }) => {
    if (kind === 'column') return columns.slice(0, 1);
    const call = calls.length === 1 ? block.calls[calls[0] ?? -1] : undefined;
    if (call?.kind !== 'aggregate' || !/^(?:sum|avg|min|max)$/i.test(call.name.at(-1)?.text ?? '')) return [];
    return bareArgument(query.sql, block, call) ?? [];
  });
}

function usedAttributes(query: ResolvedQuery): ReadonlySet<AttributeId> {
  const used = new Set<AttributeId>();
  for (const { block, columns, relations } of query.blocks) {
    for (const [index] of columns.entries()) {
      const id = originOf(query, block.id, index);
      if (id !== undefined) used.add(id);
    }
    const names = block.joins.flatMap(({ using }) => using.map(({ text }) => text));
    const isAll = block.items.some(({ kind }) => kind === 'star');
    for (const relation of relations) {
      if (relation.kind !== 'relation') continue;
      for (const attribute of query.index.attributesOf(relation.id))
        if (isAll || names.includes(attribute.name)) used.add(attribute.id);
    }
  }
  return used;
}

/** Attributes of the relations in FROM whose whole name stands in the question, and which nothing in the statement stands for. */
function namedButUnused(
  query: ResolvedQuery,
  question: readonly string[],
  used: ReadonlySet<AttributeId>,
): readonly Attribute[] {
  const relations = new Set<RelationId>();
  for (const block of query.blocks)
    for (const relation of block.relations) if (relation.kind === 'relation') relations.add(relation.id);
  const taken = [
    ...[...relations].map((id) => splitWords(query.index.relation(id)?.name ?? '')),
    ...[...used].map((id) => splitWords(query.index.attribute(id)?.name ?? '')),
  ];
  const adjectives = new Set(question.flatMap((word) => MEASURE_ADJECTIVES[word] ?? []));
  const found: Attribute[] = [];
  for (const relation of relations)
    for (const attribute of query.index.attributesOf(relation)) {
      if (used.has(attribute.id) || contentWords(attribute.name).length === 0) continue;
      const words = splitWords(attribute.name);
      const isNamed = saysInOrder(question, words) || (words.length === 1 && adjectives.has(words[0] ?? ''));
      if (isNamed && !taken.some((name) => words.every((word) => name.includes(word)))) found.push(attribute);
    }
  return found;
}

/** Names that stand for the thing itself: they are shown without being asked for. */
const LABELS = new Set('name title label description'.split(' '));

function isUnasked(query: ResolvedQuery, question: readonly string[], attribute: Attribute): boolean {
  const { index, catalog } = query;
  const words = contentWords(attribute.name);
  if (words.length === 0 || words.some((word) => LABELS.has(word)) || isLike(question, attribute.name)) return false;
  if (words.some((word) => MEASURE_ADJECTIVES[word] !== undefined)) return false;
  const adjectives = question.flatMap((word) => MEASURE_ADJECTIVES[word] ?? []);
  if (words.some((word) => adjectives.includes(word))) return false;
  const isKey =
    index.isUnique(attribute.id) ||
    index.primaryKey(attribute.relation)?.attributes.includes(attribute.id) === true ||
    index.foreignKeysFrom(attribute.relation).some(({ pairs }) => pairs.some(({ from }) => from === attribute.id));
  const comment = catalog.attributes[attribute.id]?.comment?.slice(0, 300);
  return !isKey && (comment === undefined || !isLike(question, comment));
}

function findingOf(
  query: ResolvedQuery,
  use: Use,
  attribute: Attribute,
  other: Attribute,
  isOnly: boolean,
): RuleFinding {
  const [given, asked] = [attributeName(query, attribute.id), attributeName(query, other.id)];
  return {
    severity: use.place === 'shown' && isOnly ? 'warning' : 'note',
    message: `The question names ${asked}, which the statement leaves out; ${given}, which is ${use.place} here, is not in the question.`,
    advice: `Use ${asked} in place of ${given} if that is what the question asks for.`,
    span: use.span,
    fix: isOnly ? { description: `Use ${asked}`, edits: [{ span: use.name, text: asked }] } : undefined,
  };
}
