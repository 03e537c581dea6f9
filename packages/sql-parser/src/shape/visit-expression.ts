import type { FunctionTraits } from '@askema/core';
import type { BlockRole, CallShape, Clause, WindowShape } from '@askema/sql';
import { nextAtLevel, type TokenRange, type TokenTable } from '../source/token-table.ts';
import type { Expression, TreeCall, TreeColumn, TreeQuery } from '../tree/tree.ts';
import { buildQuery } from './build-query.ts';
import { type BlockDraft, type Builder, type Draft, indexes, mustSpan } from './builder.ts';
import { isSubquery, locateName, locateSubquery } from './locate.ts';

/** Where an expression stands. */
export interface Scope {
  readonly builder: Builder;
  readonly block: BlockDraft;
  readonly clause: Clause;
}

/** Adds the columns, calls and sub-queries of an expression to its block. `range` holds the whole expression. */
export function visitExpression(scope: Scope, expression: Expression, range: TokenRange): void {
  switch (expression.kind) {
    case 'literal':
      return;
    case 'column':
      visitColumn(scope, expression, range);
      return;
    case 'call':
      visitCall(scope, expression, range);
      return;
    case 'test':
      visitExpression(scope, expression.left, range);
      for (const right of expression.right) visitExpression(scope, right, range);
      return;
    case 'and':
    case 'or':
      for (const operand of expression.operands) visitExpression(scope, operand, range);
      return;
    case 'not':
    case 'brackets':
      visitExpression(scope, expression.operand, range);
      return;
    case 'exists':
      visitSubquery(scope, expression.query, range, 'exists');
      return;
    case 'query':
      visitSubquery(scope, expression.query, range, expression.role);
      return;
    case 'star':
    case 'other':
      for (const child of expression.children) visitExpression(scope, child, range);
  }
}

/** Builds the block of a sub-query and lists it. Returns the block's index. */
export function visitSubquery(scope: Scope, query: TreeQuery, range: TokenRange, role: BlockRole): number {
  const { builder, block, clause } = scope;
  const open = locateSubquery(builder, range);
  const group = { from: open, to: nextAtLevel(builder.table, open) };
  const inside = { from: group.from + 1, to: group.to - 1 };
  const span = mustSpan(builder, group);
  const id = builder.blocks.length;
  block.subqueries.push({ block: id, clause, role, span });
  buildQuery(builder, query, inside, { parent: block.id, place: clause, role });
  return id;
}

function visitColumn({ builder, block, clause }: Scope, column: TreeColumn, range: TokenRange): void {
  const { parts, range: found } = locateName(builder, column.parts, range, 'column');
  const name = parts.at(-1);
  if (name === undefined) return;
  const end = endOfPath(builder.table, found.to, range.to);
  block.columns.push({
    name,
    qualifier: parts.slice(0, -1),
    clause,
    span: mustSpan(builder, found),
    path: end > found.to ? mustSpan(builder, { from: found.to, to: end }) : undefined,
    relation: undefined,
    item: undefined,
  });
  for (const inner of column.inner ?? [])
    visitExpression({ builder, block, clause }, inner, { from: found.to, to: end });
}

/** Behind a column: `:name`, `.name` and `[…]`, as long as they follow. */
function endOfPath(table: TokenTable, from: number, to: number): number {
  let index = from;
  while (index < to) {
    const text = table.tokens[index]?.upper;
    if (text === '[') index = nextAtLevel(table, index);
    else if ((text === ':' || (text === '.' && index > from)) && index + 1 < to) index += 2;
    else break;
  }
  return index;
}

function visitCall(scope: Scope, call: TreeCall, range: TokenRange): void {
  const { builder, block, clause } = scope;
  const { tokens } = builder.table;
  const { parts, range: named } = locateName(builder, call.name, range, 'call');
  const hasBrackets = tokens[named.to]?.upper === '(';
  const args = { from: named.to + 1, to: hasBrackets ? nextAtLevel(builder.table, named.to) - 1 : named.to + 1 };
  const end = hasBrackets ? endOfCall(builder.table, args.to + 1) : { to: named.to, over: undefined };
  const name = parts.map((part) => part.text).join('.');
  const isAggregate = isAggregateFunction(name, call.args.length, builder.functions);
  const shape: Draft<CallShape> = {
    name: [...parts],
    kind: end.over !== undefined ? 'window' : isAggregate ? 'aggregate' : 'scalar',
    clause,
    distinct: call.distinct,
    star: call.args[0]?.kind === 'star',
    argumentCount: call.args.length,
    columns: [],
    span: mustSpan(builder, { from: named.from, to: end.to }),
    window: undefined,
  };
  block.calls.push(shape);
  const firstColumn = block.columns.length;
  for (const [index, argument] of call.args.entries()) {
    const isUnit =
      argument.kind === 'column' &&
      argument.parts.length === 1 &&
      isTimeUnit(name, index, argument.parts[0]?.text ?? '', builder.functions);
    // The brackets of ARRAY (SELECT …) are those of the call.
    const isWhole = argument.kind === 'query' && isSubquery(builder, named.to);
    if (!isUnit) visitExpression(scope, argument, isWhole ? { from: named.to, to: args.to + 1 } : args);
  }
  const modifiers = { from: args.from, to: end.over ?? end.to };
  for (const modifier of call.modifiers) visitExpression(scope, modifier, modifiers);
  shape.columns.push(...indexes(firstColumn, block.columns.length));
  if (end.over !== undefined) shape.window = visitWindow(scope, call, { from: end.over, to: end.to });
}

/** What follows the brackets of a call and belongs to it; `over` is the index of OVER. */
function endOfCall(table: TokenTable, from: number): { readonly to: number; readonly over: number | undefined } {
  let index = from;
  for (;;) {
    const word = table.tokens[index]?.upper ?? '';
    const next = table.tokens[index + 1]?.upper ?? '';
    if (word === 'WITHIN' && next === 'GROUP') index = nextAtLevel(table, index + 2);
    else if (word === 'FILTER' && next === '(') index = nextAtLevel(table, index + 1);
    else if ((word === 'IGNORE' || word === 'RESPECT') && next === 'NULLS') index += 2;
    else if (word === 'FROM' && (next === 'FIRST' || next === 'LAST') && overFollows(table, index + 2)) index += 2;
    else if (word === 'OVER') return { to: nextAtLevel(table, index + 1), over: index };
    else return { to: index, over: undefined };
  }
}

function overFollows(table: TokenTable, index: number): boolean {
  return /^(OVER|IGNORE|RESPECT)$/.test(table.tokens[index]?.upper ?? '');
}

function visitWindow(scope: Scope, call: TreeCall, range: TokenRange): WindowShape {
  const { builder, block } = scope;
  const columnsOf = (expressions: readonly Expression[]): readonly number[] => {
    const first = block.columns.length;
    for (const expression of expressions) visitExpression(scope, expression, range);
    return indexes(first, block.columns.length);
  };
  const partitionBy = columnsOf(call.over?.partitionBy ?? []);
  return {
    name: call.over?.name,
    partitionBy,
    orderBy: columnsOf(call.over?.orderBy ?? []),
    span: mustSpan(builder, range),
  };
}

/**
 * Functions that make one value of many rows, of SQLite, Snowflake, BigQuery, PostgreSQL and DuckDB (their reference
 * pages of aggregate functions).
 */
const AGGREGATES = new Set(
  `COUNT SUM AVG MIN MAX TOTAL MEAN MEDIAN MODE ANY_VALUE ARBITRARY FIRST LAST COUNT_IF COUNTIF SUM_IF
  STDDEV STDDEV_POP STDDEV_SAMP STDEV STDEVP VARIANCE VAR_POP VAR_SAMP VARIANCE_POP VARIANCE_SAMP CORR COVAR_POP COVAR_SAMP SKEW SKEWNESS
  KURTOSIS KURTOSIS_POP ENTROPY PRODUCT FSUM FAVG SEM MAD GEOMEAN GEOMETRIC_MEAN
  REGR_AVGX REGR_AVGY REGR_COUNT REGR_INTERCEPT REGR_R2 REGR_SLOPE REGR_SXX REGR_SXY REGR_SYY
  LISTAGG STRING_AGG GROUP_CONCAT ARRAY_AGG ARRAYAGG ARRAY_CONCAT_AGG ARRAY_UNION_AGG ARRAY_UNIQUE_AGG LIST OBJECT_AGG MAP_AGG HISTOGRAM
  JSON_AGG JSONB_AGG JSON_OBJECT_AGG JSONB_OBJECT_AGG JSON_ARRAYAGG JSON_OBJECTAGG JSON_GROUP_ARRAY JSON_GROUP_OBJECT XMLAGG
  MIN_BY MAX_BY ARG_MIN ARG_MAX ARGMIN ARGMAX
  PERCENTILE_CONT PERCENTILE_DISC QUANTILE QUANTILE_CONT QUANTILE_DISC APPROX_QUANTILE APPROX_QUANTILES APPROX_PERCENTILE
  APPROX_COUNT_DISTINCT APPROX_TOP_COUNT APPROX_TOP_SUM APPROX_TOP_K HLL HLL_ACCUMULATE HLL_COMBINE HLL_COUNT.INIT HLL_COUNT.MERGE MINHASH
  BOOL_AND BOOL_OR EVERY BOOLAND_AGG BOOLOR_AGG BOOLXOR_AGG LOGICAL_AND LOGICAL_OR
  BIT_AND BIT_OR BIT_XOR BITAND_AGG BITOR_AGG BITXOR_AGG BITMAP_CONSTRUCT_AGG BITMAP_OR_AGG GROUPING GROUPING_ID
  ST_UNION_AGG ST_CENTROID_AGG ST_COLLECT ST_EXTENT ST_CLUSTERDBSCAN`.split(/\s+/),
);

/** SQLite's MIN and MAX of several arguments are no aggregates: the dialect says so. */
function isAggregateFunction(name: string, argumentCount: number, functions: FunctionTraits): boolean {
  const upper = name.toUpperCase();
  if (argumentCount > 1 && functions.scalarWithSeveral?.includes(upper) === true) return false;
  return AGGREGATES.has(upper);
}

const PARTS = new Set(
  `YEAR YEARS Y YY YYY YYYY YR QUARTER QUARTERS Q QTR MONTH MONTHS MM MON WEEK WEEKS W WK WEEKOFYEAR WEEKISO WEEK_ISO ISOWEEK ISOYEAR YEAROFWEEK
  YEAROFWEEKISO DAY DAYS D DD DAYOFMONTH DAYOFWEEK DAYOFWEEKISO DAYOFYEAR DOW DOY WEEKDAY HOUR HOURS H HH MINUTE MINUTES M MI MIN SECOND SECONDS
  S SEC MILLISECOND MILLISECONDS MS MICROSECOND MICROSECONDS US NANOSECOND NANOSECONDS NS EPOCH EPOCH_SECOND EPOCH_MILLISECOND DECADE CENTURY
  MONDAY TUESDAY WEDNESDAY THURSDAY FRIDAY SATURDAY SUNDAY`.split(/\s+/),
);
/**
 * The unit is the first argument, where the dialect does not say (Snowflake; DATE_TRUNC and DATE_PART also with the
 * unit first).
 */
const UNIT_FIRST = new Set(
  'DATEADD DATEDIFF TIMEADD TIMEDIFF TIMESTAMPADD TIMESTAMPDIFF DATE_PART DATEPART DATE_TRUNC TRUNC TIME_SLICE DATENAME WEEK'.split(
    ' ',
  ),
);
/** The unit is the last argument, or the one before a time zone (BigQuery; LAST_DAY and NEXT_DAY in both). */
const UNIT_LAST = new Set(
  'DATE_TRUNC DATETIME_TRUNC TIMESTAMP_TRUNC TIME_TRUNC DATE_DIFF DATETIME_DIFF TIMESTAMP_DIFF TIME_DIFF LAST_DAY TRUNC GENERATE_DATE_ARRAY DATE_BUCKET'.split(
    ' ',
  ),
);

/** Whether a plain word is the unit of time that a date function wants there, and no column. */
function isTimeUnit(functionName: string, argument: number, word: string, functions: FunctionTraits): boolean {
  if (!PARTS.has(word.toUpperCase())) return false;
  const name = functionName.toUpperCase();
  if (argument === 0) return functions.unitFirst?.includes(name) ?? UNIT_FIRST.has(name);
  return UNIT_LAST.has(name);
}
