import { type ComparableResult, compareResults, toAskemaError } from '@askema/core';
import { sqliteDialect } from '@askema/dialects';
import { significantTokens } from '@askema/sql';
import type { Metric, MetricInput } from './metric.ts';

/**
 * Test-suite accuracy (Zhong et al. 2020; exec_eval.py of test-suite-sql-eval, without options): 1 where, for some gold
 * statement, the candidate's statement gives gold's rows on every content of the database. As there, DISTINCT is left
 * out of both, columns may stand in any order, row order counts where gold has an ORDER BY, and two empty results are
 * the same whatever their columns. Does not apply where the database has no further contents, or no gold statement runs
 * on all of them.
 */
export const testSuiteAccuracy: Metric = {
  id: 'test-suite',
  title: 'Test suite',
  async score(input) {
    if ((input.variants?.length ?? 0) === 0 || input.gold.length === 0) return undefined;
    let applies = false;
    for (const { sql } of input.gold) {
      const verdict = await agreesEverywhere(sql, input);
      if (verdict === true) return 1;
      applies ||= verdict === false;
    }
    return applies ? 0 : undefined;
  },
};

/** Undefined where gold itself fails on some content. */
async function agreesEverywhere(goldSql: string, input: MetricInput): Promise<boolean | undefined> {
  const gold = withoutDistinct(goldSql);
  const candidate = input.sql === undefined ? undefined : withoutDistinct(input.sql);
  const orderMatters = /order\s+by/i.test(goldSql);
  for (const variant of [undefined, ...(input.variants ?? [])]) {
    const wanted = await resultOf(gold, variant, input);
    if (wanted === undefined) return undefined;
    const got = candidate === undefined ? undefined : await resultOf(candidate, variant, input);
    if (got === undefined || !sameRows(wanted, got, orderMatters)) return false;
  }
  return true;
}

/** Undefined where the statement fails. */
async function resultOf(
  sql: string,
  variant: string | undefined,
  { run }: MetricInput,
): Promise<ComparableResult | undefined> {
  try {
    return await run(sql, variant);
  } catch (thrown) {
    if (toAskemaError(thrown).code === 'ABORTED') throw thrown;
    return undefined;
  }
}

function sameRows(gold: ComparableResult, candidate: ComparableResult, orderMatters: boolean): boolean {
  if (gold.rows.length === 0 && candidate.rows.length === 0) return true;
  return compareResults(gold, candidate, { orderMatters, absoluteTolerance: 0, relativeTolerance: 0 }).match;
}

/** A statement without its DISTINCT keywords; every other character stays. */
function withoutDistinct(sql: string): string {
  let rest = '';
  let from = 0;
  for (const token of significantTokens(sql, sqliteDialect.lexer)) {
    if (token.kind !== 'word' || token.text.toUpperCase() !== 'DISTINCT') continue;
    rest += sql.slice(from, token.start);
    from = token.end;
  }
  return rest + sql.slice(from);
}
