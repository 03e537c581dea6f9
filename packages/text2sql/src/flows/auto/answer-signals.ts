import type { AnswerSignals, QueryResult, Span } from '@askema/core';
import type { ResolvedQuery } from '@askema/lint';
import type { FilterShape, QueryBlock } from '@askema/sql';

/** A result of more rows is a list, in which one row too many or too few is a mistake. */
const FEW_ROWS = 2;
const MANY_RELATIONS = 3;
/** Also TRY_CAST, and `::` of PostgreSQL. */
const CAST = /cast\s{0,9}\(|::/i;

/**
 * What a statement and its result tell of how an answer may go wrong: decisions that the question seldom makes itself,
 * and how much there is to get wrong. Each is 1 or 0.
 */
export function answerSignals(query: ResolvedQuery | undefined, result: QueryResult): AnswerSignals {
  const blocks = query?.shape.blocks ?? [];
  const relations = blocks.flatMap((block) => block.relations).filter(({ kind }) => kind === 'table');
  const filters = blocks.flatMap((block) => block.filters);
  const holds = {
    isUnparsed: query === undefined,
    hasManyRows: result.rows.length > FEW_ROWS,
    hasManyColumns: result.columns.length > 1,
    hasManyRelations: relations.length >= MANY_RELATIONS,
    leavesMissingOut: filters.some(leavesMissingOut),
    castsValues: CAST.test(query?.sql ?? ''),
    isDistinct: blocks.some(({ distinct }) => distinct),
    hidesSortKey: query !== undefined && result.rows.length > 1 && hidesSortKey(query),
    groupsByHidden: blocks.some((block) => {
      const shown = new Set(block.items.flatMap(({ columns }) => columns).map((at) => block.columns[at]?.name.text));
      return block.groupings.some(({ columns }) => columns.some((at) => !shown.has(block.columns[at]?.name.text)));
    }),
  };
  return Object.fromEntries(Object.entries(holds).map(([name, value]) => [name, Number(value)]));
}

/** IS NOT NULL, and a comparison with a text that stands for nothing. */
function leavesMissingOut({ operator, negated, right }: FilterShape): boolean {
  if (operator === 'is null') return negated;
  return operator === '<>' && right.some(({ literal }) => /^(null|none|n\/?a|nan|-)?$/i.test(literal?.value ?? 'x'));
}

/** Rows in an order of something that they do not show. */
function hidesSortKey({ sql, shape }: ResolvedQuery): boolean {
  const [{ items, orderBy, columns } = NO_BLOCK] = shape.blocks;
  const written = ({ start, end }: Span): string => sql.slice(start, end).toLowerCase();
  const shown = new Set(
    items.flatMap(({ expression, alias, columns: own, kind }) => [
      written(expression),
      alias?.text.toLowerCase(),
      ...(kind === 'column' ? own.map((at) => columns[at]?.name.text.toLowerCase()) : []),
    ]),
  );
  if (items.some(({ kind }) => kind === 'star')) return false;
  return orderBy.some(({ kind, span, columns: own }) => {
    if (kind === 'position' || kind === 'all') return false;
    const key = written(span).replace(DIRECTION, '');
    const [only] = own;
    const name = kind === 'column' && only !== undefined ? columns[only]?.name.text.toLowerCase() : undefined;
    return !shown.has(key) && (name === undefined || !shown.has(name));
  });
}

const DIRECTION = /(\s+(asc|desc))?(\s+nulls\s+(first|last))?$/;
const NO_BLOCK: Pick<QueryBlock, 'items' | 'orderBy' | 'columns'> = { items: [], orderBy: [], columns: [] };
