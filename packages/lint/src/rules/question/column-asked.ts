import type { Attribute, AttributeId, Span } from '@askema/core';
import { attributeName, bareArgument, conjuncts, isSameName, originOf, textOf } from '../../resolve/query-facts.ts';
import type { ResolvedBlock, ResolvedColumn, ResolvedQuery } from '../../resolve/resolved-query.ts';
import type { InspectionRule, RuleFinding } from '../rule.ts';
import { AskedAttributes } from './asked-attributes.ts';
import { ALL_CUE, EACH_CUE, questionText } from './question-cues.ts';

/**
 * With more shown columns than this that the question does not name, the question says too little about columns to
 * judge any.
 */
const MAX_UNASKED = 2;

/**
 * A column that the question does not speak of: the wrong one in SELECT, in a comparison with a number, or in ORDER BY.
 * It is surest where the question names another column that the statement leaves out. Names, comments and a few plain
 * synonyms are compared; others are not known.
 */
export const columnAsked: InspectionRule = {
  code: 'column-asked',
  severity: 'warning',
  title: 'The question speaks of another column than the statement uses',
  *check(query) {
    yield* repeatedItems(query);
    const question = questionText(query);
    // Behind a sub-query a column is often a step on the way, and who asks for everything names none.
    if (question === undefined || !isPlain(query) || ALL_CUE.test(question)) return;
    const asked = new AskedAttributes(query, question);
    const unasked = unaskedUses(query, asked);
    const shown = new Set(unasked.flatMap(({ use }) => (use.place === 'shown' ? use.attribute : [])));
    if (shown.size > MAX_UNASKED) return;
    const named = asked.named(usedAttributes(query));
    const label = shown.size > 0 ? undefined : missingLabel(query, asked, named);
    if (label !== undefined) yield label;
    const reported = new Set<string>();
    for (const { use, attribute } of unasked) {
      const finding = reported.has(attribute.id) ? undefined : judge(query, asked, use, attribute, named);
      if (finding === undefined) continue;
      reported.add(attribute.id);
      yield finding;
    }
  },
};

/** Names or titles are asked for, and nothing of that kind is shown. */
function missingLabel(
  query: ResolvedQuery,
  asked: AskedAttributes,
  named: readonly Attribute[],
): RuleFinding | undefined {
  const label = named.find(({ name }) => asked.isLabel(name));
  const shown = columnUses(query).filter(({ place }) => place === 'shown');
  const [first] = shown;
  if (label === undefined || first === undefined) return undefined;
  const names = shown.map(({ attribute }) => query.index.attribute(attribute)?.name ?? '');
  if (names.some((name) => asked.isLabel(name) || asked.isCalledName(name))) return undefined;
  const wanted = attributeName(query, label.id, { qualified: true });
  return {
    message: `The question asks for ${label.name}, and the statement shows no such column.`,
    advice: `Show ${wanted}.`,
    span: first.span,
  };
}

interface UnaskedUse {
  readonly use: ColumnUse;
  readonly attribute: Attribute;
}

function unaskedUses(query: ResolvedQuery, asked: AskedAttributes): readonly UnaskedUse[] {
  return columnUses(query).flatMap((use) => {
    const attribute = query.index.attribute(use.attribute);
    const isAggregated = use.place === 'aggregated';
    if (attribute === undefined) return [];
    // Things are counted by their ids, also where no key is declared and one is called `pid`.
    if (use.place === 'counted' && (asked.isIdentifier(attribute) || /id$/i.test(attribute.name))) return [];
    return asked.isUnasked(attribute, { isAggregated }) ? [{ use, attribute }] : [];
  });
}

function judge(
  query: ResolvedQuery,
  asked: AskedAttributes,
  use: ColumnUse,
  attribute: Attribute,
  named: readonly Attribute[],
): RuleFinding | undefined {
  const isOfValue = use.place !== 'shown' && use.place !== 'ordered by';
  // 1974 is a year without the word.
  if (use.numbers.some((number) => /^(?:1[89]|20)\d\d$/.test(number)) && /year|date/i.test(attribute.name))
    return undefined;
  const others = named.filter(
    (other) =>
      // "the number of courses", "salespersons": words of ids are seldom meant as the id.
      !asked.isIdentifier(other) &&
      !/^number$|id$/i.test(other.name) &&
      (use.place !== 'compared' || other.relation === attribute.relation) &&
      (!isOfValue || other.type === attribute.type || attribute.type !== 'NUMERIC'),
  );
  const sameRelation = others.filter(({ relation }) => relation === attribute.relation);
  const [other] = sameRelation.length > 0 ? sameRelation : others;
  const given = attributeName(query, attribute.id);
  if (other !== undefined) {
    const wanted = attributeName(query, other.id, { qualified: other.relation !== attribute.relation });
    return {
      message: `The question names ${wanted}, which the statement leaves out; ${given}, which is ${use.place} here, is not in the question.`,
      advice: `Use ${wanted} in place of ${given} if that is what the question asks for.`,
      span: use.span,
      fix:
        others.length === 1 && sameRelation.length === 1
          ? { description: `Use ${wanted}`, edits: [{ span: use.name, text: wanted }] }
          : undefined,
    };
  }
  const isIdentifier = asked.isIdentifier(attribute);
  if ((use.place !== 'shown' && use.place !== 'counted') || isDeliberate(query, use)) return undefined;
  if (isIdentifier && (!asked.hasLabel(attribute.relation) || isNameOfGroup(query, use))) return undefined;
  return {
    message: isIdentifier
      ? `${given}, which is ${use.place} here, only tells rows from each other, and the question asks for no id.`
      : `${given}, which is ${use.place} here, is not in the question.`,
    advice: `Check that ${given} is what the question asks for; if not, use the column that is.`,
    span: use.span,
  };
}

/** An id beside what was worked out for each: names may be shared. */
function isNameOfGroup(query: ResolvedQuery, { place, span }: ColumnUse): boolean {
  return (
    place === 'shown' &&
    EACH_CUE.test(questionText(query) ?? '') &&
    query.blocks.some(
      ({ block: { items } }) =>
        items.some((item) => item.span.start <= span.start && span.end <= item.span.end) &&
        items.some(({ kind }) => kind !== 'column'),
    )
  );
}

/** The same attribute stands in another clause as well: no slip of the pen. */
function isDeliberate(query: ResolvedQuery, { attribute, span }: ColumnUse): boolean {
  return query.blocks.some(({ block, columns }) =>
    block.columns.some((column, index) => {
      const resolved = columns[index];
      const isOther = column.span.start !== span.start && column.clause !== 'join';
      return isOther && resolved?.kind === 'attribute' && resolved.attribute === attribute;
    }),
  );
}

/** Nothing but relations of the catalog in FROM: what is shown is not made up on the way. */
function isPlain(query: ResolvedQuery): boolean {
  return query.blocks.every(({ relations }) => relations.every(({ kind }) => kind === 'relation'));
}

/**
 * A place of the statement where one attribute stands by itself. `aggregated` is the argument of SUM, AVG, MIN or MAX,
 * `counted` that of COUNT DISTINCT. Of an order only the first key counts: others break ties.
 */
interface ColumnUse {
  readonly attribute: AttributeId;
  readonly place: 'shown' | 'aggregated' | 'counted' | 'compared' | 'ordered by';
  /** The numbers that it is compared with, as written. */
  readonly numbers: readonly string[];
  readonly span: Span;
  /** Of its name without qualifier: what a fix replaces. */
  readonly name: Span;
}

/** What the statement shows, orders by, and compares with numbers. Sub-queries show nothing. */
function columnUses(query: ResolvedQuery): readonly ColumnUse[] {
  return query.blocks.flatMap((resolved) => usesOfBlock(query, resolved));
}

function usesOfBlock(query: ResolvedQuery, { block }: ResolvedBlock): ColumnUse[] {
  const use = (place: ColumnUse['place'], column: number | undefined, numbers: readonly string[] = []): ColumnUse[] => {
    const shape = column === undefined ? undefined : block.columns[column];
    const attribute = column === undefined ? undefined : originOf(query, block.id, column);
    if (shape === undefined || attribute === undefined || shape.item !== undefined) return [];
    return [{ attribute, place, numbers, span: shape.span, name: shape.name.span }];
  };
  const argument = (call: number | undefined): number | undefined => {
    const shape = call === undefined ? undefined : block.calls[call];
    const name = shape?.name.at(-1)?.text.toUpperCase() ?? '';
    if (shape?.kind !== 'aggregate' || !(/^(?:SUM|AVG|MIN|MAX)$/.test(name) || (name === 'COUNT' && shape.distinct)))
      return undefined;
    return bareArgument(query.sql, block, shape);
  };
  const items = isShown(query, block.id)
    ? block.items.flatMap(({ kind, columns, calls }) =>
        kind === 'column'
          ? use('shown', columns[0])
          : calls.length === 1
            ? use(block.calls[calls[0] ?? -1]?.distinct === true ? 'counted' : 'aggregated', argument(calls[0]))
            : [],
      )
    : [];
  const filters = block.filters.flatMap(({ operator, left, right }) => {
    const numbers = right.flatMap(({ literal }) => (literal?.type === 'number' ? [literal.value] : []));
    const isComparison = /^(?:=|<|>|<=|>=|between)$/.test(operator) && numbers.length === right.length;
    return left.kind === 'column' && isComparison ? use('compared', left.columns[0], numbers) : [];
  });
  const orders = block.orderBy
    .slice(0, 1)
    .flatMap(({ kind, columns, calls }) =>
      use('ordered by', kind === 'column' ? columns[0] : calls.length === 1 ? argument(calls[0]) : undefined),
    );
  return [...items, ...filters, ...orders];
}

/** The rows of the statement itself: its block, and the operands of its set operation. */
function isShown(query: ResolvedQuery, id: number): boolean {
  let block = query.shape.blocks[id];
  for (let depth = 0; depth < 20 && block !== undefined && block.place === 'operand'; depth++)
    block = block.parent === undefined ? undefined : query.shape.blocks[block.parent];
  return block?.id === 0;
}

/** All attributes that the statement stands on, wherever. */
function usedAttributes(query: ResolvedQuery): ReadonlySet<AttributeId> {
  const used = new Set<AttributeId>();
  for (const { block, columns, relations } of query.blocks) {
    for (const [index] of columns.entries()) {
      const id = originOf(query, block.id, index);
      if (id !== undefined) used.add(id);
    }
    const names = block.joins.flatMap(({ using }) => using);
    const isAll = block.items.some(({ kind }) => kind === 'star');
    for (const relation of relations) {
      if (relation.kind !== 'relation' || (!isAll && names.length === 0)) continue;
      for (const attribute of query.index.attributesOf(relation.id))
        if (isAll || names.some((name) => isSameName(query, attribute.name, name))) used.add(attribute.id);
    }
  }
  return used;
}

/**
 * Columns that are shown twice, and a result that the statement itself gives away: `SELECT name … WHERE name = 'Kyle'`.
 */
function* repeatedItems(query: ResolvedQuery): Generator<RuleFinding, void, undefined> {
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
