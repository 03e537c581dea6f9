import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ChatMessage } from '@askema/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DesignEvaluationOptions, DesignResult } from './design-result.ts';
import { evaluateDesigns, scoreDesigns } from './evaluate-designs.ts';
import { message, outcomeOf, tupleOf } from './fixtures/scripted-design.ts';
import { formatDesignSummary } from './format-design-summary.ts';
import { loadSchemaDataset, type SchemaDataset } from './load-schema-dataset.ts';

const OWN = fileURLToPath(new URL('./fixtures', import.meta.url));
const SOUND = ['lending-library', 'bicycle-workshop', 'choir'];

let folder: string;
let dataset: SchemaDataset;
beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'askema-designs-'));
  dataset = await loadSchemaDataset(OWN);
});
afterEach(() => rmSync(folder, { recursive: true }));

const results = (): DesignResult[] =>
  readFileSync(path.join(folder, 'results.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as DesignResult);

const CHATS: Readonly<Record<string, readonly ChatMessage[]>> = {
  'lending-library': [
    message(1, 'user', 'all'),
    message(2, 'conceptual-designer', ['conceptual-reviewer']),
    message(3, 'conceptual-reviewer', ['conceptual-designer'], 'feedback'),
    message(4, 'conceptual-designer', ['conceptual-reviewer']),
  ],
  'bicycle-workshop': [
    message(1, 'user', 'all'),
    message(2, 'conceptual-reviewer', ['conceptual-designer'], 'feedback'),
    message(3, 'logical-designer', ['conceptual-designer'], 'feedback'),
  ],
  choir: [message(1, 'user', 'all'), message(2, 'logical-designer', ['test-executor'])],
};

/** Designs gold, with a chat. */
const goldDesign: DesignEvaluationOptions['design'] = async (requirement, { runId, id }) => {
  const item = dataset.items.find((each) => each.id === id);
  const schema = item === undefined ? undefined : tupleOf(item.gold);
  return outcomeOf({ requirement, runId, schema, transcript: CHATS[id] ?? [], rounds: 4 });
};

const evaluate = (options: Partial<DesignEvaluationOptions> = {}) =>
  evaluateDesigns({ dataset, design: goldDesign, out: folder, configuration: { model: 'scripted' }, ...options });

describe('evaluateDesigns', () => {
  it('keeps outcome, scores and transcript of each requirement, and adds them up', async () => {
    const summary = await evaluate({
      ids: SOUND,
      concurrency: 2,
      prices: { inputPerMillion: 1, outputPerMillion: 10 },
    });
    expect(results().map(({ id, ending, goldTables }) => [id, ending, goldTables])).toEqual([
      ['lending-library', 'designed', 4],
      ['bicycle-workshop', 'designed', 2],
      ['choir', 'designed', 4],
    ]);
    const [first] = results();
    expect(first?.outcome?.transcript).toHaveLength(4);
    expect(first?.outcome).toMatchObject({ type: 'designed', schema: { relations: { length: 4 } } });
    expect(first?.scores.strict).toMatchObject({ tableF1: 1, foreignKeyF1: 1, typeAccuracy: 1 });
    expect(summary.scorers).toMatchObject([{ scorer: 'strict', counted: 3, mean: { tableAccuracy: 1 } }]);
    expect(summary.feedback).toEqual({
      chats: 3,
      withFeedback: 2,
      onlyConceptual: 1,
      conceptualErrors: 2,
      otherErrors: 1,
    });
    expect(
      summary.bySize.map(({ tables, requirements, feedback }) => [tables, requirements, feedback.otherErrors]),
    ).toEqual([
      [2, 1, 1],
      [4, 2, 0],
    ]);
    const cell = (from: string, to: string): number | undefined =>
      summary.matrix.counts[summary.matrix.from.indexOf(from)]?.[summary.matrix.to.indexOf(to)];
    expect(cell('conceptual-reviewer', 'conceptual-designer')).toBe(2);
    expect(cell('user', 'all')).toBe(3);
    expect(summary).toMatchObject({ finished: 3, unfinished: 0, accepted: 3, calls: 6, elapsedMs: 9000 });
    expect(summary.costUsd).toBeCloseTo((3 * (100 + 200)) / 1e6);
  });

  it('goes on where it stopped, and designs nothing twice', async () => {
    const asked: string[] = [];
    const stop = new AbortController();
    const design: DesignEvaluationOptions['design'] = async (requirement, context) => {
      asked.push(context.id);
      if (asked.length === 2) {
        stop.abort();
        throw stop.signal.reason;
      }
      return goldDesign(requirement, context);
    };
    const stopped = await evaluate({ ids: SOUND, design, signal: stop.signal });
    expect([stopped.finished, stopped.unfinished]).toEqual([1, 2]);
    const runIds: string[] = [];
    const done = await evaluate({
      ids: SOUND,
      design: (requirement, context) => {
        runIds.push(context.runId);
        return goldDesign(requirement, context);
      },
    });
    expect([done.finished, done.unfinished]).toEqual([3, 0]);
    expect(runIds.map((runId) => runId.replace(/^eval-[0-9a-f-]{36}-/, ''))).toEqual(['bicycle-workshop', 'choir']);
    expect(asked).toEqual(['lending-library', 'bicycle-workshop']);
    await expect(evaluate({ ids: SOUND, configuration: { model: 'another' } })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
    });
  });

  it('counts what throws and what fails as zeros, says why, and goes on', async () => {
    const design: DesignEvaluationOptions['design'] = async (requirement, context) => {
      if (context.id === 'lending-library') throw new TypeError('broken pipe');
      if (context.id === 'choir') return outcomeOf({ requirement, runId: context.runId, schema: undefined });
      return goldDesign(requirement, context);
    };
    const summary = await evaluate({ ids: SOUND, design });
    expect(summary.scorers[0]?.mean?.tableF1).toBeCloseTo(1 / 3);
    expect(summary.failures).toEqual([
      { id: 'lending-library', message: expect.stringMatching(/^threw: .*broken pipe/) },
      { id: 'choir', message: 'failed: No answer was valid.' },
    ]);
    const again = await evaluate({ ids: SOUND, retryFailed: true });
    expect(again.scorers[0]?.mean?.tableF1).toBe(1);
    expect(again.failures).toEqual([]);
    expect(results()).toHaveLength(5);
  });

  it('tries the DDL and asks the judge for each schema; neither can end the run', async () => {
    const summary = await evaluate({
      ids: SOUND,
      runDdl: async (schema) => {
        if (schema.relations.length === 2) throw new Error('disk full');
        return { runs: true };
      },
      judge: async ({ requirement }) => {
        if (requirement.includes('choir')) throw new Error('no judge');
        const scores = { functionalCoverage: 9, normalization: 8, integrity: 7 };
        return { total: 8.1, scores, samples: [], usage: {}, calls: 1, solvedBy: 'judge' };
      },
    });
    expect(summary.ddl).toEqual({
      schemas: 3,
      runs: 2,
      problems: [{ id: 'bicycle-workshop', message: expect.stringContaining('disk full') }],
    });
    expect(summary.judge).toMatchObject({ judged: 2, total: 8.1, calls: 2, failures: [{ id: 'choir' }] });
  });

  it('keeps no design that was stopped while it was judged', async () => {
    const stop = new AbortController();
    const judge = async (): Promise<never> => {
      stop.abort();
      throw stop.signal.reason;
    };
    const summary = await evaluate({ ids: SOUND, judge, signal: stop.signal });
    expect([summary.finished, summary.unfinished]).toEqual([0, 3]);
  });

  it('prints scores, sizes, feedback, who wrote to whom and cost', async () => {
    const text = formatDesignSummary(await evaluate({ ids: SOUND, runDdl: async () => ({ runs: true }) }));
    expect(text).toMatch(/fixtures: 3 requirements: 3 designed, 3 accepted by the last role/);
    expect(text).toMatch(/table F1 +100\.0/);
    expect(text).toMatch(/Feedback in 2 of 3 chats \(66\.7 %\); in 1 of these \(50\.0 %\) only between/);
    expect(text).toMatch(/conceptual-reviewer +0 +0 +2/);
    expect(text).toMatch(/Each requirement: 3\.0 s, 2\.0 model calls, 100 tokens in, 20 out\n/);
    expect(text).toMatch(/DDL runs: 3 of 3 schemas/);
  });

  it.each([
    [{ ids: ['lending-libary'] }, 'INPUT_INVALID', /No requirement has the id lending-libary.*`lending-library`/],
    [{ limit: 0 }, 'CONFIG_INVALID', /`limit` is 0/],
    [{ concurrency: 0 }, 'CONFIG_INVALID', /`concurrency` is 0/],
  ])('refuses %j', async (options, code, text) => {
    await expect(evaluate(options)).rejects.toMatchObject({ code, message: expect.stringMatching(text) });
  });
});

describe('scoreDesigns', () => {
  it('scores what is stored anew, without designing', async () => {
    await evaluate({ ids: SOUND });
    const before = readFileSync(path.join(folder, 'results.jsonl'), 'utf8');
    const score = { ...(results()[0]?.scores.strict ?? {}), tableF1: 0.5 } as never;
    const scorer = { name: 'strict' as const, ports: ['half'], score: async () => ({ score, match: { tables: [] } }) };
    const summary = await scoreDesigns({ dataset, run: folder, scorers: [scorer] });
    expect(summary.scorers).toMatchObject([{ counted: 3, ports: ['half'], mean: { tableF1: 0.5 } }]);
    expect(readFileSync(path.join(folder, 'results.jsonl'), 'utf8')).toBe(before);
    await expect(scoreDesigns({ dataset, run: path.join(folder, 'none') })).rejects.toMatchObject({
      code: 'JOURNAL_INVALID',
    });
  });
});
