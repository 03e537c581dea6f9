import { splitWords } from '@askema/grounding';
import type { QueryBlock } from '@askema/sql';
import { allCalls, endOf, firstSelect, givesOneRow } from '../../resolve/block-facts.ts';
import { conjuncts, originOf } from '../../resolve/query-facts.ts';
import type { ResolvedQuery } from '../../resolve/resolved-query.ts';
import type { InspectionRule, RuleFinding } from '../rule.ts';
import {
  ANY_ROWS,
  ASCENDING,
  cueNumber,
  DESCENDING,
  ORDER_CUES,
  ORDER_FROM_EXTREME,
  ORDERED_BY,
  questionText,
  SUPERLATIVE,
  saysInOrder,
  TOP_CUES,
} from './question-cues.ts';

/** A question that asks for an order, and a statement without one or with the contrary one. */
export const orderAsked: InspectionRule = {
  code: 'order-asked',
  severity: 'warning',
  title: 'The question asks for an order that the statement does not give',
  needsQuestion: true,
  *check(query) {
    const question = questionText(query);
    const [block] = query.shape.blocks;
    if (question === undefined || block === undefined || givesOneRow(firstSelect(query))) return;
    const cue = orderCue(query, question);
    if (cue === undefined) return;
    const finding = block.orderBy.length === 0 ? noOrder(query, cue) : contraryOrder(query, question);
    if (finding !== undefined) yield finding;
  },
};

function orderCue(query: ResolvedQuery, question: string): string | undefined {
  for (const pattern of ORDER_CUES) {
    const [found] = pattern.exec(question) ?? [];
    if (found !== undefined) return found;
  }
  const [found, behind] = ORDERED_BY.exec(question) ?? [];
  if (found === undefined || behind === undefined) return undefined;
  const words = splitWords(behind).slice(0, 4);
  const names = query.blocks.flatMap(({ relations }) =>
    relations.flatMap((relation) => (relation.kind === 'relation' ? query.index.attributesOf(relation.id) : [])),
  );
  return names.some(({ name }) => saysInOrder(words, splitWords(name))) ? found : undefined;
}

function noOrder(query: ResolvedQuery, cue: string): RuleFinding | undefined {
  // An order inside of an aggregate (GROUP_CONCAT, ARRAY_AGG) or a rank in the result may be what was asked for.
  const isRanked = query.shape.blocks.some(({ calls }) =>
    calls.some(({ kind, window, name }) =>
      kind === 'window' ? (window?.orderBy.length ?? 0) > 0 : /agg|concat/i.test(name.at(-1)?.text ?? ''),
    ),
  );
  const inner = query.shape.blocks.find(({ id, orderBy }) => id !== 0 && orderBy.length > 0);
  return {
    severity: isRanked ? 'note' : 'warning',
    message: `The question says "${cue}", and the statement has no ORDER BY${inner === undefined ? '' : ' of its own: the order of a sub-query does not last'}.`,
    advice: 'Add ORDER BY to the outermost query, by what the question names, in the direction that it asks for.',
    span: endOf(query),
  };
}

function contraryOrder(query: ResolvedQuery, question: string): RuleFinding | undefined {
  const [block] = query.shape.blocks;
  const isDown = DESCENDING.test(question);
  if (block === undefined || isDown === ASCENDING.test(question)) return undefined;
  const wanted = isDown ? 'desc' : 'asc';
  const first = block.orderBy[0];
  if (first === undefined || block.orderBy.some(({ direction, kind }) => direction === wanted || kind === 'expression'))
    return undefined;
  // Descending by age is ascending by date of birth.
  const columns = block.orderBy.flatMap((order) => order.columns);
  const isDated = columns.some((index) => {
    const resolved = query.blocks[0]?.columns[index];
    const id = resolved?.kind === 'attribute' ? resolved.attribute : undefined;
    return id === undefined || query.index.attribute(id)?.type === 'DATETIME';
  });
  if (isDated && columns.length > 0) return undefined;
  const text = query.sql.slice(first.span.start, first.span.end);
  const fixed = isDown ? `${text.replace(/\s+asc\s*$/i, '')} DESC` : text.replace(/\s+desc\b/i, ' ASC');
  return {
    message: `The question asks for ${isDown ? 'descending' : 'ascending'} order, and the statement orders by ${text}${isDown && !/\basc\b/i.test(text) ? ', which is ascending' : ''}.`,
    advice: `Turn the order around: ${fixed}.`,
    span: first.span,
    fix:
      block.orderBy.length === 1 && first.nulls === undefined
        ? { description: `Order by ${fixed}`, edits: [{ span: first.span, text: fixed }] }
        : undefined,
  };
}

/** Functions whose result is of the extreme row, by their name. */
const EXTREMES =
  /^(?:min|max|min_by|max_by|arg_min|arg_max|argmin|argmax|first|last|any_value|mode|approx_top_count|array_agg|greatest|least)$/i;

/** A question for the first few, or for the one with the most, and a statement that keeps all rows. */
export const limitAsked: InspectionRule = {
  code: 'limit-asked',
  severity: 'warning',
  title: 'The question asks for the first or the most extreme rows, and the statement keeps all',
  needsQuestion: true,
  *check(query) {
    const question = questionText(query);
    if (question === undefined) return;
    const top = topCue(question);
    const finding = top === undefined ? superlative(query, question) : firstRows(query, top);
    if (finding !== undefined) yield finding;
  },
};

interface TopCue {
  readonly text: string;
  readonly count: number;
}

function topCue(question: string): TopCue | undefined {
  for (const pattern of TOP_CUES) {
    const [text, number] = pattern.exec(question) ?? [];
    const count = cueNumber(number);
    if (text !== undefined && count !== undefined && count > 0) return { text, count };
  }
  return undefined;
}

function firstRows(query: ResolvedQuery, { text, count }: TopCue): RuleFinding | undefined {
  const { blocks } = query.shape;
  const limits = blocks.flatMap(({ limit }) => (limit === undefined ? [] : [limit]));
  if (blocks.some(({ calls }) => calls.some(({ kind }) => kind === 'window'))) return undefined;
  if (limits.length === 0) {
    // The first n by a number that is stored: rank <= 5.
    if (
      blocks.some(({ filters }) =>
        filters.some(({ right }) => right.some(({ literal }) => literal?.value === String(count))),
      )
    )
      return undefined;
    return {
      message: `The question asks for "${text}", and the statement gives all rows.`,
      advice: `Add ORDER BY and LIMIT ${count}.`,
      span: endOf(query),
    };
  }
  const outer = blocks[0]?.limit;
  if (outer?.count === undefined || limits.length > 1 || Number(outer.count) === count || outer.offset !== undefined)
    return undefined;
  const written = query.sql.slice(outer.span.start, outer.span.end);
  return {
    message: `The question asks for "${text}", and the statement keeps ${outer.count} rows.`,
    advice: `Keep ${count} rows.`,
    span: outer.span,
    fix: {
      description: `Keep ${count} rows`,
      edits: [{ span: outer.span, text: written.replace(outer.count, String(count)) }],
    },
  };
}

function superlative(query: ResolvedQuery, question: string): RuleFinding | undefined {
  // "from the most to the least" is an order.
  const rest = ORDER_CUES.reduce((text, pattern) => text.replace(pattern, ' '), question);
  const [text, word] = SUPERLATIVE.exec(rest) ?? [];
  if (text === undefined || word === undefined || isNameOrValue(query, word) || picksRows(query)) return undefined;
  if (ORDER_FROM_EXTREME.test(question) && query.shape.blocks.some(({ orderBy }) => orderBy.length > 0))
    return undefined;
  const behind = rest
    .slice(rest.indexOf(text))
    .split(' ')
    .slice(0, 3)
    .join(' ')
    .replace(/[?.,!;:]+$/, '');
  return {
    message: `The question asks for "${behind}", and the statement neither limits its rows nor compares with a minimum or maximum.`,
    advice: 'Add ORDER BY and LIMIT 1, or a condition with = (SELECT MAX(…) …) where several may share the place.',
    span: endOf(query),
  };
}

/** A word that the catalog or the statement holds by itself: `highest` as a column, `'Oldest'` as a value, a level. */
function isNameOrValue(query: ResolvedQuery, word: string): boolean {
  const wanted = word.toLowerCase();
  const hasWord = (name: string): boolean => splitWords(name).includes(wanted);
  const isColumn = query.blocks.some(({ relations }) =>
    relations.some(
      (relation) =>
        relation.kind === 'relation' && query.index.attributesOf(relation.id).some(({ name }) => hasWord(name)),
    ),
  );
  return (
    isColumn ||
    query.shape.blocks.some(({ filters }) =>
      filters.some(({ right }) => right.some(({ literal }) => literal?.type === 'string' && hasWord(literal.value))),
    )
  );
}

/**
 * Whatever can keep the extreme rows: a limit, an extreme, a rank, ALL, NOT EXISTS, a join on a greater row that is not
 * there.
 */
function picksRows(query: ResolvedQuery): boolean {
  const { blocks } = query.shape;
  if (blocks.some(({ limit, role }) => limit !== undefined || role === 'quantified')) return true;
  if (allCalls(query).some(({ kind, name }) => kind === 'window' || EXTREMES.test(name.at(-1)?.text ?? '')))
    return true;
  return blocks.some(
    ({ filters, joins }) =>
      filters.some(({ operator, negated }) => operator === 'exists' && negated) ||
      (joins.some(({ kind }) => kind === 'left') && filters.some(({ operator }) => operator === 'is null')),
  );
}

/** LIMIT without ORDER BY keeps whichever rows the engine meets first. */
export const limitWithoutOrder: InspectionRule = {
  code: 'limit-without-order',
  severity: 'warning',
  title: 'LIMIT without ORDER BY keeps arbitrary rows',
  *check(query) {
    for (const { block } of query.blocks) {
      const { limit, role } = block;
      // LIMIT 0 asks for the columns, EXISTS for whether there is a row.
      if (limit?.count === undefined || limit.count === '0' || role === 'exists') continue;
      if (block.orderBy.length > 0 || givesOneRow(block) || isOrderedInside(query, block) || isOneRow(query, block))
        continue;
      const isStatement = block.id === 0;
      const question = questionText(query);
      const isAnyMeant = question !== undefined && ANY_ROWS.test(question);
      yield {
        severity: isStatement && !isAnyMeant ? 'warning' : 'note',
        message: `Which ${limit.count === '1' ? 'row is' : `${limit.count} rows are`} kept is left to chance: there is no ORDER BY.`,
        advice: 'Add ORDER BY by what the question ranks by, or leave LIMIT out where all rows are meant.',
        span: limit.span,
      };
    }
  },
};

/** FROM is one sub-query or CTE that is ordered or limited itself: engines mostly keep that order. */
function isOrderedInside(query: ResolvedQuery, block: QueryBlock): boolean {
  return block.relations.some(({ block: inner }) => {
    const shape = inner === undefined ? undefined : query.shape.blocks[inner];
    return shape !== undefined && (shape.orderBy.length > 0 || shape.limit !== undefined || givesOneRow(shape));
  });
}

/** A unique attribute is compared with one value. */
function isOneRow(query: ResolvedQuery, block: QueryBlock): boolean {
  return conjuncts(block, 'where').some(({ operator, left, right }) => {
    const column = left.kind === 'column' ? left.columns[0] : undefined;
    const attribute = column === undefined ? undefined : originOf(query, block.id, column);
    return (
      operator === '=' && right[0]?.kind !== 'column' && attribute !== undefined && query.index.isUnique(attribute)
    );
  });
}
