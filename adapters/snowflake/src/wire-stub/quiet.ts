// A program of the tests: one good statement and one into a 503 storm, then close. It must end by itself, and say nothing but its last line.
import { resolveAdapter } from '@askema/core';
import { snowflake } from '../snowflake.ts';

const [url = ''] = process.argv.slice(2);
const adapter = resolveAdapter(
  snowflake({ account: 'org-stub', user: 'u', password: 'secret-one', accessUrl: url, retryDelayMs: 20_000 }),
);
await adapter.query('SELECT 1');
const storm = await adapter.query('SELECT 2', { timeoutMs: 2_000 }).catch((error: { code: string }) => error.code);
await adapter.close();
process.stdout.write(JSON.stringify({ storm, closedAt: Date.now() }));
