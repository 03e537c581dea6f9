import type { ComputedPart } from '@askema/core';
import { sqliteDialect } from '@askema/dialects';
import { describe, expect, it } from 'vitest';
import { knowledgeBases } from './known.ts';

const part = (name: string, sql: string): ComputedPart => ({
  sql,
  basedOn: [{ kind: 'metric', name, definition: sql, state: 'accepted' }],
});
const REVENUE = part('revenue', '(\n  SELECT SUM(amount) AS revenue\n  FROM orders\n)');
const BUYERS = part('buyers', '(\n  SELECT COUNT(DISTINCT customer_id) AS buyers\n  FROM orders\n)');

const standing = (generatedSql: string | null, computed: readonly ComputedPart[]) =>
  knowledgeBases({ solvedBy: 'model', generatedSql, candidates: [], computed }, sqliteDialect).map(({ name }) => name);

describe('the metrics that an answer stands on', () => {
  it.each([
    // Candidates of a vote, of which one is chosen.
    [`SELECT ${REVENUE.sql}`, ['revenue']],
    // Steps that were tried one by one, the first of them mended after the second.
    [`WITH a AS ${BUYERS.sql}, b AS ${REVENUE.sql} SELECT a.buyers + 0, b.revenue FROM a, b`, ['revenue', 'buyers']],
    ['SELECT ( SELECT SUM(amount) AS revenue FROM orders ) -- kept', ['revenue']],
    [`SELECT 1 /* ${REVENUE.sql} */`, []],
    [`SELECT '${REVENUE.sql}'`, []],
    ['SELECT (SELECT SUM(amount) AS revenue FROM orders WHERE amount > 1)', []],
    ['SELECT SUM(amount) AS revenue FROM orders', []],
    [null, []],
  ])('%s', (sql, names) => {
    expect(standing(sql, [REVENUE, BUYERS, REVENUE])).toEqual(names);
  });
});
