import { appendFileSync, readFileSync, writeSync } from 'node:fs';
import { createServer as createHttp } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Journal, RunJournal } from '@askema/core';
import { jsonlJournal } from '@askema/core/node';
import { getRequestListener } from '@hono/node-server';
import { fileAudit } from '../audit/file-audit.ts';
import { itemShop } from './item-shop.ts';
import { shopServer } from './shop-server.ts';

/**
 * A server in a process of its own that ends by SIGKILL when it has done something so many times: `call` when its model
 * was asked, `statement` when its database was; `before`, `half` and `behind` a write of its journal. Says its port.
 * Paid calls and statements are lines of `calls.jsonl` and `statements.jsonl`.
 */
const [folder = '', moment = 'never', most = '0'] = process.argv.slice(2);
const runs = join(folder, 'runs');
const auditFile = join(folder, 'audit.jsonl');

let left = Number(most);
const isMoment = (name: string): boolean => {
  if (name !== moment) return false;
  left -= 1;
  return left === 0;
};
const end = (): void => {
  process.kill(process.pid, 'SIGKILL');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
};
const keep = (file: string, line: object): void => appendFileSync(join(folder, file), `${JSON.stringify(line)}\n`);

function mortal(journal: Journal): Journal {
  return {
    ...journal,
    async open(runId): Promise<RunJournal> {
      const run = await journal.open(runId);
      return {
        ...run,
        async append(entries) {
          if (isMoment('before')) end();
          if (isMoment('half')) {
            const text = JSON.stringify(entries[0]);
            appendFileSync(join(runs, `${runId}.jsonl`), text.slice(0, text.length / 2));
            end();
          }
          await run.append(entries);
          if (isMoment('behind')) end();
        },
      };
    },
  };
}

const shop = itemShop({
  async onCall(call) {
    keep('calls.jsonl', call);
    // Others get on meanwhile.
    await new Promise((resolve) => setImmediate(resolve));
    if (isMoment('call')) end();
  },
  onStatement(sql) {
    const lines = readFileSync(auditFile, 'utf8').split('\n');
    const audited = lines.filter((line) => line.includes('"phase":"before"') && line.includes(`${sql}"`)).length;
    keep('statements.jsonl', { sql, audited });
    if (isMoment('statement')) end();
  },
});
const { server } = shopServer({
  databases: { shop },
  journal: mortal(jsonlJournal({ directory: runs, fsync: false })),
  audit: fileAudit({ file: auditFile, sql: 'text' }),
});
const http = createHttp(getRequestListener(server.fetch));
http.listen(0, '127.0.0.1', () => writeSync(1, `port ${(http.address() as AddressInfo).port}\n`));
