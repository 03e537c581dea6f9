import { memoryJournal } from '@askema/core';
import { scriptedModel } from '@askema/testkit';
import { describe, expect, it } from 'vitest';
import type { AuditEntry, AuditOutcome, Caller } from '../../contract.ts';
import { BOOKS, CONTRADICTORY, scriptedDesigner } from '../../testing/scripted-designer.ts';
import { eventsOf, type ShopServerOptions, shopServer } from '../../testing/shop-server.ts';

function designing(options: ShopServerOptions = {}) {
  const designer = scriptedDesigner();
  const served = shopServer({ design: designer.design, ...options });
  const design = (who: string, requirement: string, key?: string) =>
    served.json(
      who,
      'POST',
      '/v1/designs',
      { requirement },
      key === undefined ? {} : { headers: { 'idempotency-key': key } },
    );
  return { ...served, ...designer, design };
}

describe('POST /v1/designs', () => {
  it('counts as a question that is there until its answer was read', async () => {
    const { send, design } = designing({ limits: { questionsAtOnce: 1 } });
    const headers = { accept: 'text/event-stream' };
    const first = await send('ann', 'POST', '/v1/designs', { body: { requirement: BOOKS }, headers });
    expect(await design('ann', BOOKS)).toMatchObject({ status: 429, error: { details: { limit: 'questionsAtOnce' } } });
    await first.body?.cancel();
    expect(await design('ann', BOOKS)).toMatchObject({ status: 200 });
  });

  it('gives a schema and its DDL, once for a key, and stands in the history', async () => {
    const { design, json, asked } = designing();
    const first = await design('ann', BOOKS, 'k');
    expect(first).toMatchObject({
      status: 200,
      type: 'designed',
      ddl: expect.stringContaining('CREATE TABLE'),
      calls: 4,
    });
    expect(asked).toEqual(['report', 'conceptual-model', 'logical-design', 'logical-design']);
    expect(await design('ann', BOOKS, 'k')).toEqual(first);
    expect(await json('ann', 'GET', `/v1/designs/${first.runId}`)).toMatchObject({
      ...{ id: first.runId, requirement: BOOKS, status: 'ended' },
      outcome: { type: 'designed', ddl: first.ddl },
    });
    expect(asked).toHaveLength(4);
    expect(await design('ann', `${BOOKS} Now.`, 'k')).toMatchObject({ status: 409 });
    expect((await json('ann', 'GET', '/v1/history')).entries).toMatchObject([
      { id: first.runId, kind: 'design', text: BOOKS, outcome: 'designed' },
    ]);
    expect(await json('ann', 'GET', `/v1/runs/${first.runId}`)).toMatchObject({ status: 404 });
  });

  it('tells the steps of its roles, the outcome last', async () => {
    const { send } = designing();
    const init = { headers: { accept: 'text/event-stream' }, body: { requirement: BOOKS } };
    const events = await eventsOf(await send('ann', 'POST', '/v1/designs', init));
    expect([...new Set(events.map(({ event }) => event))]).toEqual(['started', 'step', 'outcome']);
    expect(events.map(({ data }) => data.step)).toEqual(
      expect.arrayContaining(['product-manager', 'logical-designer']),
    );
    expect(events.at(-1)?.data).toMatchObject({ type: 'designed', runId: events[0]?.data.run });
  });

  it('asks back, and goes on with answers after a restart; they are taken once', async () => {
    const journal = memoryJournal();
    const first = designing({ journal });
    const asked = await first.design('ann', CONTRADICTORY);
    expect(asked).toMatchObject({ type: 'needsClarification', questions: [{ assumption: 'Several.' }] });
    const { json, asked: tasks } = designing({ journal });
    const answer = (answers: unknown, who = 'ann') =>
      json(who, 'POST', `/v1/designs/${asked.runId}/answer`, { answers });
    expect(await answer(['One.'], 'bob')).toMatchObject({ status: 404, error: { code: 'RUN_NOT_FOUND' } });
    const designed = await answer(['One.']);
    expect(designed).toMatchObject({ type: 'designed', runId: `${asked.runId}~2` });
    expect(designed.artefacts.report.clarifications).toMatchObject([{ answer: 'One.' }]);
    expect(tasks).toHaveLength(4);
    expect(await answer(['One.'])).toEqual(designed);
    expect(await answer([null])).toMatchObject({ status: 409 });
    expect(await json('ann', 'POST', `/v1/designs/${designed.runId}/answer`, { answers: ['x'] })).toMatchObject({
      status: 400,
    });
    expect(tasks).toHaveLength(4);
    expect((await json('ann', 'GET', '/v1/history')).entries).toMatchObject([{ outcome: 'designed' }]);
  });

  it.each(['', ' A book has exactly one author. A book may have several authors.'])(
    'broken off by its reader, it goes on where it stopped%s',
    async (more) => {
      const journal = memoryJournal();
      const { design, json, standing } = designing({ journal });
      const requirement = `${BOOKS} slow.${more}`;
      const leaving = new AbortController();
      const path = more === '' ? '/v1/designs' : `/v1/designs/${(await design('ann', requirement)).runId}/answer`;
      const body = more === '' ? { requirement } : { answers: ['One.'] };
      json('ann', 'POST', path, body, { signal: leaving.signal }).catch(() => undefined);
      await standing();
      const [entry] = (await json('ann', 'GET', '/v1/history')).entries;
      const run = more === '' ? entry.id : `${entry.id}~2`;
      expect(await json('ann', 'GET', `/v1/designs/${run}`)).toMatchObject({ status: 'running' });
      leaving.abort();
      await expect.poll(async () => (await json('ann', 'GET', `/v1/designs/${run}`)).status).toBe('interrupted');
      const again = scriptedDesigner();
      const other = shopServer({ journal, design: again.design });
      const cancelled = other.json('ann', 'POST', `/v1/designs/${run}/resume`);
      await again.standing();
      expect(await other.json('ann', 'DELETE', `/v1/designs/${run}`)).toMatchObject({
        ...{ status: 'ended', outcome: { type: 'cancelled' } },
      });
      expect(await cancelled).toMatchObject({ type: 'cancelled' });
      // The report was paid for before.
      expect(again.asked).toEqual(['conceptual-model']);
    },
  );

  it('counts as a question, and its tokens for the day', async () => {
    const few = designing({ limits: { questionsPerMinute: 1 } });
    await few.design('ann', BOOKS);
    expect(await few.design('ann', `${BOOKS} More.`)).toMatchObject({ status: 429 });
    expect(await few.json('ann', 'POST', '/v1/ask', { question: 'Who?' })).toMatchObject({ status: 429 });
    const model = scriptedModel(() => ({ text: 'no', usage: { inputTokens: 50_000, outputTokens: 10 } }));
    const { design } = scriptedDesigner({ model, budget: { maxCalls: 2 } });
    const day = designing({ design, limits: { tokensPerDay: 50_000 } });
    expect((await day.design('ann', BOOKS)).status).toBe(200);
    expect(model.requests.length).toBeLessThanOrEqual(2);
    expect(await day.design('ann', `${BOOKS} More.`)).toMatchObject({
      error: { code: 'LIMIT_EXCEEDED', details: { limit: 'tokensPerDay' } },
    });
  });

  it('leaves two lines in the audit, without its words', async () => {
    const lines: (AuditEntry | AuditOutcome)[] = [];
    const audit = {
      before: async (entry: AuditEntry) => `${lines.push(entry)}`,
      after: async (_: string, outcome: AuditOutcome) => void lines.push(outcome),
    };
    await designing({ audit }).design('ann', BOOKS);
    expect(lines).toMatchObject([
      {
        kind: 'design',
        subject: 'ann',
        tenant: 'north',
        route: 'POST /v1/designs',
        question: expect.stringMatching(/^sha256/),
      },
      { outcome: 'done', rows: 0 },
    ]);
    expect(JSON.stringify(lines)).not.toContain('Books');
    const broken = { ...audit, before: () => Promise.reject(new Error('disk full')) };
    const { design, asked } = designing({ audit: broken });
    expect((await design('ann', BOOKS)).status).toBe(500);
    expect(asked).toHaveLength(0);
  });

  it('is there only where the server designs and for who may; what is no requirement leaves nothing', async () => {
    expect(await shopServer().json('ann', 'POST', '/v1/designs', { requirement: BOOKS })).toMatchObject({
      error: { code: 'CAPABILITY_UNSUPPORTED' },
    });
    const callers: readonly Caller[] = [
      { subject: 'cat', scopes: ['catalog'] },
      { subject: 'ann', scopes: ['design', 'history'] },
    ];
    const { design, json } = designing({ callers });
    expect(await design('cat', BOOKS)).toMatchObject({ status: 403 });
    expect(await design('ann', ' … ')).toMatchObject({ status: 400, error: { code: 'INPUT_INVALID' } });
    expect(await json('ann', 'GET', '/v1/history')).toMatchObject({ entries: [] });
    expect(await design('ann', BOOKS)).toMatchObject({ type: 'designed' });
  });
});
