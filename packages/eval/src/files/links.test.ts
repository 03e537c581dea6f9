import { linkSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readBatch } from '../batch/run-batch.ts';
import { readRun } from '../compare/read-run.ts';
import { loadDataset } from '../datasets/load-dataset.ts';
import { loadPredictions } from '../official/load-predictions.ts';
import { openResultsStore, readStoredRun, readStoredSummary } from '../run/results-store.ts';
import { loadSchemaDataset } from '../schemas/load-schema-dataset.ts';

let base: string;
beforeEach(() => {
  base = mkdtempSync(path.join(tmpdir(), 'askema-links-'));
  write('outside/secret.sqlite', 'secret');
  write('set/questions.jsonl', questions('shop'));
});
afterEach(() => rmSync(base, { recursive: true }));

const at = (name: string): string => path.join(base, name);

function write(name: string, text: string): void {
  mkdirSync(path.dirname(at(name)), { recursive: true });
  writeFileSync(at(name), text);
}

function link(name: string, target: string): void {
  mkdirSync(path.dirname(at(name)), { recursive: true });
  symlinkSync(target, at(name));
}

const questions = (...ids: readonly string[]): string =>
  ids.map((id, n) => JSON.stringify({ id: `q${n}`, db_id: id, question: 'q', gold_sql: 'SELECT 1' })).join('\n');

describe('a dataset with links that lead out', () => {
  test.each([
    ['a database', 'set/databases/shop.sqlite', '/secret.sqlite', 'shop'],
    ['a folder of data', 'set/databases/shop', '', 'shop'],
    ['a database in a linked folder', 'set/databases', '', 'secret'],
  ])('%s: the question is reported with the link and where it leads', async (_, name, target, id) => {
    link(name, at(`outside${target}`));
    write('set/questions.jsonl', questions(id));
    await expect(loadDataset(at('set'))).rejects.toMatchObject({
      code: 'DATASET_INVALID',
      message: expect.stringContaining(`${at(name)} is a link that leads out of ${at('set')}, to ${at('outside')}`),
    });
  });

  test('a file that a row of one’s own questions names', async () => {
    link('set/x.sqlite', at('outside/secret.sqlite'));
    write('set/mine.jsonl', JSON.stringify({ question: 'q', sql: 'SELECT 1', database: 'x.sqlite' }));
    await expect(loadDataset(at('set/mine.jsonl'))).rejects.toMatchObject({
      message: expect.stringContaining('is a link that leads out'),
    });
  });

  test('its questions, its requirements and predictions', async () => {
    write('outside/text', questions('shop'));
    for (const name of ['linked/questions.jsonl', 'schemas/requirements.jsonl', 'answers/q0.sql'])
      link(name, at('outside/text'));
    write('set/databases/shop.sqlite', '');
    const dataset = await loadDataset(at('set'));
    const problem = { message: expect.stringContaining('is a link that leads out') };
    await expect(loadDataset(at('linked'))).rejects.toMatchObject(problem);
    await expect(loadSchemaDataset(at('schemas'))).rejects.toMatchObject(problem);
    await expect(loadPredictions(at('answers'), dataset)).rejects.toMatchObject(problem);
  });

  test('gold and documents of Spider 2.0', async () => {
    const task = { instance_id: 'local001', db: 'shop', question: 'q', external_knowledge: 'doc.md' };
    write('s/spider2-lite/spider2-lite.jsonl', JSON.stringify(task));
    const gold = 's/spider2-lite/evaluation_suite/gold';
    write(`${gold}/spider2lite_eval.jsonl`, JSON.stringify({ instance_id: 'local001', condition_cols: [] }));
    write(`${gold}/exec_result/local001.csv`, 'a\n1');
    write('s/spider2-lite/databases/shop.sqlite', '');
    write('outside/doc.md', 'secret');
    link('s/spider2-lite/resource/documents/doc.md', at('outside/doc.md'));
    const failed = await loadDataset(at('s/spider2-lite')).catch((thrown: Error) => thrown);
    expect(String(failed)).toContain('doc.md could not be read');
    expect(String(failed)).toContain('is a link that leads out');
  });

  test('links within it, and a link that the user named, are followed', async () => {
    write('set/files/one.sqlite', '');
    link('set/databases/shop.sqlite', '../files/one.sqlite');
    link('name', at('set'));
    expect((await loadDataset(at('name'))).problems).toEqual([]);
  });
});

describe('a folder of a run with links', () => {
  const open = () =>
    openResultsStore(
      at('run'),
      { name: 's', fingerprint: 'f' },
      {},
      { isResult: (line): line is never => !line, now: () => 0 },
    );

  test.each(['outside/victim.txt', 'run/own.txt', 'outside/new.txt'])(
    '--out does not write through one to %s',
    async (target) => {
      write('run/own.txt', 'kept');
      write('outside/victim.txt', 'kept');
      link('run/results.jsonl', at(target));
      await expect(open()).rejects.toMatchObject({
        code: 'JOURNAL_INVALID',
        message: expect.stringMatching(/results\.jsonl is a link/),
      });
      if (!target.includes('new')) expect(readFileSync(at(target), 'utf8')).toBe('kept');
      else expect(() => readFileSync(at(target))).toThrow('ENOENT');
    },
  );

  test('nor through a second name of a file elsewhere', async () => {
    write('outside/victim.txt', 'kept');
    mkdirSync(at('run'));
    linkSync(at('outside/victim.txt'), at('run/results.jsonl'));
    await expect(open()).rejects.toMatchObject({ code: 'JOURNAL_INVALID' });
    expect(readFileSync(at('outside/victim.txt'), 'utf8')).toBe('kept');
  });

  test('nothing outside is read as its summary', async () => {
    write('outside/summary.json', '{"stopped":"SECRET"}');
    link('run/summary.json', at('outside/summary.json'));
    await expect(readStoredSummary(at('run'))).rejects.toMatchObject({ code: 'JOURNAL_INVALID' });
  });

  test('nothing outside is read as a run', async () => {
    write('outside/results.jsonl', '{}\n');
    const store = await open();
    await store.close();
    rmSync(at('run/results.jsonl'));
    link('run/results.jsonl', at('outside/results.jsonl'));
    const problem = { code: 'JOURNAL_INVALID', message: expect.stringContaining('is a link that leads out') };
    await expect(readRun(at('run'))).rejects.toMatchObject(problem);
    await expect(readStoredRun(at('run'), (line): line is never => !line)).rejects.toMatchObject(problem);
    await expect(readBatch(at('run')).next()).rejects.toMatchObject(problem);
  });
});
