import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { EvaluationResult } from './evaluation-result.ts';
import { answered } from './fixtures/table-adapter.ts';
import { runOptions, writtenDataset } from './fixtures/written-dataset.ts';
import { mergeRuns } from './merge-runs.ts';
import { runEvaluation } from './run-evaluation.ts';

const folders: string[] = [];
afterEach(() => {
  for (const root of folders.splice(0)) rmSync(root, { recursive: true });
});

function folder(): string {
  const root = mkdtempSync(path.join(tmpdir(), 'askema-merge-'));
  folders.push(root);
  return root;
}

const idsIn = (out: string): string[] =>
  readFileSync(path.join(out, 'results.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as EvaluationResult).id);

describe('mergeRuns', () => {
  it('has every question of all shards once, in the order of the dataset, and can be gone on with', async () => {
    const root = folder();
    const official = { metric: 'always', tasks: 9 };
    const data = { ...(await writtenDataset(root, 7)), official, leftOut: [{ reason: 'far away', questions: 2 }] };
    const metrics = [{ id: 'always', title: 'Always', score: () => 1 }];
    const outs: string[] = [];
    for (const index of [1, 2, 3]) {
      const out = path.join(root, `shard-${index}`);
      outs.push(out);
      const summary = await runEvaluation(runOptions(data, { out, metrics, shard: { index, of: 3 } }));
      expect(summary.shard).toEqual({ index, of: 3 });
    }
    expect(outs.map(idsIn)).toEqual([
      ['q0', 'q3', 'q6'],
      ['q1', 'q4'],
      ['q2', 'q5'],
    ]);
    const merged = path.join(root, 'merged');
    const { summary, repeated, missingShards } = await mergeRuns(outs, merged, { dataset: data });
    expect(idsIn(merged)).toEqual(data.questions.map(({ id }) => id));
    expect({ repeated, missingShards }).toEqual({ repeated: 0, missingShards: [] });
    expect(summary).toMatchObject({ unfinished: 0, total: { counts: { right: 7 } } });
    const byItself = await mergeRuns(outs, path.join(root, 'by-itself'));
    for (const one of [summary, byItself.summary])
      expect(one).toMatchObject({ official: { ...official, right: 7, judged: 7 }, leftOut: data.leftOut });

    const asked: string[] = [];
    const again = await runEvaluation(runOptions(data, { out: merged, asked }));
    expect(asked).toEqual([]);
    expect(again.total.counts.right).toBe(7);
  });

  it('says which shards and how many questions are missing', async () => {
    const root = folder();
    const data = await writtenDataset(root, 6);
    const out = path.join(root, 'two');
    const controller = new AbortController();
    await runEvaluation(
      runOptions(data, {
        out,
        shard: { index: 2, of: 3 },
        signal: controller.signal,
        onProgress: ({ done }) => {
          if (done === 1) controller.abort();
        },
      }),
    );
    const { summary, missingShards } = await mergeRuns([out], path.join(root, 'merged'));
    expect(missingShards).toEqual(['1/3', '3/3']);
    expect(summary).toMatchObject({ unfinished: 1, stopped: 'signal' });
  });

  it('takes the answer where one folder failed and another did not, and keeps what both cost', async () => {
    const root = folder();
    const data = await writtenDataset(root, 2);
    const prices = { inputPerMillion: 1, outputPerMillion: 0 };
    const usage = { inputTokens: 1_000_000 };
    const [good, bad] = [path.join(root, 'good'), path.join(root, 'bad')];
    await runEvaluation(
      runOptions(data, {
        out: good,
        prices,
        ask: (question) => ({ ...answered(question, 'ones', [[1], [2]]), usage }),
      }),
    );
    await runEvaluation(
      runOptions(data, {
        out: bad,
        prices,
        ask: (question) => {
          if (question === 'question 1') throw new Error('offline');
          return { ...answered(question, 'ones', [[3]]), usage };
        },
      }),
    );
    const { summary, repeated } = await mergeRuns([good, bad], path.join(root, 'merged'));
    expect(repeated).toBe(2);
    expect(summary).toMatchObject({ total: { counts: { right: 1, wrong: 1, failed: 0 } }, unfinished: 0, spentUsd: 3 });
    expect(summary.costUsd).toBe(2);
  });

  it('refuses other configurations, other questions, no folder, and a folder that has results', async () => {
    const root = folder();
    const data = await writtenDataset(root, 2);
    const [one, two] = [path.join(root, 'one'), path.join(root, 'two')];
    await runEvaluation(runOptions(data, { out: one }));
    await runEvaluation(runOptions(data, { out: two, configuration: { model: 'other' } }));
    const out = path.join(root, 'merged');
    await expect(mergeRuns([one, two], out)).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    expect((await mergeRuns([one, two], out, { force: true })).repeated).toBe(2);
    await expect(mergeRuns([one], out)).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    await expect(mergeRuns([], out)).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    writeFileSync(path.join(root, 'file'), '');
    await expect(mergeRuns([path.join(root, 'none')], out)).rejects.toMatchObject({ code: 'JOURNAL_INVALID' });
  });
});
