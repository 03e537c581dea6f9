import {
  type AdapterSpec,
  AskemaError,
  buildCatalog,
  type Catalog,
  type Diagnosis,
  type PlanVerdict,
  type ResultEvent,
} from '@askema/core';
import { bigqueryDialect } from '@askema/dialects';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AddressOpeners } from '../../database/address-openers.ts';
import { createOutput } from '../../process/output.ts';
import { memoryHost } from '../../testing/memory-host.ts';
import { runInProcess } from '../../testing/run-in-process.ts';
import { SHOP_SQL, type TemporaryProject, temporaryProject } from '../../testing/temporary-project.ts';
import { type CheckDatabaseFlags, runCheckDatabase } from './check-database.ts';

let project: TemporaryProject;
beforeAll(() => {
  project = temporaryProject();
  project.database('shop.sqlite', SHOP_SQL);
  project.database('empty.sqlite', 'CREATE TABLE t (a); DROP TABLE t;');
});
afterAll(() => project.remove());

const check = (parameters: readonly string[], columns?: number) =>
  runInProcess(['check', ...parameters], { cwd: project.folder, ...(columns === undefined ? {} : { columns }) });

describe('askema check', () => {
  it('tells what can be seen of a SQLite file, and that a write is refused', async () => {
    const { code, stdout, stderr } = await check(['shop.sqlite']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/database +shop\.sqlite/);
    expect(stdout).toMatch(/server +SQLite/);
    expect(stdout).toMatch(/tables +views +columns +rows\n.* 2 +0 +6/);
    expect(stdout).toMatch(/keys +2 primary, 1 foreign\n/);
    expect(stdout).toMatch(
      /ok +refuse a write.*DELETE refused by its text; by the engine's plan: told as one that writes/,
    );
  });

  it('prints everything as JSON for machines', async () => {
    const { code, stdout } = await check(['shop.sqlite', '--json', '--include', 'customer']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      schemaVersion: 1,
      ok: true,
      dialect: 'SQLite',
      visible: { relations: 1, attributes: 3, primaryKeys: 1, namespaces: [{ name: '', tables: 1, rows: 5 }] },
      steps: [{ name: 'connect' }, { name: 'query' }, { name: 'schema' }, { name: 'refuse a write' }],
    });
  });

  it('warns where there is nothing to ask', async () => {
    const { code, stdout } = await check(['empty.sqlite']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/warning: No table and no view can be seen\. \[nothing-visible\]\n {4}fix: /);
    expect((await check(['shop.sqlite', '--include', 'nothing*'])).stdout).toContain('No table or view fits --include');
  });

  it.each([
    [['gone.sqlite'], 'DATABASE_NOT_FOUND'],
    [['oracle://ada:secret-word@db/shop'], 'CAPABILITY_UNSUPPORTED'],
    [['shop.sqlite', '--timeout', '3'], 'INPUT_INVALID'],
    [[], 'INPUT_INVALID'],
  ])('%j exits with 2', async (parameters, code) => {
    const finished = await check(parameters);
    expect(finished).toMatchObject({ code: 2, stdout: '' });
    expect(finished.stderr).toContain(`[${code}`);
    expect(finished.stderr).not.toMatch(/secret-word|\n\s+at /);
  });

  it('passes on how a missing driver is installed, and exits with 2', async () => {
    project.write(
      'missing.mjs',
      `import { loadPeer } from '@askema/core';
      const names = { peer: 'no-such-driver', range: '^8', neededBy: '@askema/postgres' };
      export default { databases: { shop: () => loadPeer(() => import('no-such-driver'), names) } };`,
    );
    const { code, stdout, stderr } = await check(['shop', '--config', 'missing.mjs']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^error: .*npm install "no-such-driver@\^8" \[DEPENDENCY_MISSING\]\n$/);
  });

  it('tells machines, too, why nothing was opened, without who connects', async () => {
    const { code, stdout, stderr } = await check(['oracle://ada:secret-word@db/shop', '--json']);
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: false,
      database: 'oracle://[redacted]@db/shop',
      error: { code: 'CAPABILITY_UNSUPPORTED' },
    });
    expect(stdout + stderr).not.toContain('secret-word');
  });
});

/** A warehouse as far as the command looks: what is not named here is fine. */
interface Fake {
  readonly diagnosis?: Partial<Diagnosis>;
  readonly diagnose?: () => Promise<Diagnosis>;
  readonly plan?: PlanVerdict;
  readonly introspect?: () => Promise<Catalog>;
  readonly query?: () => AsyncIterable<ResultEvent>;
}

const WAREHOUSE = buildCatalog({
  dialect: bigqueryDialect,
  name: 'p',
  relations: [
    {
      nameParts: { database: 'p', schema: 'sales', relation: 'orders' },
      kind: 'table',
      rowCount: 1_200_000,
      rowCountExact: true,
      comment: 'One a line',
      attributes: [
        { name: 'day', nativeType: 'DATE' },
        {
          name: 'items',
          nativeType: 'ARRAY<STRUCT<sku STRING>>',
          nestedFields: [{ path: ['[]', 'sku'], nativeType: 'STRING' }],
        },
      ],
      partitioning: { attributes: ['day'], filterRequired: true, kind: 'partition' },
    },
    {
      nameParts: { database: 'p', schema: 'archive', relation: 'orders' },
      kind: 'view',
      attributes: [{ name: 'day\u001b[2J', nativeType: 'DATE' }],
    },
  ],
  gaps: [{ subject: 'p.hr', reason: 'no right to list its tables\u001b[2J' }],
});

async function* rows(): AsyncGenerator<ResultEvent> {
  yield { type: 'columns', columns: [] };
  yield { type: 'end' };
}

async function checkFake(fake: Fake, flags: CheckDatabaseFlags = {}, interrupts = false) {
  const executed: string[] = [];
  const planned: string[] = [];
  let closed = 0;
  const host = memoryHost({ cwd: project.folder });
  const spec: AdapterSpec = {
    contract: 1,
    name: 'db/shop',
    access: 'read',
    dialect: bigqueryDialect,
    executor: {
      execute(sql) {
        executed.push(sql);
        return fake.query?.() ?? rows();
      },
    },
    introspector: { introspect: fake.introspect ?? (async () => WAREHOUSE) },
    planner: {
      async check(sql) {
        planned.push(sql);
        return fake.plan ?? { verdict: 'ok', statement: 'write' };
      },
    },
    diagnose:
      fake.diagnose ??
      (async () => ({
        server: 'BigQuery',
        user: 'reader@example.org',
        place: { project: 'p', location: 'EU' },
        readOnly: { by: 'grants' as const, explanation: 'Only dataViewer and jobUser.' },
        findings: [],
        ...fake.diagnosis,
      })),
    async close() {
      closed += 1;
    },
  };
  const opener = async () => async () => spec;
  const openers: AddressOpeners = {
    postgres: opener,
    mysql: opener,
    duckdb: opener,
    snowflake: opener,
    bigquery: opener,
  };
  const controller = new AbortController();
  if (interrupts) controller.abort(new DOMException('Stopped', 'AbortError'));
  const context = {
    host,
    out: createOutput(host.stdout, {}),
    err: createOutput(host.stderr, {}),
    signal: controller.signal,
    takeInterrupts: () => () => {},
    atEnd: () => {},
    endWithin: () => {},
  };
  const code = await runCheckDatabase('bigquery://p/sales', flags, context, openers).catch((error: unknown) => error);
  return { code, executed, planned, closed, ...host.written };
}

describe('askema check of a server', () => {
  it('tells who is connected, where, and what is there by schema', async () => {
    const { code, stdout, executed, planned, closed } = await checkFake({});
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /user +reader@example\.org\nproject +p\nlocation +EU\nread-only +by the grants: Only dataViewer/,
    );
    expect(stdout).toMatch(/p\.sales +1 +0 +2 +1,200,000\n +p\.archive +0 +1 +1\n/);
    expect(stdout).toMatch(/nested fields +1\n/);
    expect(stdout).toContain('not read: p.hr: no right to list its tables\\u{1b}[2J');
    expect(stdout).toMatch(/warning: One part of the schema could not be read.*\[not-all-read\]/);
    expect(stdout).toMatch(/info: Only with a filter on the partition: p\.sales\.orders \(day\)\./);
    expect(stdout).not.toContain('\u001b');
    expect(executed).toEqual(['SELECT 1']);
    expect(planned).toEqual([expect.stringMatching(/^DELETE FROM .* WHERE 1 = 0$/)]);
    expect(closed).toBe(1);
  });

  it('shows findings with their fix, worst first, and exits with 1 where one is an error', async () => {
    const findings = [
      { severity: 'info', code: 'no-role', message: 'Default role.' },
      {
        severity: 'error',
        code: 'role-can-write',
        message: 'reader may INSERT.',
        fix: 'REVOKE INSERT\nON t FROM reader;',
      },
    ] as const;
    const { code, stdout } = await checkFake({ diagnosis: { findings } });
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /Findings\nerror: reader may INSERT\. \[role-can-write\]\n {4}fix: REVOKE INSERT\n {4}ON t FROM reader;\n/,
    );
    expect(stdout.indexOf('role-can-write')).toBeLessThan(stdout.indexOf('no-role'));
  });

  it.each([
    ['nothing', 1, /error: Nothing keeps statements from writing/],
    ['text', 0, /warning: Only the text of a statement is looked at/],
  ] as const)('reads a standing by %s as exit code %s', async (by, expected, message) => {
    const { code, stdout } = await checkFake({ diagnosis: { readOnly: { by, explanation: 'So it is.' } } });
    expect(code).toBe(expected);
    expect(stdout).toMatch(message);
  });

  it.each([
    [{ verdict: 'ok', statement: 'read' }, 1, 'taken for reading'],
    [{ verdict: 'unknown' }, 0, 'not known'],
    [{ verdict: 'invalid', error: { message: 'm', details: { code: 'QUERY_NOT_READ_ONLY' } } }, 0, 'plan: refused;'],
    [{ verdict: 'invalid', error: { message: 'm' } }, 0, 'refused for another reason'],
  ] as const)('judges a planner that says %j of a DELETE, and never runs one', async (plan, expected, words) => {
    const { code, stdout, executed } = await checkFake({ plan });
    expect(code).toBe(expected);
    expect(stdout).toContain(words);
    expect(executed).toEqual(['SELECT 1']);
  });

  it('goes on where the schema or a query fails: each is a finding', async () => {
    const { code, stdout } = await checkFake({
      introspect: async () => {
        throw new AskemaError('QUERY_FAILED', 'permission denied for schema sales');
      },
      query: () => {
        throw new AskemaError('QUERY_FAILED', 'no warehouse is running');
      },
    });
    expect(code).toBe(1);
    expect(stdout).toMatch(/error: The schema could not be read: permission denied for schema sales \[QUERY_FAILED\]/);
    expect(stdout).toMatch(/error: A plain SELECT 1 failed: no warehouse is running/);
    expect(stdout).toMatch(/failed +schema .*QUERY_FAILED/);
    expect(stdout).toMatch(/ok +refuse a write/);
  });

  it('stops with one message where nothing can be reached, and closes what was opened', async () => {
    const gone = new AskemaError('DATABASE_UNAVAILABLE', 'Nothing listens at db:5432; start the server.');
    const diagnose = () => Promise.reject(gone);
    const { code, stdout, closed } = await checkFake({ diagnose }, { json: true });
    expect(code).toMatchObject({ code: 'DATABASE_UNAVAILABLE' });
    expect(JSON.parse(stdout)).toMatchObject({
      ok: false,
      error: { code: 'DATABASE_UNAVAILABLE', message: gone.message },
      steps: [{ name: 'connect', error: { code: 'DATABASE_UNAVAILABLE' } }],
    });
    expect(closed).toBe(1);
  });

  it('stops on Ctrl-C', async () => {
    const { code, closed } = await checkFake({}, {}, true);
    expect(code).toMatchObject({ name: 'AbortError' });
    expect(closed).toBe(1);
  });

  it('gives up reading the schema at --timeout', async () => {
    const introspect = async (): Promise<Catalog> => {
      await new Promise((resolve) => setTimeout(resolve, 30));
      throw new AskemaError('ABORTED', 'Stopped.');
    };
    const { code, stdout } = await checkFake({ introspect }, { timeout: '10ms' });
    expect(code).toBe(1);
    expect(stdout).toMatch(/Reading the schema took longer than 10 ms\. Raise --timeout/);
  });
});
