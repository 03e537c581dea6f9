import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { AskemaError, inProcessRunner, memoryJournal, type Outcome } from '@askema/core';
import { afterEach, describe, expect, it } from 'vitest';
import type { Dataset } from '../datasets/read/dataset.ts';
import type { Metric } from '../metrics/metric.ts';
import { formatSummary } from '../report/text/format-summary.ts';
import type { EvaluationOptions } from './evaluation-options.ts';
import type { EvaluationProgress, EvaluationResult } from './evaluation-result.ts';
import { answered, outcomeBase, tableAdapter } from './fixtures/table-adapter.ts';
import { runOptions, TABLES, writtenDataset } from './fixtures/written-dataset.ts';
import { runEvaluation } from './run-evaluation.ts';

const folders: string[] = [];
afterEach(() => {
  for (const root of folders.splice(0)) rmSync(root, { recursive: true });
});

function folder(): string {
  const root = mkdtempSync(path.join(tmpdir(), 'askema-run-'));
  folders.push(root);
  return root;
}

function lines(out: string): EvaluationResult[] {
  const text = readFileSync(path.join(out, 'results.jsonl'), 'utf8').trimEnd();
  return text.split('\n').map((line) => JSON.parse(line) as EvaluationResult);
}

const byId = (out: string) => Object.fromEntries(lines(out).map((line) => [line.id, line]));

describe('a budget', () => {
  const prices = { inputPerMillion: 1, outputPerMillion: 0 };
  const costly = (question: string): Outcome => ({
    ...answered(question, 'ones', [[1], [2]]),
    usage: { inputTokens: 1_000_000 },
  });

  it('ends the run before the next question, says so, and a larger one goes on; earlier starts count', async () => {
    const data = await writtenDataset(folder(), 5);
    const asked: string[] = [];
    const progress: EvaluationProgress[] = [];
    const options = runOptions(data, { ask: costly, asked, prices, onProgress: (event) => progress.push(event) });
    const first = await runEvaluation({ ...options, budgetUsd: 1.5 });
    expect(first).toMatchObject({ stopped: 'budget', unfinished: 3, spentUsd: 2, budgetUsd: 1.5, costPerRightUsd: 1 });
    expect(formatSummary(first)).toContain(
      'The budget of 1.5 USD is spent: 3 questions are not asked yet. Start again with a larger one to go on.',
    );
    expect(progress.at(-1)).toMatchObject({ done: 2, total: 5, costUsd: 2, budgetUsd: 1.5 });
    expect(await runEvaluation({ ...options, budgetUsd: 2 })).toMatchObject({ stopped: 'budget', unfinished: 3 });
    expect(asked).toHaveLength(2);
    const last = await runEvaluation({ ...options, budgetUsd: 100 });
    expect(last).toMatchObject({ unfinished: 0, spentUsd: 5 });
    expect(last.stopped).toBeUndefined();
    expect(asked).toHaveLength(5);
  });

  it('lets those that are under way finish', async () => {
    const data = await writtenDataset(folder(), 9);
    const summary = await runEvaluation(runOptions(data, { ask: costly, prices, budgetUsd: 1, concurrency: 3 }));
    expect(summary).toMatchObject({ stopped: 'budget', unfinished: 6, spentUsd: 3 });
  });

  it('counts attempts that a later one replaced, and says whose cost is not known', async () => {
    const data = await writtenDataset(folder(), 3);
    let broken = true;
    const ask = (question: string): Outcome => {
      if (question === 'question 2') return answered(question, 'ones', [[1], [2]]);
      const error = new AskemaError('MODEL_OUTPUT_INVALID', 'no').toJSON();
      return broken
        ? { ...outcomeBase(''), type: 'failed', error, usage: { inputTokens: 1_000_000 } }
        : costly(question);
    };
    const options = runOptions(data, { ask, prices });
    await runEvaluation(options);
    broken = false;
    const again = await runEvaluation({ ...options, retryFailed: true });
    expect(again).toMatchObject({ costUsd: 2, spentUsd: 4, unpriced: 1 });
    expect(formatSummary(again)).toContain('The cost of 1 questions is not known');
    expect(byId(options.out).q0).toMatchObject({ attempt: 2, verdict: 'right' });
  });

  it.each([{ budgetUsd: 1 }, { budgetUsd: 0, prices }, { concurrency: 0 }, { runId: 'a b' }])(
    'refuses %j',
    async (wrong) => {
      const data = await writtenDataset(folder(), 1);
      await expect(runEvaluation(runOptions(data, wrong))).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    },
  );
});

describe('metrics', () => {
  const rows: Metric = { id: 'rows', title: 'Rows', score: ({ result }) => (result?.rows.length ?? 0) / 4 };
  const broken: Metric = {
    id: 'broken',
    title: 'Broken',
    score: ({ question }) => {
      if (question.id === 'q0') throw new Error('cannot count');
      return question.id === 'q1' ? 7 : undefined;
    },
  };

  it('stand in each result and in the summary; one that throws or says no score ends nothing', async () => {
    const data = await writtenDataset(folder(), 3, [{}, {}, { gold_sql: 'missing' }]);
    const summary = await runEvaluation(runOptions(data, { metrics: [rows, broken] }));
    const { q0, q1, q2 } = byId(path.join(data.directory, 'out'));
    expect(q0).toMatchObject({
      scores: { rows: 0.5 },
      metricErrors: { broken: expect.stringContaining('cannot count') },
    });
    expect(q1?.metricErrors?.broken).toContain('scored 7');
    expect(q2?.scores).toBeUndefined();
    expect(summary.metrics).toMatchObject([
      { id: 'rows', questions: 2, failed: 0, mean: { value: 0.5 } },
      { id: 'broken', questions: 0, failed: 2 },
    ]);
    expect(formatSummary(summary)).toContain('rows: 50.0 %');
  });

  it('are asked about a question without an answer too, so that it is not left out of their mean', async () => {
    const data = await writtenDataset(folder(), 2);
    const ask = (question: string): Outcome => {
      if (question === 'question 1') throw new Error('offline');
      return { ...outcomeBase(question), type: 'unanswerable', reason: 'no', notUnderstood: [] };
    };
    const summary = await runEvaluation(runOptions(data, { metrics: [rows], ask }));
    expect(summary.metrics).toMatchObject([{ questions: 2, mean: { value: 0 } }]);
  });

  it('run statements on the database and on its variants, which are opened once and closed', async () => {
    const data = await writtenDataset(folder(), 2);
    const opened: string[] = [];
    const closed: string[] = [];
    const onVariant: Metric = {
      id: 'on-variant',
      title: 'On a variant',
      score: async ({ run, question }) => {
        expect((await run('ones')).rows).toHaveLength(2);
        if (question.id === 'q1') await run('ones', 'elsewhere.sqlite');
        return (await run('ones', 'other.sqlite')).rows.length === 1 ? 1 : 0;
      },
    };
    const shop = { ...data.databases.shop, id: 'shop', file: 'shop.sqlite', variants: ['other.sqlite'] };
    const connect: EvaluationOptions['connect'] = ({ file }) => {
      opened.push(file);
      return tableAdapter(file === 'other.sqlite' ? { ones: [[1]] } : TABLES, () => closed.push(file));
    };
    const withVariant: Dataset = { ...data, databases: { ...data.databases, shop } };
    const summary = await runEvaluation(runOptions(withVariant, { metrics: [onVariant], connect }));
    expect(summary.metrics).toMatchObject([{ questions: 1, mean: { value: 1 }, failed: 1 }]);
    expect(opened).toEqual(['shop.sqlite', 'other.sqlite']);
    expect(closed.sort()).toEqual(['other.sqlite', 'shop.sqlite']);
  });
});

describe('gold and candidate', () => {
  it('hashes tell results apart whatever the order; gold that drifted is marked', async () => {
    const data = await writtenDataset(folder(), 2);
    const [base, later] = [path.join(data.directory, 'base'), path.join(data.directory, 'later')];
    await runEvaluation(runOptions(data, { out: base }));
    const { q0, q1 } = byId(base);
    expect(q0?.goldHashes).toEqual([q0?.resultHash]);
    expect(q1?.goldHashes).toEqual(q0?.goldHashes);
    const changed = { ...TABLES, ones: [[1], [2], [3]] };
    const summary = await runEvaluation(
      runOptions(data, { out: later, baseline: base, connect: () => tableAdapter(changed) }),
    );
    expect(summary.goldDrift).toEqual([
      { id: 'q0', since: 'baseline' },
      { id: 'q1', since: 'baseline' },
    ]);
    expect(byId(later).q0?.goldDrift?.before).toEqual(q0?.goldHashes);
    expect(formatSummary(summary)).toContain('Gold gives other results than before');
    await expect(runEvaluation(runOptions(data, { baseline: path.join(base, 'none') }))).rejects.toMatchObject({
      code: 'JOURNAL_INVALID',
    });
  });

  it('an attempt whose gold differs from that of the attempt before is marked', async () => {
    const data = await writtenDataset(folder(), 1);
    const offline = (): Outcome => {
      throw new Error('offline');
    };
    await runEvaluation(runOptions(data, { ask: offline }));
    const connect = () => tableAdapter({ ...TABLES, ones: [[7]] });
    const summary = await runEvaluation(runOptions(data, { retryFailed: true, connect }));
    expect(summary.goldDrift).toEqual([{ id: 'q0', since: 'attempt' }]);
  });

  it('says which statements ran: answers did; others are tried, but for what was refused', async () => {
    const data = await writtenDataset(folder(), 5);
    const error = new AskemaError('MODEL_OUTPUT_INVALID', 'no').toJSON();
    const failed = new AskemaError('QUERY_FAILED', 'no').toJSON();
    const outcomes: Record<string, Outcome> = {
      'question 0': answered('', 'ones', [[1], [2]]),
      'question 1': { ...outcomeBase(''), type: 'failed', error, sql: 'names' },
      'question 2': { ...outcomeBase(''), type: 'failed', error: failed, sql: 'names' },
      'question 3': { ...outcomeBase(''), type: 'failed', error, sql: 'missing' },
      'question 4': { ...outcomeBase(''), type: 'refused', reason: 'it writes', sql: 'names' },
    };
    const summary = await runEvaluation(runOptions(data, { ask: (question) => outcomes[question] as Outcome }));
    expect(lines(path.join(data.directory, 'out')).map(({ validSql }) => validSql)).toEqual([
      true,
      true,
      false,
      false,
      undefined,
    ]);
    expect(summary.validSql).toMatchObject({ statements: 4, rate: { value: 0.5 } });
  });

  it('without gold SQL the result files decide; without either the gold is what fails', async () => {
    const data = await writtenDataset(folder(), 3);
    const official = { benchmark: 'spider2', conditionColumns: [], ignoreOrder: true, files: 1 } as const;
    const goldResults = [{ file: 'q.csv', position: 0, csv: 'n\n1\n2\n' }];
    const questions = data.questions.map((question, position) => ({
      ...question,
      goldSql: [],
      ...(position === 2 ? {} : { goldResults, official }),
    }));
    const ask = (question: string) => answered(question, 'ones', question === 'question 0' ? [[2], [1]] : [[1], [3]]);
    await runEvaluation(runOptions({ ...data, questions }, { ask }));
    expect(lines(path.join(data.directory, 'out')).map(({ verdict }) => verdict)).toEqual([
      'right',
      'wrong',
      'goldFailed',
    ]);
  });

  it('gives a question the documents of the dataset that belong to it', async () => {
    const data = await writtenDataset(folder(), 1);
    const questions = data.questions.map((question) => ({ ...question, documents: ['rfm.md', 'lost.md'] }));
    const seen: unknown[] = [];
    const pipeline: EvaluationOptions['pipeline'] = () => ({
      ask: async (question, { documents }) => {
        seen.push(documents);
        return answered(question, 'ones', [[1], [2]]);
      },
    });
    const documents = { 'rfm.md': 'recency', 'other.md': 'x' };
    await runEvaluation(runOptions({ ...data, questions, documents }, { pipeline }));
    expect(seen).toEqual([[{ name: 'rfm.md', text: 'recency' }]]);
  });
});

describe('a runner', () => {
  it('that remembers has nothing asked twice by machines that start the same run', async () => {
    const data = await writtenDataset(folder(), 4);
    const journal = memoryJournal();
    const asked: string[] = [];
    const runner: EvaluationOptions['runner'] = (jobs, concurrency) => inProcessRunner({ jobs, concurrency, journal });
    const start = (out: string, more: Partial<EvaluationOptions> = {}) =>
      runEvaluation(runOptions(data, { out: path.join(data.directory, out), asked, runner, ...more }));
    const first = await start('one');
    const second = await start('two');
    expect(asked).toHaveLength(4);
    expect(second.total).toEqual(first.total);
    expect(lines(path.join(data.directory, 'two'))).toEqual(lines(path.join(data.directory, 'one')));
    await start('three', { configuration: { model: 'another' } });
    await start('four', { runId: 'afresh' });
    expect(asked).toHaveLength(12);
  });

  it('gets all questions at once, but few ahead of a budget', async () => {
    const data = await writtenDataset(folder(), 12);
    const most: number[] = [];
    const counting =
      (at: number): EvaluationOptions['runner'] =>
      async (jobs, concurrency) => {
        const inner = await inProcessRunner({ jobs, concurrency });
        let waiting = 0;
        const enqueue = (async (name, input, options) => {
          waiting += 1;
          most[at] = Math.max(most[at] ?? 0, waiting);
          const handle = await inner.enqueue(name, input, options);
          const result = handle.result.finally(() => {
            waiting -= 1;
          });
          return { id: handle.id, result };
        }) as typeof inner.enqueue;
        return { ...inner, enqueue };
      };
    const gate = new Promise<void>((resolve) => setImmediate(resolve));
    const ask = async (question: string) => {
      await gate;
      return answered(question, 'ones', [[1], [2]]);
    };
    await runEvaluation(runOptions(data, { ask, runner: counting(0), out: path.join(data.directory, 'a') }));
    const prices = { inputPerMillion: 1, outputPerMillion: 1 };
    const budget = { budgetUsd: 1, prices, runner: counting(1), out: path.join(data.directory, 'b') };
    await runEvaluation(runOptions(data, { ask, ...budget }));
    expect(most).toEqual([12, 4]);
  });
});

it('a pipeline that cannot be built fails its questions, and is not built again for each of them', async () => {
  const data = await writtenDataset(folder(), 3, [{}, {}, { db_id: 'zoo' }]);
  let built = 0;
  const good = runOptions(data);
  const summary = await runEvaluation({
    ...good,
    pipeline: (adapter, database) => {
      if (database.id === 'zoo') return good.pipeline(adapter, database);
      built += 1;
      throw new Error('no such model');
    },
  });
  expect(summary.total.counts).toMatchObject({ right: 1, failed: 2 });
  expect(built).toBe(1);
});

it('keeps few databases open that nothing uses, where questions change between very many', async () => {
  const size = 40;
  const data = await writtenDataset(folder(), size * 2);
  let open = 0;
  let most = 0;
  const questions = data.questions.map((question, position) => ({ ...question, databaseId: `d${position % size}` }));
  const databases = Object.fromEntries(questions.map(({ databaseId: id }) => [id, { id, file: id }]));
  const connect = () => {
    open += 1;
    most = Math.max(most, open);
    return tableAdapter(TABLES, () => {
      open -= 1;
    });
  };
  const summary = await runEvaluation(runOptions({ ...data, questions, databases }, { connect }));
  expect(summary.total.counts.right).toBe(size * 2);
  expect(most).toBeLessThanOrEqual(17);
  expect(open).toBe(0);
});
