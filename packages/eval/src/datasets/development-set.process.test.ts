import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { QueryResult } from '@askema/core';
import { sqlite } from '@askema/sqlite';
import { afterAll, describe, expect, it } from 'vitest';
import { executionMatch } from '../metrics/execution-match.ts';
import { answered } from '../run/fixtures/table-adapter.ts';
import { runEvaluation } from '../run/run-evaluation.ts';
import { loadDataset } from './load-dataset.ts';

const DATA = process.env.ASKEMA_DATA ?? fileURLToPath(new URL('../../../../../shared/data', import.meta.url));
const SET = path.join(DATA, 'text2sql-dev');
const isThere = existsSync(SET);
// biome-ignore lint/suspicious/noConsole: a test that is skipped says so
if (!isThere) console.warn(`SKIPPED: ${SET} is not there. Set ASKEMA_DATA to the folder that holds text2sql-dev.`);

const out = mkdtempSync(path.join(tmpdir(), 'askema-development-'));
afterAll(() => rmSync(out, { recursive: true }));

/** The same answer, written another way. */
function turned({ columns, rows }: QueryResult, turnsRows: boolean): Pick<QueryResult, 'columns' | 'rows'> {
  const turn = <T>(items: readonly T[]): T[] => [...items.slice(1), ...items.slice(0, 1)];
  return { columns: turn(columns), rows: (turnsRows ? [...rows].reverse() : rows).map((row) => turn(row)) };
}

/** An answer that differs in one cell. */
function altered({ columns, rows }: QueryResult): Pick<QueryResult, 'columns' | 'rows'> {
  const [first = [], ...rest] = rows;
  return { columns, rows: [['a value that is nowhere', ...first.slice(1)], ...rest] };
}

describe.skipIf(!isThere)('the development set', () => {
  it('is read whole, and every gold answer is right with its columns turned and wrong with a cell changed', async () => {
    const dataset = await loadDataset(SET);
    expect(dataset.problems).toEqual([]);
    expect(dataset.questions).toHaveLength(226);
    const ordered = dataset.questions.filter((question) => question.orderMatters);
    let reordered = 0;

    const summary = await runEvaluation({
      dataset,
      out,
      concurrency: 2,
      configuration: {},
      connect: ({ file }) => sqlite({ file, poolSize: 1 }),
      pipeline: (adapter, database) => ({
        async ask(text) {
          const question = dataset.questions.find(
            (candidate) => candidate.question === text && candidate.databaseId === database.id,
          );
          const gold = await adapter.query(question?.goldSql[0] ?? '');
          const options = { orderMatters: question?.orderMatters ?? false };
          expect(executionMatch(gold, altered(gold), options).match).toBe(false);
          if (executionMatch(gold, turned(gold, true), options).match) reordered += 1;
          const { columns, rows } = turned(gold, false);
          return answered(text, question?.goldSql[0] ?? '', rows, { columns });
        },
      }),
    });
    expect(summary.total.counts).toEqual({ right: 226, wrong: 0, declined: 0, failed: 0, goldFailed: 0 });
    expect(ordered).toHaveLength(8);
    expect(reordered).toBe(226 - 8);
  }, 120_000);
});
