import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { AskemaError, type JsonValue, type Outcome, type Row } from '@askema/core';
import { afterEach, describe, expect, it } from 'vitest';
import { loadDataset } from '../datasets/load-dataset.ts';
import type { Dataset } from '../datasets/read/dataset.ts';
import type { EvaluationOptions } from './evaluation-options.ts';
import type { EvaluationProgress, EvaluationResult } from './evaluation-result.ts';
import { answered, outcomeBase, tableAdapter } from './fixtures/table-adapter.ts';
import { runEvaluation } from './run-evaluation.ts';

const folders: string[] = [];
afterEach(() => {
  for (const root of folders.splice(0)) rmSync(root, { recursive: true });
});

const TABLES: Readonly<Record<string, readonly Row[]>> = {
  ones: [[1], [2]],
  swapped: [[2], [1]],
  names: [['Ann'], ['Bob']],
};

async function dataset(rows: readonly object[]): Promise<Dataset> {
  const root = mkdtempSync(path.join(tmpdir(), 'askema-eval-'));
  folders.push(root);
  mkdirSync(path.join(root, 'databases'));
  for (const name of ['shop', 'zoo']) writeFileSync(path.join(root, 'databases', `${name}.sqlite`), '');
  const lines = rows.map((row, position) =>
    JSON.stringify({ id: `q${position}`, db_id: 'shop', question: `question ${position}`, gold_sql: 'ones', ...row }),
  );
  writeFileSync(path.join(root, 'questions.jsonl'), lines.join('\n'));
  return loadDataset(root);
}

type Ask = (question: string) => Outcome | Promise<Outcome>;

function options(data: Dataset, ask: Ask, more: Partial<EvaluationOptions> = {}): EvaluationOptions {
  return {
    dataset: data,
    out: path.join(data.directory, 'out'),
    configuration: { model: 'scripted' },
    connect: () => tableAdapter(TABLES),
    pipeline: () => ({ ask: async (question) => ask(question) }),
    ...more,
  };
}

function lines(data: Dataset): EvaluationResult[] {
  const text = readFileSync(path.join(data.directory, 'out', 'results.jsonl'), 'utf8');
  expect(text.endsWith('\n')).toBe(true);
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as EvaluationResult);
}

const right: Ask = (question) => answered(question, 'ones', [[2], [1]]);

describe('runEvaluation', () => {
  it('judges every kind of outcome, and adds up by category and difficulty', async () => {
    const data = await dataset([
      { category: 'core', difficulty: 'hard' },
      { category: 'core', difficulty: 'easy' },
      { category: 'bird', difficulty: 'easy' },
      { category: 'bird', difficulty: 'easy' },
      { category: 'bird', difficulty: 'easy', gold_sql: 'missing' },
      { category: 'core', difficulty: 'hard', gold_sql: ['names', 'missing', 'ones'] },
      { category: 'core', difficulty: 'hard', order_matters: true },
    ]);
    const error = new AskemaError('QUERY_FAILED', 'no such column').toJSON();
    const asked: string[] = [];
    const outcomes: Record<string, () => Outcome> = {
      'question 0': () => answered('', 'ones', [[2], [1]]),
      'question 1': () => answered('', 'ones', [[2], [3]]),
      'question 2': () => ({ ...outcomeBase(''), type: 'unanswerable', reason: 'no such thing', notUnderstood: ['x'] }),
      'question 3': () => ({ ...outcomeBase(''), type: 'failed', error }),
      'question 5': () => answered('', 'ones', [[1], [2]]),
      'question 6': () => answered('', 'ones', [[2], [1]]),
    };
    const ask: Ask = (question) => {
      asked.push(question);
      return outcomes[question]!();
    };
    const summary = await runEvaluation(options(data, ask));
    expect(lines(data).map((line) => [line.id, line.verdict, line.outcome])).toEqual([
      ['q0', 'right', 'answered'],
      ['q1', 'wrong', 'answered'],
      ['q2', 'declined', 'unanswerable'],
      ['q3', 'failed', 'failed'],
      ['q4', 'goldFailed', 'notAsked'],
      ['q5', 'right', 'answered'],
      ['q6', 'wrong', 'answered'],
    ]);
    expect(asked).not.toContain('question 4');
    expect(summary.total).toMatchObject({ counted: 6, accuracy: 2 / 6 });
    expect(summary.byCategory.map((group) => [group.name, group.counted, group.counts.right])).toEqual([
      ['bird', 2, 0],
      ['core', 4, 2],
    ]);
    expect(summary.byDifficulty.map((group) => group.name)).toEqual(['easy', 'hard']);
    expect(summary.goldFailures).toMatchObject([{ id: 'q4', reason: expect.stringContaining('missing') }]);
    const stored = JSON.parse(readFileSync(path.join(data.directory, 'out', 'summary.json'), 'utf8')) as unknown;
    expect(stored).toEqual(JSON.parse(JSON.stringify(summary)));
  });

  it('counts an answer that was not confirmed as declined, which is not asked again', async () => {
    const data = await dataset([{}]);
    const error = new AskemaError('ANSWER_UNCONFIRMED', 'not sure').toJSON();
    const asked: string[] = [];
    const ask: Ask = (question) => {
      asked.push(question);
      return { ...outcomeBase(question), type: 'failed', error };
    };
    await runEvaluation(options(data, ask));
    const summary = await runEvaluation(options(data, ask, { retryFailed: true }));
    expect(summary.total.counts).toMatchObject({ declined: 1, failed: 0 });
    expect(lines(data)).toMatchObject([{ verdict: 'declined', reason: 'not sure' }]);
    expect(asked).toHaveLength(1);
  });

  it('goes on when a pipeline throws, cannot be built, or its database does not open', async () => {
    const data = await dataset([{}, { db_id: 'zoo' }, {}]);
    const ask: Ask = (question) => {
      if (question === 'question 0') throw new Error('boom');
      return right(question);
    };
    const connect: EvaluationOptions['connect'] = (database) => {
      if (database.id === 'zoo') throw new AskemaError('DATABASE_NOT_FOUND', 'no zoo');
      return tableAdapter(TABLES);
    };
    const summary = await runEvaluation(options(data, ask, { connect }));
    expect(summary.total.counts).toEqual({ right: 1, wrong: 0, declined: 0, failed: 2, goldFailed: 0 });
    expect(lines(data).map((line) => line.reason)).toEqual([
      expect.stringContaining('boom'),
      expect.stringContaining('no zoo'),
      undefined,
    ]);
  });

  it('judges the whole result where the pipeline cut it', async () => {
    const data = await dataset([{}, {}]);
    const summary = await runEvaluation(
      options(data, (question) =>
        question === 'question 0'
          ? answered(question, 'swapped', [[2]], { truncated: 'rows' })
          : answered(question, 'names', [['Ann']], { truncated: 'rows' }),
      ),
    );
    expect(summary.total.counts).toMatchObject({ right: 1, wrong: 1 });
  });

  it('asks only what is missing when it is started again, and retries failures when told to', async () => {
    const data = await dataset([{}, {}, {}]);
    const asked: string[] = [];
    const ask: Ask = (question) => {
      asked.push(question);
      if (question === 'question 1' && asked.length < 4) throw new Error('offline');
      return right(question);
    };
    await runEvaluation(options(data, ask, { limit: 2 }));
    const second = await runEvaluation(options(data, ask));
    expect(asked).toEqual(['question 0', 'question 1', 'question 2']);
    expect(second.total.counts).toMatchObject({ right: 2, failed: 1 });
    const third = await runEvaluation(options(data, ask, { retryFailed: true }));
    expect(asked).toEqual(['question 0', 'question 1', 'question 2', 'question 1']);
    expect(third.total.counts).toMatchObject({ right: 3, failed: 0 });
  });

  it('cuts off a torn last line and asks its question again', async () => {
    const data = await dataset([{}, {}]);
    await runEvaluation(options(data, right, { limit: 1 }));
    appendFileSync(path.join(data.directory, 'out', 'results.jsonl'), '{"schemaVersion":1,"id":"q1","verd');
    const summary = await runEvaluation(options(data, right));
    expect(summary.total.counts.right).toBe(2);
    expect(lines(data).map((line) => line.id)).toEqual(['q0', 'q1']);
  });

  it('refuses a file that is broken in the middle', async () => {
    const data = await dataset([{}, {}]);
    await runEvaluation(options(data, right));
    const file = path.join(data.directory, 'out', 'results.jsonl');
    writeFileSync(file, readFileSync(file, 'utf8').replace('{', '<'));
    await expect(runEvaluation(options(data, right))).rejects.toMatchObject({
      code: 'JOURNAL_INVALID',
      message: expect.stringContaining('Line 1'),
    });
  });

  it('refuses another configuration or other questions, unless it is forced', async () => {
    const data = await dataset([{}]);
    const nested: Readonly<Record<string, JsonValue>> = { model: 'scripted', limits: { a: 1, b: 2 } };
    await runEvaluation(options(data, right, { configuration: nested }));
    // The order of keys is no difference.
    await runEvaluation(options(data, right, { configuration: { limits: { b: 2, a: 1 }, model: 'scripted' } }));
    const other = options(data, right, { configuration: { ...nested, model: 'other' } });
    await expect(runEvaluation(other)).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining('model was "scripted" and is "other"'),
    });
    const changed = { ...data, fingerprint: 'changed' };
    await expect(runEvaluation(options(changed, right, { configuration: nested }))).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
    });
    const forced = await runEvaluation({ ...other, force: true });
    expect(forced.configuration).toEqual({ ...nested, model: 'other' });
    const run = JSON.parse(readFileSync(path.join(other.out, 'run.json'), 'utf8')) as { replaced: unknown };
    expect(run.replaced).toEqual([nested]);
  });

  it('stops on the signal and says what is left; nothing of a stopped question is recorded', async () => {
    const data = await dataset([{}, {}, {}]);
    const controller = new AbortController();
    const ask: Ask = (question) => {
      if (question === 'question 1') controller.abort();
      return right(question);
    };
    const summary = await runEvaluation(options(data, ask, { signal: controller.signal }));
    expect(summary).toMatchObject({ unfinished: 2, total: { counted: 1 } });
    expect(lines(data).map((line) => line.id)).toEqual(['q0']);
  });

  it('a stopped pipeline is told so, and its database is closed when it has ended, not before', async () => {
    const data = await dataset([{}, {}]);
    const controller = new AbortController();
    const happened: string[] = [];
    const summary = await runEvaluation(
      options(data, right, {
        signal: controller.signal,
        connect: () => tableAdapter(TABLES, () => happened.push('closed')),
        pipeline: () => ({
          ask: async (question, { signal }) => {
            const stopped = new Promise((resolve) => signal?.addEventListener('abort', resolve));
            controller.abort();
            await stopped;
            await new Promise((resolve) => setImmediate(resolve));
            happened.push(`ended ${question}`);
            return right(question);
          },
        }),
      }),
    );
    expect(happened).toEqual(['ended question 0', 'closed']);
    expect(summary).toMatchObject({ unfinished: 2, stopped: 'signal' });
  });

  it('runs so many at a time as told, one adapter a database, each closed', async () => {
    const data = await dataset([{}, { db_id: 'zoo' }, {}, { db_id: 'zoo' }, {}]);
    let running = 0;
    let most = 0;
    const opened: string[] = [];
    const closed: string[] = [];
    const progress: EvaluationProgress[] = [];
    let letGo: () => void = () => undefined;
    const three = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const ask: Ask = async (question) => {
      running += 1;
      most = Math.max(most, running);
      if (running === 3) letGo();
      await three;
      running -= 1;
      return right(question);
    };
    await runEvaluation(
      options(data, ask, {
        concurrency: 3,
        connect: (database) => {
          opened.push(database.id);
          return tableAdapter(TABLES, () => closed.push(database.id));
        },
        onProgress: (event) => {
          progress.push(event);
          throw new Error('a listener that throws is no reason to stop');
        },
      }),
    );
    expect(most).toBe(3);
    expect(opened.sort()).toEqual(['shop', 'zoo']);
    expect(closed.sort()).toEqual(['shop', 'zoo']);
    expect(progress.map((event) => event.done)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(progress.at(-1)?.counts.right).toBe(5);
  });

  it('adds up usage, and costs where prices are known', async () => {
    const data = await dataset([{}, {}]);
    const usage = { inputTokens: 1_000_000, cachedInputTokens: 400_000, outputTokens: 100_000 };
    const ask: Ask = (question) => ({ ...right(question), ...(question === 'question 0' ? { usage } : {}) }) as Outcome;
    const prices = { inputPerMillion: 2, cachedInputPerMillion: 0.5, outputPerMillion: 10 };
    const summary = await runEvaluation(options(data, ask, { prices }));
    expect(summary.usage).toEqual(usage);
    expect(summary.costUsd).toBeCloseTo(0.6 * 2 + 0.4 * 0.5 + 0.1 * 10, 10);
    expect(lines(data).map((line) => line.costUsd)).toEqual([expect.closeTo(2.4), undefined]);
  });
});
