import { isAskemaError, resolveAdapter } from '@askema/core';
import { sqlite } from '../index.ts';

/** Prints the error of one query, as JSON. */
const adapter = resolveAdapter(sqlite({ file: process.argv[2] ?? '' }));
try {
  await adapter.query('SELECT count(*) FROM sqlite_schema');
  process.stdout.write(JSON.stringify({ code: 'none', message: 'The query was answered.' }));
} catch (thrown) {
  process.stdout.write(JSON.stringify(isAskemaError(thrown) ? thrown : { code: 'none', message: String(thrown) }));
}
await adapter.close();
