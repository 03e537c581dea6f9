import { appendFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../../contract.ts';
import { folderEvaluations } from '../../evaluations/folder-evaluations.ts';
import { shopServer } from '../../testing/shop-server.ts';

const root = mkdtempSync(join(tmpdir(), 'askema-evaluations-'));
const folder = join(root, 'results');
afterAll(() => rmSync(root, { recursive: true }));

const result = (at: number, verdict: string) => ({
  ...{ schemaVersion: 1, id: `q${at}`, databaseId: 'shop', category: 'count', difficulty: 'easy' },
  ...{ question: `Question ${at}?`, verdict, outcome: verdict === 'failed' ? 'failed' : 'answered' },
  ...{ sql: 'SELECT 1', goldSql: ['SELECT gold'], usage: {}, calls: 1, executions: 1, elapsedMs: 3, costUsd: 0.5 },
  ...{ warnings: [], finishedAt: '2026-11-02T00:00:00.000Z' },
  ...(verdict === 'failed'
    ? { reason: 'No file /srv/shop.db', error: { code: 'QUERY_FAILED', message: '/srv/shop.db' } }
    : {}),
});

function writeRun(place: string, startedAt: string, verdicts: readonly string[], summary?: object): void {
  mkdirSync(place, { recursive: true });
  const run = {
    ...{ schemaVersion: 1, runId: 'r', dataset: { name: 'shop questions', fingerprint: 'f' }, startedAt },
    configuration: { model: 'lexical', database: 'postgres://ann:hunter22@db/shop' },
  };
  writeFileSync(join(place, 'run.json'), JSON.stringify(run));
  writeFileSync(
    join(place, 'results.jsonl'),
    verdicts.map((one, at) => `${JSON.stringify(result(at + 1, one))}\n`).join(''),
  );
  if (summary !== undefined) writeFileSync(join(place, 'summary.json'), JSON.stringify(summary));
}

beforeAll(() => {
  writeRun(join(folder, 'first'), '2026-11-01T00:00:00.000Z', ['right', 'wrong', 'right', 'failed', 'goldFailed'], {
    ...{ schemaVersion: 1, problems: [], unfinished: 0, byDifficulty: [{ name: 'easy', accuracy: 0.5 }] },
    failures: [{ code: 'QUERY_FAILED', questions: 1, firstId: 'q4', message: '/srv/shop.db' }],
  });
  writeRun(join(folder, 'under way'), '2026-11-02T00:00:00.000Z', []);
  writeRun(join(root, 'outside'), '2026-11-03T00:00:00.000Z', ['right']);
  mkdirSync(join(folder, 'no-run'));
  writeFileSync(join(folder, 'file'), '');
  symlinkSync(join(root, 'outside'), join(folder, 'link'));
});

const CALLERS: readonly Caller[] = [
  { subject: 'ann', scopes: ['evaluations'] },
  { subject: 'admin', scopes: ['admin', 'ask', 'sql', 'history'] },
  { subject: 'one', scopes: ['*@shop'] },
];
const serving = (options = {}) =>
  shopServer({ callers: CALLERS, evaluations: folderEvaluations({ folder }), ...options });

describe('evaluations', () => {
  it('are listed, newest first: date, scores, cost, configuration without secrets', async () => {
    const { json } = serving();
    const { evaluations } = await json('ann', 'GET', '/v1/evaluations');
    expect(evaluations).toMatchObject([
      { id: 'under way', counts: { right: 0 } },
      {
        ...{
          id: 'first',
          dataset: 'shop questions',
          startedAt: '2026-11-01T00:00:00.000Z',
          accuracy: 0.5,
          costUsd: 2.5,
        },
        ...{ counts: { right: 2, wrong: 1, failed: 1, goldFailed: 1 }, unfinished: 0 },
        configuration: { model: 'lexical' },
      },
    ]);
    expect(evaluations[0]).not.toHaveProperty('accuracy');
    expect(JSON.stringify(evaluations)).not.toMatch(/hunter22|gold"|SELECT/);
  });

  it('are read again for a list only where they have changed', async () => {
    const place = join(root, 'changing');
    const write = (name: string, verdict: string): void => {
      writeRun(join(place, name), `2026-11-0${name.length}T00:00:00.000Z`, [verdict]);
      for (const file of ['run.json', 'results.jsonl']) utimesSync(join(place, name, file), 1_000, 1_000);
    };
    for (const name of ['old', 'newer']) write(name, 'right');
    const { json } = serving({ evaluations: folderEvaluations({ folder: place }) });
    const list = async () => (await json('ann', 'GET', '/v1/evaluations')).evaluations;
    await list();
    // As long as before, with the time of before: nothing tells that it is another one.
    write('old', 'wrong');
    appendFileSync(join(place, 'newer', 'results.jsonl'), `${JSON.stringify(result(2, 'wrong'))}\n`);
    expect(await list()).toMatchObject([
      { id: 'newer', counts: { right: 1, wrong: 1 } },
      { id: 'old', counts: { right: 1, wrong: 0 } },
    ]);
  });

  it('are shown by difficulty, without words of errors', async () => {
    const { json } = serving();
    const shown = await json('ann', 'GET', '/v1/evaluations/first');
    expect(shown).toMatchObject({
      ...{ id: 'first', accuracy: 0.5 },
      summary: { byDifficulty: [{ name: 'easy' }], failures: [{ code: 'QUERY_FAILED', questions: 1 }] },
    });
    expect(JSON.stringify(shown)).not.toContain('/srv');
    expect(await json('ann', 'GET', '/v1/evaluations/under%20way')).not.toHaveProperty('summary');
  });

  it('have items page by page', async () => {
    const { json } = serving();
    const path = '/v1/evaluations/first/items';
    const first = await json('ann', 'GET', `${path}?limit=3`);
    expect(first.items).toMatchObject([{ id: 'q1', goldSql: ['SELECT gold'] }, { id: 'q2' }, { id: 'q3' }]);
    const second = await json('ann', 'GET', `${path}?limit=3&after=${first.next}`);
    expect(second.items).toMatchObject([{ id: 'q4', code: 'QUERY_FAILED' }, { id: 'q5' }]);
    expect(second).not.toHaveProperty('next');
    expect(JSON.stringify(second)).not.toContain('/srv');
    expect((await json('ann', 'GET', `${path}?verdict=wrong`)).items).toMatchObject([{ id: 'q2' }]);
    for (const query of ['after=q9', 'limit=0', 'limit=501', 'verdict=odd'])
      expect(await json('ann', 'GET', `${path}?${query}`)).toMatchObject({ status: 400 });
  });

  it.each([
    ...['none', 'no-run', 'file', 'link', '..', '%2e%2e', '..%2foutside', '..%2fresults%2ffirst', 'first%2f', '%00'],
    encodeURIComponent(join(folder, 'first')),
  ])('%s is none of them', async (id) => {
    const { json } = serving();
    for (const path of [`/v1/evaluations/${id}/items`, `/v1/evaluations/${id}`])
      expect((await json('ann', 'GET', path)).status).toBe(404);
  });

  it('are for the scope alone, for all databases, and there only where the server has them', async () => {
    const { json } = serving();
    for (const who of ['admin', 'one'])
      for (const path of ['', '/first', '/first/items'])
        expect(await json(who, 'GET', `/v1/evaluations${path}`)).toMatchObject({ status: 403 });
    expect(await serving({ evaluations: undefined }).json('ann', 'GET', '/v1/evaluations')).toMatchObject({
      ...{ status: 501, error: { code: 'CAPABILITY_UNSUPPORTED' } },
    });
    const folders: unknown[] = [];
    const folderOf = (who: { readonly tenant?: string | undefined }): string => {
      folders.push(who);
      return join(root, `${who.tenant}`);
    };
    const byTenant = folderEvaluations({ folder: folderOf });
    const callers = [{ subject: 'bob', tenant: 'results', scopes: ['*'] }];
    const own = await serving({ callers, evaluations: byTenant }).json('bob', 'GET', '/v1/evaluations');
    expect([own.evaluations.length, folders]).toEqual([2, [{ subject: 'bob', tenant: 'results', role: undefined }]]);
  });
});
