import {
  type Adapter,
  type CallContext,
  comparedCell,
  type Dialect,
  type QueryResult,
  quoteIdentifier,
  type ResultColumn,
  type Value,
} from '@askema/core';
import { onOneLine } from '../../../prompts/cut-text.ts';
import { statementError } from '../../../steps/view-result.ts';
import { resultProfile } from '../../../vote/result-profile.ts';

/** Figures of an intermediate result, over all of its rows. */
export interface CteProfile {
  readonly rows: number;
  /** Rows that differ from each other in some column; undefined where the engine cannot compare them. */
  readonly distinctRows?: number | undefined;
  readonly columns: readonly CteColumnProfile[];
}

interface CteColumnProfile {
  readonly name: string;
  readonly nulls: number;
  /** NULL is no value. Undefined where the engine cannot compare them. */
  readonly distinct?: number | undefined;
  /** Zeros and empty texts; undefined where they were not counted. */
  readonly blanks?: number | undefined;
}

/** Columns that are counted; a wider result is profiled in its first ones. */
const MAX_COLUMNS = 40;

/** The profile of a result that is there as a whole: no statement is needed for it. */
export function profileOf(result: Pick<QueryResult, 'columns' | 'rows'>): CteProfile {
  const { rowCount, columns } = resultProfile(result);
  const cell = (value: Value | undefined, column: ResultColumn | undefined): string => {
    const compared = comparedCell(value ?? null, column?.type);
    return compared.kind === 'number' ? `number:${String(value)}` : compared.key;
  };
  const keys = result.rows.map((row) => result.columns.map((column, at) => cell(row[at], column)));
  return {
    rows: rowCount,
    distinctRows: new Set(keys.map((row) => JSON.stringify(row))).size,
    columns: columns.slice(0, MAX_COLUMNS).map(({ name, nulls, zeros, emptyTexts }, at) => ({
      name,
      nulls,
      distinct: new Set(keys.filter((_, row) => result.rows[row]?.[at] !== null).map((row) => row[at])).size,
      blanks: zeros + emptyTexts,
    })),
  };
}

/** What {@link countProfile} needs. */
export interface CountInput {
  readonly adapter: Adapter;
  readonly timeoutMs: number;
  readonly context: CallContext;
  /** The columns of the result, as its view has them. */
  readonly columns: readonly ResultColumn[];
  /** The statement with this SELECT behind the CTEs. */
  readonly statement: (select: (name: string) => string) => string;
}

/**
 * Counts by one statement: rows, distinct rows, and for each column NULLs, distinct values, zeros and empty texts.
 * Where the engine does not take it (types that cannot be compared), rows and NULLs alone are counted by a second one.
 * Undefined when neither runs in time.
 */
export async function countProfile(input: CountInput): Promise<{ profile?: CteProfile; statements: number }> {
  const { adapter, columns, statement } = input;
  const counted = countable(columns, adapter.dialect);
  let statements = 0;
  for (const isWhole of [true, false]) {
    statements += 1;
    const select = (name: string): string => countSelect(name, counted, adapter.dialect, isWhole);
    try {
      const { timeoutMs, context } = input;
      const result = await adapter.query(statement(select), { maxRows: 1, timeoutMs, access: 'read', context });
      return { profile: readCounts(result.rows[0] ?? [], counted, isWhole), statements };
    } catch (thrown) {
      if (statementError(thrown).code === 'QUERY_TIMEOUT') break;
    }
  }
  return { statements };
}

interface Counted {
  readonly column: ResultColumn;
  /** How zeros and empty texts are found; undefined where they are not looked for. */
  readonly blank?: string | undefined;
}

/** Columns that a name reaches: one that two columns share reaches neither. */
function countable(columns: readonly ResultColumn[], dialect: Dialect): readonly Counted[] {
  const names = new Map<string, number>();
  for (const { name } of columns) names.set(name.toLowerCase(), (names.get(name.toLowerCase()) ?? 0) + 1);
  return columns
    .filter(({ name }) => name !== '' && !name.includes('\0') && names.get(name.toLowerCase()) === 1)
    .slice(0, MAX_COLUMNS)
    .map((column) => ({ column, blank: blankTest(column, quoteIdentifier(column.name, dialect)) }));
}

function blankTest({ type, nativeType }: ResultColumn, name: string): string | undefined {
  // An expression of an engine that types cells, not columns.
  if (nativeType === '') return `${name} = 0 OR ${name} = ''`;
  if (type === 'NUMERIC') return `${name} = 0`;
  return type === 'TEXT' && /char|text|string|clob/i.test(nativeType) ? `${name} = ''` : undefined;
}

function countSelect(name: string, counted: readonly Counted[], dialect: Dialect, isWhole: boolean): string {
  const items = ['COUNT(*)'];
  if (isWhole) items.push(`(SELECT COUNT(*) FROM (SELECT DISTINCT * FROM ${name}) AS distinct_rows)`);
  for (const { column, blank } of counted) {
    const quoted = quoteIdentifier(column.name, dialect);
    items.push(`COUNT(${quoted})`);
    if (!isWhole) continue;
    items.push(`COUNT(DISTINCT ${quoted})`);
    if (blank !== undefined) items.push(`SUM(CASE WHEN ${blank} THEN 1 ELSE 0 END)`);
  }
  return `SELECT ${items.map((item, at) => `${item} AS n${at}`).join(', ')} FROM ${name}`;
}

function readCounts(row: readonly Value[], counted: readonly Counted[], isWhole: boolean): CteProfile {
  let at = 0;
  const next = (): number => Number(row[at++] ?? 0);
  const rows = next();
  const distinctRows = isWhole ? next() : undefined;
  const columns = counted.map(({ column, blank }): CteColumnProfile => {
    const nulls = rows - next();
    if (!isWhole) return { name: column.name, nulls };
    const distinct = next();
    return { name: column.name, nulls, distinct, blanks: blank === undefined ? undefined : next() };
  });
  return { rows, distinctRows, columns };
}

/** `1,200 rows, 300 distinct`. */
export function rowsLine({ rows, distinctRows }: CteProfile): string {
  const line = `${counted(rows)} ${rows === 1 ? 'row' : 'rows'}`;
  if (distinctRows === undefined || rows === 0) return line;
  return distinctRows === rows
    ? `${line}, all distinct`
    : `${line}, ${counted(distinctRows)} distinct: rows repeat each other`;
}

/** The profile for a prompt, one column a line. Names are data: the text belongs into a fence. */
export function profileText(profile: CteProfile): string {
  const lines = [rowsLine(profile)];
  if (profile.rows === 0) lines.push(`columns: ${profile.columns.map(({ name }) => shortName(name)).join(', ')}`);
  for (const { name, nulls, distinct, blanks } of profile.columns) {
    const facts = [
      ...(distinct === undefined ? [] : [`${counted(distinct)} distinct`]),
      ...(nulls === 0 ? [] : [nulls === profile.rows ? 'NULL in every row' : `${counted(nulls)} NULL`]),
      ...(blanks === undefined || blanks === 0 ? [] : [`${counted(blanks)} zero or empty`]),
    ];
    if (profile.rows > 0 && facts.length > 0) lines.push(`${shortName(name)}: ${facts.join(', ')}`);
  }
  return lines.join('\n');
}

function shortName(name: string): string {
  return onOneLine(name).slice(0, 120);
}

function counted(amount: number): string {
  return amount.toLocaleString('en-US');
}
