import { splitWords } from '../../../text/index.ts';
import type { ResolvedQuery } from '../../resolved-query.ts';
import type { InspectionRule, RuleFinding } from '../../rule.ts';
import { ASCENDING, DESCENDING, ORDER_CUES, ORDERED_BY } from './question-cues.ts';
import { questionText, saysInOrder } from './question-text.ts';
import { endOf, firstSelect, givesOneRow } from './statement-facts.ts';

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
