import { splitWords } from '@askema/grounding';
import type { QueryBlock } from '@askema/sql';
import { firstSelect, givesOneRow } from '../../resolve/block-facts.ts';
import { bareArgument, isUniqueIn, originOf } from '../../resolve/query-facts.ts';
import type { ResolvedQuery } from '../../resolve/resolved-query.ts';
import type { InspectionRule, RuleFinding } from '../rule.ts';
import { DISTINCT_CUE, questionText } from './question-cues.ts';

/** A question for different things, and a statement that may repeat them. */
export const distinctAsked: InspectionRule = {
  code: 'distinct-asked',
  severity: 'warning',
  title: 'The question asks for different things, and the statement may repeat them',
  needsQuestion: true,
  *check(query) {
    const question = questionText(query);
    const [cue] = (question === undefined ? undefined : DISTINCT_CUE.exec(question)) ?? [];
    const block = firstSelect(query);
    if (cue === undefined || block === undefined || isAttributeWord(query, cue) || isWithoutRepetition(query)) return;
    const finding = givesOneRow(block) ? repeatedCount(query, block, cue) : repeatedRows(query, block, cue);
    if (finding !== undefined) yield finding;
  },
};

function isAttributeWord(query: ResolvedQuery, cue: string): boolean {
  return query.blocks.some(({ columns }, block) =>
    columns.some((_, column) => {
      const id = originOf(query, block, column);
      const name = id === undefined ? undefined : query.index.attribute(id)?.name;
      return name !== undefined && splitWords(name).includes(cue.toLowerCase());
    }),
  );
}

/** DISTINCT, GROUP BY or a set operation stands somewhere: what is different is then the statement's own affair. */
function isWithoutRepetition(query: ResolvedQuery): boolean {
  return query.shape.blocks.some(
    ({ distinct, groupings, calls, setOperation, filters }) =>
      distinct ||
      groupings.length > 0 ||
      calls.some(
        (call) => call.distinct || call.kind === 'window' || /distinct|unique/i.test(call.name.at(-1)?.text ?? ''),
      ) ||
      setOperation?.operators.some(({ all }) => !all) === true ||
      // "Two different …": one is compared with the other.
      filters.some(
        ({ operator, left, right }) => operator === '<>' && left.kind === 'column' && right[0]?.kind === 'column',
      ),
  );
}

function repeatedCount(query: ResolvedQuery, block: QueryBlock, cue: string): RuleFinding | undefined {
  const count = block.calls.find(({ name, clause }) => clause === 'select' && /^count$/i.test(name.at(-1)?.text ?? ''));
  if (count === undefined || count.star) return undefined;
  const argument = bareArgument(query.sql, block, count);
  const column = argument === undefined ? undefined : block.columns[argument];
  if (argument === undefined || column === undefined || isUniqueOutput(query, block, [argument])) return undefined;
  const text = query.sql.slice(column.span.start, column.span.end);
  return {
    message: `The question asks for ${cue} things, and ${query.sql.slice(count.span.start, count.span.end)} counts the same value again and again.`,
    advice: `Count DISTINCT ${text}.`,
    span: count.span,
    fix: {
      description: `Count DISTINCT ${text}`,
      edits: [{ span: { start: column.span.start, end: column.span.start }, text: 'DISTINCT ' }],
    },
  };
}

function repeatedRows(query: ResolvedQuery, block: QueryBlock, cue: string): RuleFinding | undefined {
  if (block.items.some(({ kind }) => kind === 'star')) return undefined;
  if (
    isUniqueOutput(
      query,
      block,
      block.items.flatMap(({ kind, columns }) => (kind === 'column' ? columns : [])),
    )
  )
    return undefined;
  const select = query.sql.slice(block.span.start, block.span.start + 6);
  const at = { start: block.span.start + 6, end: block.span.start + 6 };
  const isPlain =
    /^select$/i.test(select) && block.orderBy.every(({ kind }) => kind === 'column' || kind === 'position');
  return {
    message: `The question asks for ${cue} things, and the statement may give the same row several times.`,
    advice: 'Write SELECT DISTINCT, or group by what has to be different.',
    span: { start: block.span.start, end: block.items.at(-1)?.span.end ?? block.span.end },
    fix: isPlain ? { description: 'Write SELECT DISTINCT', edits: [{ span: at, text: ' DISTINCT' }] } : undefined,
  };
}

/** A key of the only relation of FROM is among the columns. */
function isUniqueOutput(query: ResolvedQuery, block: QueryBlock, columns: readonly number[]): boolean {
  const [relation] = query.blocks[block.id]?.relations ?? [];
  if (block.relations.length !== 1 || relation?.kind !== 'relation')
    return relation?.kind === 'opaque' || block.relations.length === 0;
  const attributes = columns.flatMap((column) => originOf(query, block.id, column) ?? []);
  return isUniqueIn(query, relation.id, attributes);
}
