import type { CallShape, QueryBlock } from '../../ports/query-shape.ts';
import type { DataType } from '../../schema/schema.ts';

const NUMERIC =
  /^(count|count_if|countif|sum|total|avg|abs|round|ceil|ceiling|floor|length|len|char_length|instr|strpos|sqrt|power|pow|exp|ln|log|log10|mod|sign|row_number|rank|dense_rank|ntile|percent_rank|cume_dist|julianday|unixepoch|stddev|stddev_samp|stddev_pop|variance|var_samp|var_pop|median|approx_count_distinct|approx_distinct|datediff|date_diff|timestamp_diff|datetime_diff|timestampdiff|extract|date_part|year|month|day|hour|minute|second|quarter|week|dayofweek|dayofyear|div0|safe_divide|div)$/i;
const TEXT =
  /^(lower|upper|trim|ltrim|rtrim|substr|substring|replace|concat|concat_ws|group_concat|string_agg|listagg|strftime|to_char|format_date|format_timestamp|typeof|hex|printf|format|left|right|lpad|rpad|initcap|reverse|split_part|regexp_replace|regexp_substr|regexp_extract)$/i;
/** Their result is of the type of their arguments. */
const SAME =
  /^(min|max|coalesce|ifnull|nvl|nullif|any_value|first_value|last_value|nth_value|lag|lead|mode|greatest|least)$/i;

/**
 * The type of a call by the name of its function, where that says it in every engine. SQLite's date functions give text; those of others
 * are left open.
 */
export function typeOfCallNamed(
  sql: string,
  block: QueryBlock,
  call: CallShape,
  typeOfColumn: (column: number) => DataType | undefined,
): DataType | undefined {
  const name = call.name.at(-1)?.text ?? '';
  if (call.name.length > 1) return undefined;
  if (NUMERIC.test(name)) return 'NUMERIC';
  if (TEXT.test(name)) return 'TEXT';
  const argument = SAME.test(name) ? bareArgument(sql, block, call) : undefined;
  return argument === undefined ? undefined : typeOfColumn(argument);
}

/** The column that is the only argument of a call, as index into the block's columns: `MAX(t.a)`, `COUNT(DISTINCT a)`, not `MAX(a + 1)`. */
export function bareArgument(sql: string, block: QueryBlock, call: CallShape): number | undefined {
  const [index] = call.columns;
  const column = index === undefined ? undefined : block.columns[index];
  const name = call.name.at(-1);
  if (call.argumentCount !== 1 || column === undefined || name === undefined || column.path !== undefined)
    return undefined;
  const before = sql.slice(name.span.end, column.span.start);
  const behind = sql.slice(column.span.end, call.span.end);
  return /^\s*\(\s*(?:(?:ALL|DISTINCT)\s+)?$/i.test(before) && /^\s*\)/.test(behind) ? index : undefined;
}
