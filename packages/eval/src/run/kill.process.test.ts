import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { seededRandom } from '../statistics/bootstrap.ts';
import type { EvaluationResult, EvaluationSummary } from './evaluation-result.ts';
import { bundleChild } from './fixtures/bundle-child.ts';

const CHILD = fileURLToPath(new URL('./fixtures/ledger-in-child.ts', import.meta.url));
const CONCURRENCY = 4;
const KILLS = 20;
/** Calls of one start at most, so that a machine that is slow to kill does not let it end. */
const LAST_CALL = 12;
const QUESTIONS = KILLS * LAST_CALL + 50;

/**
 * Starts a run and kills it with -9 right after its call number `calls`, or lets it end. Resolves with what it said.
 */
async function startAndKill(args: readonly string[], calls: number): Promise<string> {
  const child = spawn(process.execPath, [...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString();
    if (said.length >= calls) child.kill('SIGKILL');
  });
  await once(child, 'close');
  return said;
}

function linesOf(file: string): readonly string[] {
  return readFileSync(file, { encoding: 'utf8', flag: 'a+' }).split('\n').slice(0, -1);
}

it('killed with -9 at 20 moments, it loses nothing, and repeats at most what was under way', async () => {
  const root = mkdtempSync(path.join(tmpdir(), 'askema-kill-'));
  try {
    mkdirSync(path.join(root, 'databases'));
    writeFileSync(path.join(root, 'databases', 'shop.sqlite'), '');
    const ids = Array.from({ length: QUESTIONS }, (_, position) => `q${position}`);
    const rows = ids.map((id) => JSON.stringify({ id, db_id: 'shop', question: id, gold_sql: 'SELECT 1' }));
    writeFileSync(path.join(root, 'questions.jsonl'), rows.join('\n'));
    const out = path.join(root, 'out');
    const [ledger, results] = [path.join(root, 'ledger.txt'), path.join(out, 'results.jsonl')];
    const child = await bundleChild(CHILD, path.join(root, 'bundle'));
    const args = [child, root, out, ledger, String(CONCURRENCY)];
    const random = seededRandom(7);
    mkdirSync(out);
    for (let kill = 0; kill < KILLS; kill += 1) {
      const [paidBefore, doneBefore] = [linesOf(ledger), linesOf(results)];
      await startAndKill([...args, String(LAST_CALL)], 1 + Math.floor(random() * LAST_CALL));
      const done = linesOf(results);
      // Nothing that was on the disk is gone, and none of it is paid for again.
      expect(done.slice(0, doneBefore.length)).toEqual(doneBefore);
      const finished = new Set(doneBefore.map((line) => (JSON.parse(line) as EvaluationResult).id));
      const paidNow = linesOf(ledger).slice(paidBefore.length);
      expect(paidNow.filter((id) => finished.has(id))).toEqual([]);
      // What was paid for and is not on the disk was under way.
      expect(paidNow.length - (done.length - doneBefore.length)).toBeLessThanOrEqual(CONCURRENCY);
    }
    expect(linesOf(results).length).toBeLessThan(QUESTIONS);
    expect(await startAndKill(args, Number.POSITIVE_INFINITY)).toContain('done');

    const kept = linesOf(results).map((line) => (JSON.parse(line) as EvaluationResult).id);
    expect(kept.toSorted()).toEqual(ids.toSorted());
    const paid = linesOf(ledger);
    expect(new Set(paid).size).toBe(QUESTIONS);
    expect(paid.length).toBeLessThanOrEqual(QUESTIONS + KILLS * CONCURRENCY);
    const summary = JSON.parse(readFileSync(path.join(out, 'summary.json'), 'utf8')) as EvaluationSummary;
    expect(summary).toMatchObject({ unfinished: 0, total: { counts: { right: QUESTIONS } } });
    expect(summary.spentUsd).toBeCloseTo((QUESTIONS * 11) / 1_000_000, 12);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}, 180_000);
