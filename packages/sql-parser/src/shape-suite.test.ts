import { bigqueryDialect, snowflakeDialect, sqliteDialect } from '@askema/dialects';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { nodeSqlParser, sqlparserTs } from './index.ts';
import { EXPRESSION_CASES } from './test-support/expression-cases.ts';
import { RELATION_CASES } from './test-support/relation-cases.ts';
import { CLAUSE_CASES } from './test-support/shape-cases.ts';
import { misplaced } from './test-support/slice.ts';
import { summarise } from './test-support/summary.ts';

// A worker starts once a file; a loaded machine takes its time.
vi.setConfig({ testTimeout: 60_000 });

const DIALECTS = { sqlite: sqliteDialect, snowflake: snowflakeDialect, bigquery: bigqueryDialect };
const CASES = [...CLAUSE_CASES, ...RELATION_CASES, ...EXPRESSION_CASES];

for (const [name, make] of [
  ['sqlparser-ts', sqlparserTs],
  ['node-sql-parser', nodeSqlParser],
] as const) {
  describe(name, () => {
    const parser = make({ timeoutMs: 30_000 });
    afterAll(() => parser.close());

    test.each(CASES)('$name', async ({ dialect, sql, blocks, nodeSqlParser: refused }) => {
      const result = await parser.parse(sql, DIALECTS[dialect]);
      if (name === 'node-sql-parser' && refused !== undefined) {
        expect(result).toMatchObject({ ok: false, failure: refused });
        return;
      }
      if (!result.ok) throw new Error(`${result.failure}: ${result.reason}`);
      expect(summarise(sql, result.shape)).toMatchObject(blocks);
      expect(misplaced(sql, result.shape)).toEqual([]);
    });
  });
}
