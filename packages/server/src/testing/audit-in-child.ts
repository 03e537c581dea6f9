import { writeSync } from 'node:fs';
import { fileAudit } from '../audit/file-audit.ts';

/**
 * Writes an audit until it is killed, in a time in which every few lines a month begins. Says the id of each statement
 * once its line is kept.
 */
const [file = ''] = process.argv.slice(2);
let month = 0;
const clock = { now: () => Date.UTC(2020, Math.floor(month / 20), 1) };
const log = fileAudit({ file, rotate: 'month', runtime: { clock } });
const entry = { requestId: 'r', subject: 'ada', database: 'shop', route: 'POST /v1/sql', kind: 'statement' } as const;

async function write(): Promise<never> {
  for (;;) {
    month += 1;
    const id = await log.before(entry);
    writeSync(1, `${id}\n`);
    await log.after(id, { outcome: 'done', rows: 0, elapsedMs: 0 });
  }
}
await Promise.all(Array.from({ length: 8 }, write));
