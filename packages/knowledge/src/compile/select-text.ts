/** The clauses of a SELECT, each part as SQL. */
export interface SelectClauses {
  readonly distinct?: boolean | undefined;
  readonly items: readonly string[];
  readonly from: string;
  readonly joins?: readonly string[] | undefined;
  /** Conditions that all hold. */
  readonly where?: readonly string[] | undefined;
  /** The first so many items are the groups; no GROUP BY when 0 or left out. */
  readonly groups?: number | undefined;
  readonly orderBy?: readonly string[] | undefined;
  /** With its keyword. */
  readonly limit?: string | undefined;
}

const WIDTH = 100;

/** A SELECT with a line for each clause, and for each item where they are too long for one line. */
export function selectText(clauses: SelectClauses): string {
  const { items, from, joins = [], where = [], groups = 0, orderBy = [], limit } = clauses;
  const select = clauses.distinct === true ? 'SELECT DISTINCT' : 'SELECT';
  const oneLine = `${select} ${items.join(', ')}`;
  const lines = [
    oneLine.length <= WIDTH && !oneLine.includes('\n') ? oneLine : `${select}\n${indented(items.join(',\n'))}`,
    `FROM ${from}`,
    ...joins,
  ];
  if (where.length > 0) lines.push(`WHERE ${where.join('\n  AND ')}`);
  if (groups > 0) lines.push(`GROUP BY ${Array.from({ length: groups }, (_, at) => at + 1).join(', ')}`);
  if (orderBy.length > 0) lines.push(`ORDER BY ${orderBy.join(', ')}`);
  if (limit !== undefined) lines.push(limit);
  return lines.join('\n');
}

/** A query that may be read by its name below. */
export interface NamedQuery {
  readonly name: string;
  readonly sql: string;
}

/** The query with what it reads in front of it. */
export function withQueries(queries: readonly NamedQuery[], final: string): string {
  if (queries.length === 0) return final;
  const parts = queries.map(({ name, sql }) => `${name} AS (\n${indented(sql)}\n)`);
  return `WITH ${parts.join(',\n')}\n${final}`;
}

export function indented(text: string): string {
  return text.replace(/^/gm, '  ');
}
