import type { AdapterSpec, ExecuteOptions, ResultEvent, ScopeOptions } from '@askema/core';
import { sqliteDialect } from '@askema/dialects';
import { z } from 'zod';
import type { Caller, ServedDatabase, ServerOptions } from '../contract.ts';
import type { Route } from '../routes/route.ts';
import { serveRoutes } from '../server.ts';
import { SHOP } from './shop-catalog.ts';
import { subjectKeys } from './subject-keys.ts';

export const CANARY = 'cell-canary-77';

/** What a fake database was asked, by whom: `TENANT/ROLE: SQL`. */
export interface FakeDatabase extends ServedDatabase {
  readonly asked: string[];
  readonly opened: string[];
  readonly closed: string[];
}

export interface FakeOptions {
  readonly before?: ((who: string) => Promise<void> | void) | undefined;
  readonly run?: ((sql: string, options: ExecuteOptions) => AsyncIterable<ResultEvent>) | undefined;
  readonly parts?: Partial<AdapterSpec> | undefined;
}

/** A database whose every statement yields one row with {@link CANARY}. */
export function fakeDatabase({ before, run, parts }: FakeOptions = {}): FakeDatabase {
  const [asked, opened, closed]: [string[], string[], string[]] = [[], [], []];
  const spec = (who: string): AdapterSpec => ({
    contract: 1,
    dialect: sqliteDialect,
    name: 'fake',
    access: 'read',
    executor: {
      async *execute(sql, options) {
        asked.push(`${who}: ${sql}`);
        if (run !== undefined) return yield* run(sql, options);
        yield { type: 'columns', columns: [{ name: 'n', nativeType: '', type: 'TEXT' }] };
        yield { type: 'rows', rows: [[CANARY]] };
        yield { type: 'end', bytesProcessed: 10 };
      },
    },
    introspector: { introspect: async () => SHOP },
    planner: { check: async () => ({ verdict: 'ok', estimatedBytes: 10 }) },
    scope: ({ role }: ScopeOptions) => ({
      ...spec(`${who.split('/')[0]}/${role ?? '-'}`),
      close: async () => undefined,
    }),
    close: async () => {
      closed.push(who);
    },
    ...parts,
  });
  return {
    asked,
    opened,
    closed,
    async open({ tenant, role }) {
      opened.push(`${tenant ?? '-'}/${role ?? '-'}`);
      await before?.(tenant ?? '-');
      return { adapter: spec(`${tenant ?? '-'}/-`) };
    },
  };
}

/** A route that runs what it is sent. */
export const SQL_ROUTE: Route = {
  method: 'POST',
  path: '/sql/:database',
  scope: 'sql',
  summary: 'Run a statement',
  async handle(call) {
    const { sql } = await call.body(z.object({ sql: z.string() }));
    const { adapter } = await call.database(call.param('database'));
    const { rows } = await adapter.query(sql, { context: { ...CONTEXT, signal: call.signal } });
    return { rows };
  },
};

export const CONTEXT = { runId: 'run', path: 'call', idempotencyKey: 'run/call', tags: {} };

/** A server whose callers send their subject as the key. */
export function fakeServer(
  callers: readonly Caller[],
  options: Partial<ServerOptions> & Pick<ServerOptions, 'databases'>,
  routes: readonly Route[] = [SQL_ROUTE],
) {
  const auth = subjectKeys(callers);
  const server = serveRoutes({ auth, ...options }, routes);
  const send = (path: string, key: string | undefined, init: RequestInit & { readonly body?: string } = {}) => {
    const headers = new Headers({
      'content-type': 'application/json',
      ...Object.fromEntries(new Headers(init.headers)),
    });
    if (key !== undefined) headers.set('authorization', `Bearer ${key}`);
    return server.fetch(new Request(`http://localhost${path}`, { ...init, headers }));
  };
  const sql = (key: string, database: string, text: string) =>
    send(`/sql/${database}`, key, { method: 'POST', body: JSON.stringify({ sql: text }) });
  return { server, send, sql };
}
