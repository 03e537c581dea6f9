import { splitWords } from '../../../text/index.ts';
import type { ResolvedQuery } from '../../resolved-query.ts';
import type { InspectionRule, RuleFinding } from '../../rule.ts';
import { cueNumber, ORDER_CUES, ORDER_FROM_EXTREME, SUPERLATIVE, TOP_CUES } from './question-cues.ts';
import { questionText } from './question-text.ts';
import { allCalls, endOf } from './statement-facts.ts';

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

/** Whatever can keep the extreme rows: a limit, an extreme, a rank, ALL, NOT EXISTS, a join on a greater row that is not there. */
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
