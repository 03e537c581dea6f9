import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Adapter, AskemaError, type InspectionFinding, type Outcome } from '@askema/core';
import { afterEach, expect, it } from 'vitest';
import { loadDataset } from '../datasets/load-dataset.ts';
import { formatSummary } from '../report/text/format-summary.ts';
import type { EvaluationResult, EvaluationSummary } from './evaluation-result.ts';
import { answered, outcomeBase, tableAdapter } from './fixtures/table-adapter.ts';
import { runEvaluation } from './run-evaluation.ts';

const folders: string[] = [];
afterEach(() => {
  for (const root of folders.splice(0)) rmSync(root, { recursive: true });
});

const finding: InspectionFinding = {
  code: 'value-not-found',
  severity: 'warning',
  message: '',
  advice: '',
  span: { start: 0, end: 0 },
};

/** An outcome of the inspect flow whose tries had these statements, the last one standing. */
function inspected(outcome: Outcome, tries: readonly string[], findings: readonly InspectionFinding[] = []): Outcome {
  const inspection = { iterations: tries.length - 1, tries: tries.map((sql) => ({ sql, findings: [] })), findings };
  return { ...outcome, inspection };
}

/** A run over these outcomes, the first for the first question; gold is `ones`. */
async function evaluate(
  outcomes: readonly Outcome[],
): Promise<{ summary: EvaluationSummary; lines: readonly EvaluationResult[]; executed: readonly string[] }> {
  const root = mkdtempSync(path.join(tmpdir(), 'askema-eval-'));
  folders.push(root);
  mkdirSync(path.join(root, 'databases'));
  writeFileSync(path.join(root, 'databases', 'shop.sqlite'), '');
  const rows = outcomes.map((_, n) => ({ id: `q${n}`, db_id: 'shop', question: `question ${n}`, gold_sql: 'ones' }));
  writeFileSync(path.join(root, 'questions.jsonl'), rows.map((row) => JSON.stringify(row)).join('\n'));
  const spec = tableAdapter({ ones: [[1], [2]], names: [['Ann']] });
  const executed: string[] = [];
  const executor: Adapter['executor'] = {
    execute(sql, options) {
      executed.push(sql);
      return spec.executor.execute(sql, options);
    },
  };
  const summary = await runEvaluation({
    dataset: await loadDataset(root),
    out: path.join(root, 'out'),
    configuration: {},
    connect: () => ({ ...spec, executor }),
    pipeline: () => ({ ask: async (question) => outcomes[Number(question.split(' ')[1])] as Outcome }),
  });
  const lines = readFileSync(path.join(root, 'out', 'results.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as EvaluationResult);
  return { summary, lines, executed };
}

it('judges each try of the inspect flow, and says what fewer revisions would have been worth', async () => {
  const { summary, lines } = await evaluate([
    inspected(answered('', 'ones', [[1], [2]]), ['ones'], [finding]),
    inspected(answered('', 'ones', [[1], [2]]), ['names', 'missing', 'ones']),
    inspected(answered('', 'names', [['Ann']]), ['ones', 'names']),
  ]);
  expect(lines.map(({ inspection }) => inspection)).toEqual([
    { iterations: 0, findings: ['value-not-found'], rightByTry: [true] },
    { iterations: 2, findings: [], rightByTry: [false, false, true] },
    { iterations: 1, findings: [], rightByTry: [true, false] },
  ]);
  expect(summary.inspection).toEqual({
    questions: 3,
    averageIterations: 1,
    byMaximum: [
      { iterations: 0, right: 2, accuracy: 2 / 3 },
      { iterations: 1, right: 1, accuracy: 1 / 3 },
      { iterations: 2, right: 2, accuracy: 2 / 3 },
    ],
  });
  expect(formatSummary(summary)).toContain(
    '1.00 revisions a question; accuracy by the most revisions: 0: 66.7 %, 1: 33.3 %, 2: 66.7 %',
  );
});

it('runs a statement that was tried twice only once, and never the answer again', async () => {
  const { executed } = await evaluate([
    inspected(answered('', 'ones', [[1], [2]]), ['names', 'names', '', 'ones', 'ones']),
  ]);
  expect(executed).toEqual(['ones', 'names']);
});

it('counts questions that were not answered, also where an earlier try was right', async () => {
  const error = new AskemaError('QUERY_FAILED', 'no').toJSON();
  const { summary } = await evaluate([
    inspected({ ...outcomeBase(''), type: 'failed', error, sql: 'names' }, ['ones', 'names']),
    { ...outcomeBase(''), type: 'failed', error },
  ]);
  expect(summary.inspection?.byMaximum.map(({ right, accuracy }) => [right, accuracy])).toEqual([
    [1, 0.5],
    [0, 0],
  ]);
});

it('says nothing of inspection where no flow inspected', async () => {
  const { summary, lines } = await evaluate([answered('', 'ones', [[1], [2]])]);
  expect(summary.inspection).toBeUndefined();
  expect(lines[0]?.inspection).toBeUndefined();
  expect(formatSummary(summary)).not.toContain('revisions');
});
