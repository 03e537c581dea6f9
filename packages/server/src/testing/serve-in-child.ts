import { appendFileSync, writeSync } from 'node:fs';
import { createServer as createHttp } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Journal, JournalEntry, RunJournal } from '@askema/core';
import { jsonlJournal } from '@askema/core/node';
import { getRequestListener } from '@hono/node-server';
import { scriptedShop } from './scripted-shop.ts';
import { shopServer } from './shop-server.ts';

/**
 * A server in a process of its own, for tests that kill it. Each question that its model is asked is a line of a file.
 * - `gate`: asks one question under a key, says `gate` when its journal was written to for the first time, and stands
 *   still until it is killed; `through`: prints the outcome.
 * - `listen`: says its port, and drains on SIGTERM. Its model answers once that has begun.
 */
const [directory = '', calls = '', mode = ''] = process.argv.slice(2);

const say = (text: string): void => {
  writeSync(1, `${text}\n`);
};

const draining = Promise.withResolvers<void>();
const shop = scriptedShop({
  async onModel(question) {
    appendFileSync(calls, `${question}\n`);
    if (mode !== 'listen') return;
    say('asked');
    await draining.promise;
  },
});
const { server, json } = shopServer({
  shop,
  journal: mode === 'gate' ? gated(jsonlJournal({ directory })) : jsonlJournal({ directory }),
});

if (mode === 'listen') {
  const http = createHttp(getRequestListener(server.fetch));
  http.listen(0, '127.0.0.1', () => say(`port ${(http.address() as AddressInfo).port}`));
  process.once('SIGTERM', async () => {
    const drained = server.drain();
    say(`refused ${(await json('ann', 'POST', '/v1/ask', { question: 'Me too?' })).status}`);
    draining.resolve();
    await drained;
    await server.close();
    http.close(() => say('closed'));
    http.closeIdleConnections();
  });
} else {
  const headers = { 'idempotency-key': 'one' };
  const outcome = await json('ann', 'POST', '/v1/ask', { question: 'Who is there?' }, { headers });
  await server.close();
  const { runId, type, sql, result, error } = outcome;
  say(JSON.stringify({ runId, type, sql, rows: result?.rows, error }));
}

/** Says `gate` behind the first write, as a crash would come. */
function gated(journal: Journal): Journal {
  return {
    ...journal,
    async open(runId): Promise<RunJournal> {
      const run = await journal.open(runId);
      return {
        entries: run.entries,
        close: () => run.close(),
        async append(entries: readonly JournalEntry[]) {
          await run.append(entries);
          say('gate');
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
        },
      };
    },
  };
}
