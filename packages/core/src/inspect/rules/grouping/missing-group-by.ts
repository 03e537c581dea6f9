import { aggregatesOf } from '../../resolve/index.ts';
import type { ResolvedBlock, ResolvedQuery } from '../../resolved-query.ts';
import type { InspectionRule } from '../../rule.ts';

/** What asks for one row for each of something. */
const FOR_EACH =
  /\b(?:(?:for|in|of|by|from|to|at|with|on|within|across|under|inside|per)\s+(?:each|every)|grouped\s+by|broken\s+down\s+by|each|per)\s+(?:of\s+the\s+|of\s+these\s+)?([\p{L}\p{N}_-]+)/giu;

/** Words behind `per` that make a unit or a rate out of it, not a group. */
const UNITS: ReadonlySet<string> = new Set(
  'capita cent gallon hour hours minute second mile kilometer km litre liter unit person head se game match thousand million hundred'.split(
    ' ',
  ),
);

/** The question asks for a figure for each of something, the statement computes one figure over everything. */
export const missingGroupBy: InspectionRule = {
  code: 'missing-group-by',
  severity: 'warning',
  title: 'A figure for each of something is asked for, and the statement does not group.',
  needsQuestion: true,
  *check(query) {
    const asked = forEach(query.question ?? '');
    if (asked === undefined) return;
    const isGrouped = query.blocks.some(
      (resolved) =>
        resolved.block.groupings.length > 0 ||
        resolved.block.calls.some(({ window }) => window !== undefined) ||
        isCorrelated(resolved),
    );
    if (isGrouped) return;
    for (const resolved of resultBlocks(query)) {
      const [first] = aggregatesOf(resolved.block).filter(({ clause }) => clause === 'select');
      if (first === undefined) continue;
      const text = query.sql.slice(first.span.start, first.span.end);
      yield {
        message: `The question says "${asked}", but ${text} is computed once, over all rows.`,
        advice: `Add GROUP BY with the column that "${asked}" means, and show that column.`,
        span: first.span,
      };
    }
  },
};

/** The words of the question that ask for groups, as they stand there. */
function forEach(question: string): string | undefined {
  for (const match of question.slice(0, 4000).matchAll(FOR_EACH)) {
    const word = match[1]?.toLowerCase() ?? '';
    const isRate = /^per\s/i.test(match[0]) && UNITS.has(word);
    if (!isRate && word !== 'other') return match[0].replace(/\s+/g, ' ');
  }
  return undefined;
}

/** The statement, or the operands of the set operation that it is. */
function resultBlocks(query: ResolvedQuery): readonly ResolvedBlock[] {
  const found: ResolvedBlock[] = [];
  const rest = [query.blocks[0]];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const { setOperation, kind } = next.block;
    if (kind === 'select') found.push(next);
    for (const operand of setOperation?.operands ?? []) if (operand > next.block.id) rest.push(query.blocks[operand]);
  }
  return found;
}

function isCorrelated({ block, columns }: ResolvedBlock): boolean {
  return columns.some(
    (column) => (column.kind === 'attribute' || column.kind === 'output') && column.relation.block !== block.id,
  );
}
