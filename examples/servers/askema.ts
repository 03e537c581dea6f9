/** Askema as the applications beside this file mount it: one database, their login, an audit log. */
import { lexical } from '@askema/lexical';
import { createServer, fileAudit } from '@askema/server';
import { sqlite } from '@askema/sqlite';
import { auth } from './sessions.ts';

const { STORE = 'examples/store.sqlite', AUDIT = 'audit.jsonl' } = process.env;

export const askema = createServer({
  databases: { store: { open: () => ({ adapter: sqlite({ file: STORE }), text2sql: { model: lexical() } }) } },
  basePath: '/api/askema',
  audit: fileAudit({ file: AUDIT }),
  auth,
});
