import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { AskemaError } from '@askema/core';
import type { BoundKnowledge } from '../../bind/bound-knowledge.ts';
import type { CompiledMetrics, MetricRequest } from '../../compile/metric-request.ts';

const DATA = process.env.ASKEMA_DATA ?? fileURLToPath(new URL('../../../../../../shared/data', import.meta.url));

/** Metrics of jaffle-shop with the rows that they have, in a file beside its database. */
export const JAFFLE = `${DATA}/knowledge/jaffle-shop`;
export const hasJaffle = existsSync(`${JAFFLE}/metric-cases.json`);

type Cells = readonly (string | number | null)[];

export interface MetricCase {
  /** `order_total by product type`, `order_gross_profit = revenue - order_cost`. */
  readonly metric: string;
  readonly group_by: readonly string[];
  readonly rows: readonly Cells[] | null;
  readonly expect: 'rows' | 'refuse';
  readonly wrong: Readonly<Record<string, { readonly rows: readonly Cells[] }>>;
}

export const metricCases = (): readonly MetricCase[] =>
  hasJaffle ? (JSON.parse(readFileSync(`${JAFFLE}/metric-cases.json`, 'utf8')) as MetricCase[]) : [];

/** The metric by its name, without what the case says beside it. */
const metricNameOf = ({ metric }: MetricCase): string => metric.split(/ by | = /)[0] ?? metric;

/** Whether its right answer counts rows of one side once for each group. */
const countsOnce = ({ wrong, group_by: groups }: MetricCase): boolean =>
  groups.includes('products.product_type') && 'fan-out' in wrong;

export interface CaseEngine {
  readonly bound: BoundKnowledge;
  readonly compile: (request: MetricRequest, bound: BoundKnowledge) => CompiledMetrics;
  /** Runs a statement; cells as the driver gives them. */
  readonly run: (sql: string) => Promise<readonly (readonly unknown[])[]>;
}

/**
 * Why a metric does not have the rows of its case, or undefined where it has. A case to be refused has to be refused
 * and name a dataset of the join that repeats rows.
 */
export async function failureOf(one: MetricCase, { bound, compile, run }: CaseEngine): Promise<string | undefined> {
  const request: MetricRequest = {
    metrics: [metricNameOf(one)],
    by: one.group_by,
    // The periods of the cases are those of a calendar.
    fillGaps: one.group_by.some((group) => group.endsWith(':month')),
  };
  const refused = refusalOf(() => compile(request, bound));
  if (one.rows === null || countsOnce(one)) {
    if (refused === undefined) return 'It is not refused.';
    if (!/orders|order_items/i.test(refused)) return `The join is not named: ${refused}`;
    if (one.rows === null) return undefined;
  } else if (refused !== undefined) return `It is refused: ${refused}`;
  const { sql } = compile(countsOnce(one) ? { ...request, fanOut: 'once' } : request, bound);
  const all = await run(sql);
  // Orders without items stand in the group NULL; the case leaves them out.
  const rows = countsOnce(one) ? all.filter(([group]) => group != null) : all;
  const isSame =
    rows.length === one.rows.length &&
    one.rows.every((row, at) => row.every((cell, column) => isSameCell(cell, rows[at]?.[column])));
  return isSame ? undefined : `${JSON.stringify(rows)} is not ${JSON.stringify(one.rows)}: ${sql}`;
}

function refusalOf(work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (thrown) {
    if (thrown instanceof AskemaError && thrown.code === 'METRIC_REFUSED') return thrown.message;
    throw thrown;
  }
}

/** Texts of the cases are names or months; their numbers are rounded. */
function isSameCell(expected: string | number | null, actual: unknown): boolean {
  if (expected === null || actual === null || actual === undefined) return expected === null && actual == null;
  if (typeof expected === 'string') {
    const text = actual instanceof Date ? actual.toISOString() : String(actual);
    return /^\d{4}-\d\d$/.test(expected) ? text.startsWith(expected) : text === expected;
  }
  return Math.abs(expected - Number(actual)) <= (Math.abs(expected) < 100 ? 5.1e-5 : 5.1e-3);
}
