import { type Dialect, quoteIfNeeded } from '@askema/core';
import { isSymbol, isWord, nameOfToken, type SqlToken, significantTokens } from '@askema/sql';
import type { BoundKnowledge } from '../bind/bound-knowledge.ts';
import { compileMetrics } from './compile-metrics.ts';
import { readMetricCall } from './read-metric-call.ts';
import { refused } from './refused.ts';
import { indented } from './select-text.ts';
import { UniqueNames } from './unique-names.ts';

/** One `metric(…)`: the tokens from its name to its closing bracket. */
interface MetricCall {
  readonly start: number;
  readonly end: number;
  /** It stands where a table stands. */
  readonly isTable: boolean;
  /** It is a whole column beside GROUP BY. */
  isGrouped?: boolean;
}

/** A bracket that is open, or the statement itself. */
interface Level {
  isQuery: boolean;
  isFrom: boolean;
  /** A `metric(…)` that is a whole column. */
  column?: MetricCall | undefined;
}

/** Words behind which FROM is over. */
const AFTER_FROM = /^(WHERE|GROUP|HAVING|QUALIFY|WINDOW|ORDER|LIMIT|OFFSET|FETCH|UNION|INTERSECT|EXCEPT|MINUS)$/i;

/**
 * Puts the statement of metrics in the place of each `metric(…)` in SQL of one's own. In FROM it is a table:
 * `metric(revenue, orders BY locations.city, metric_time:month WHERE orders.is_food)`; elsewhere one value:
 * `metric(revenue WHERE …)`, without BY, the same for all rows: as a column beside GROUP BY it is refused. Strings,
 * comments and names in quotes stay as they are.
 *
 * @throws AskemaError as `compileMetrics` does; `METRIC_REFUSED` with the reason `bad-request` for what cannot be read,
 * `hidden-table` where a WITH of the statement has the name of a table that a metric reads.
 */
export function expandMetrics(sql: string, bound: BoundKnowledge): string {
  return expandMetricCalls(sql, bound).sql;
}

/** What stands in the place of a `metric(…)`, with the names of the metrics that it computes. */
interface ExpandedCall {
  readonly sql: string;
  readonly metrics: readonly string[];
}

/** {@link expandMetrics}, with what was put in. */
export function expandMetricCalls(sql: string, bound: BoundKnowledge): { sql: string; parts: readonly ExpandedCall[] } {
  const tokens = significantTokens(sql, bound.dialect.lexer);
  const aliases = new UniqueNames(bound.dialect);
  const hidden = namesOfQueries(tokens, bound);
  const parts: ExpandedCall[] = [];
  let result = '';
  let done = 0;
  for (const { start, end, isTable, isGrouped } of metricCalls(tokens, bound.dialect)) {
    if (isGrouped === true) throw sameForAll();
    const request = readMetricCall(sql, tokens.slice(start + 2, end), isTable, bound);
    const { sql: compiled, datasets, columns, metrics: computed } = compileMetrics(request, bound);
    const part = `(\n${indented(compiled)}\n)`;
    parts.push({ sql: part, metrics: computed });
    for (const dataset of datasets) refuseHidden(dataset, hidden, bound);
    const alias = aliases.take(columns.at(-1)?.name ?? 'metric');
    const ending =
      isTable && !hasAlias(tokens[end + 1], bound.dialect) ? ` AS ${quoteIfNeeded(alias, bound.dialect)}` : '';
    result += `${sql.slice(done, tokens[start]?.start)}${part}${ending}`;
    done = tokens[end]?.end ?? done;
  }
  return { sql: result + sql.slice(done), parts };
}

/** Whether `metric(…)` stands somewhere in a statement. */
export function callsMetrics(sql: string, dialect: Dialect): boolean {
  return metricCalls(significantTokens(sql, dialect.lexer), dialect).length > 0;
}

function metricCalls(tokens: readonly SqlToken[], dialect: Dialect): MetricCall[] {
  const calls: MetricCall[] = [];
  const outermost: Level = { isQuery: true, isFrom: false };
  const levels = [outermost];
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    const before = tokens[at - 1];
    const level = levels.at(-1) ?? outermost;
    if (isWord(token, 'METRIC') && isSymbol(tokens[at + 1], '(') && !isSymbol(before, '.')) {
      const end = closingOf(tokens, at + 1);
      const call: MetricCall = { start: at, end, isTable: level.isFrom && startsTable(before) };
      calls.push(call);
      if (!level.isFrom && isColumn(tokens, call, dialect)) level.column ??= call;
      at = end;
    } else if (isSymbol(token, '(')) {
      // The FROM of EXTRACT (YEAR FROM …) is no clause; a bracket around joins is a part of FROM.
      levels.push({ isQuery: false, isFrom: level.isFrom && startsTable(before) });
    } else if (isSymbol(token, ')') && levels.length > 1) {
      levels.pop();
    } else if (isWord(token, 'SELECT')) {
      Object.assign(level, { isQuery: true, isFrom: false, column: undefined });
    } else if (isWord(token, 'FROM')) {
      level.isFrom = level.isQuery;
    } else if (token?.kind === 'word' && AFTER_FROM.test(token.text)) {
      if (isWord(token, 'GROUP') && level.column !== undefined) level.column.isGrouped = true;
      level.isFrom = false;
    }
  }
  return calls;
}

function isColumn(tokens: readonly SqlToken[], { start, end }: MetricCall, dialect: Dialect): boolean {
  const [before, next] = [tokens[start - 1], tokens[end + 1]];
  const begins = isSymbol(before, ',') || ['SELECT', 'DISTINCT'].some((word) => isWord(before, word));
  return begins && (isSymbol(next, ',') || isWord(next, 'FROM') || hasAlias(next, dialect));
}

/** People who know other semantic layers mean the value of each group. */
function sameForAll() {
  return refused(
    'bad-request',
    'A `metric(…)` beside GROUP BY is one value, the same for all groups. Write FROM metric(name BY field) for the value of each group, or put brackets around it where one value is meant.',
  );
}

/** Behind these a table begins; behind anything else in FROM there is a condition. */
function startsTable(before: SqlToken | undefined): boolean {
  return (
    ['FROM', 'JOIN', 'LATERAL'].some((word) => isWord(before, word)) || isSymbol(before, ',') || isSymbol(before, '(')
  );
}

function closingOf(tokens: readonly SqlToken[], open: number): number {
  let depth = 0;
  for (let at = open; at < tokens.length; at += 1) {
    if (isSymbol(tokens[at], '(')) depth += 1;
    if (isSymbol(tokens[at], ')')) depth -= 1;
    if (depth === 0) return at;
  }
  throw refused('bad-request', 'A bracket behind `metric` is not closed. Close it.');
}

/** Names of WITH, in lower case: inside of the statement they stand for tables. */
function namesOfQueries(tokens: readonly SqlToken[], { dialect }: BoundKnowledge): ReadonlySet<string> {
  const names = new Set<string>();
  tokens.forEach((token, at) => {
    const isQuery =
      ['NOT', 'MATERIALIZED'].some((word) => isWord(tokens[at + 1], word)) || isSymbol(tokens[at + 1], '(');
    if (!isWord(token, 'AS') || !isQuery) return;
    const name = nameBefore(tokens, at);
    const text = name && nameOfToken(name, dialect.lexer);
    if (text !== undefined) names.add(text.toLowerCase());
  });
  return names;
}

/** The name in front of AS and of a list of columns. */
function nameBefore(tokens: readonly SqlToken[], as: number): SqlToken | undefined {
  let at = as - 1;
  if (!isSymbol(tokens[at], ')')) return tokens[at];
  while (at >= 0 && !isSymbol(tokens[at], '(')) at -= 1;
  return tokens[at - 1];
}

function refuseHidden(name: string, hidden: ReadonlySet<string>, { datasets, dialect }: BoundKnowledge): void {
  const from = datasets.get(name.toLowerCase())?.from ?? '';
  const tokens = significantTokens(from, dialect.lexer);
  tokens.forEach((token, at) => {
    const text = nameOfToken(token, dialect.lexer);
    const isQualified = isSymbol(tokens[at - 1], '.') || isSymbol(tokens[at + 1], '.');
    if (text === undefined || isQualified || !hidden.has(text.toLowerCase())) return;
    throw refused(
      'hidden-table',
      `The statement names one of its queries \`${text}\`, which hides the table of the dataset \`${name}\`. Rename it.`,
      { dataset: name },
    );
  });
}

/** A name behind the bracket that is no keyword is the alias. */
function hasAlias(next: SqlToken | undefined, dialect: Dialect): boolean {
  if (next === undefined) return false;
  if (next.kind === 'quotedName' || isWord(next, 'AS')) return true;
  return next.kind === 'word' && !dialect.identifiers.reservedWords.includes(next.text.toUpperCase());
}
