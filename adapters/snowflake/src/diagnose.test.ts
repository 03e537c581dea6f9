import type { Adapter } from '@askema/core';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { loadDriver } from './connection/driver.ts';
import type { SnowflakeOptions } from './snowflake-options.ts';
import { openOn } from './wire-stub/open-on.ts';
import { refusal, result, startWireStub } from './wire-stub/wire-stub.ts';

// The driver takes its time to load, the first time.
beforeAll(async () => void (await loadDriver()), 30_000);

const texts = (...names: readonly string[]) => names.map((name) => ({ name, type: 'text' }));

interface Account {
  readonly warehouse?: string | null;
  readonly database?: string | null;
  readonly role?: string;
  /** Privilege, kind, name; undefined where they may not be seen. */
  readonly grants?: readonly (readonly [string, string, string])[];
}

async function open(
  { warehouse = 'WH', database = 'DB', role = 'READER', grants }: Account,
  options: SnowflakeOptions = {},
): Promise<Adapter> {
  const stub = await startWireStub(({ path, body }) => {
    if (!path.endsWith('query-request')) return undefined;
    const sql = body?.sqlText ?? '';
    if (sql.startsWith('SELECT CURRENT_VERSION'))
      return result({
        columns: texts('1', '2', '3', '4', '5', '6', '7'),
        rows: [['9.34.0', 'ACC', 'ANNA', role, warehouse, database, 'PUBLIC']],
      });
    if (sql.startsWith('SHOW GRANTS TO ROLE'))
      return grants === undefined
        ? refusal('003001', 'Insufficient privileges')
        : result({ columns: texts('privilege', 'granted_on', 'name'), rows: grants, statementTypeId: 0x4400 });
    if (sql.startsWith('SHOW WAREHOUSES LIKE'))
      return result({
        columns: texts('name', 'state', 'auto_resume', 'resource_monitor'),
        rows: [['WH', 'SUSPENDED', 'true', 'null']],
        statementTypeId: 0x4400,
      });
    return refusal('001003', `not known: ${sql}`);
  });
  const adapter = openOn(stub, options);
  onTestFinished(async () => {
    await adapter.close();
    await stub.kill();
  });
  return adapter;
}

const READS = [
  ['USAGE', 'DATABASE', 'DB'],
  ['USAGE', 'WAREHOUSE', 'WH'],
  ['SELECT', 'TABLE', 'DB.S.T'],
] as const;

test('a role that may only read is the strongest protection', async () => {
  const adapter = await open({ grants: READS });
  expect(await adapter.diagnose()).toEqual({
    server: 'Snowflake 9.34.0',
    user: 'ANNA',
    place: { account: 'ACC', role: 'READER', warehouse: 'WH', database: 'DB', schema: 'PUBLIC' },
    readOnly: {
      by: 'grants',
      explanation: expect.stringContaining('The role READER has no privilege that changes anything'),
    },
    findings: [expect.objectContaining({ severity: 'info', code: 'no-resource-monitor' })],
  });
});

test.each([
  ['role-can-write', { grants: [...READS, ['INSERT', 'TABLE', 'DB.S.T']] }, /INSERT on TABLE DB\.S\.T/],
  ['role-can-write', { grants: [...READS, ['OWNERSHIP', 'TABLE', 'DB.S.T']] }, /OWNERSHIP on TABLE/],
  ['role-inherits', { grants: [['USAGE', 'ROLE', 'WRITER']] }, /WRITER/],
  ['role-is-admin', { role: 'ACCOUNTADMIN', grants: [] }, /ACCOUNTADMIN/],
  ['grants-unknown', {}, /READER/],
  ['no-warehouse', { warehouse: null, grants: READS }, /No warehouse/],
  ['no-database', { database: null, grants: READS }, /No database/],
] as const)('%s is found, with the SQL to mend it', async (code, account, message) => {
  const adapter = await open(account);
  const { findings, readOnly } = await adapter.diagnose();
  const finding = findings.find((candidate) => candidate.code === code);
  expect(finding?.message).toMatch(message);
  expect(finding?.fix).toMatch(/GRANT/);
  if (code.startsWith('role') || code.startsWith('grants')) expect(readOnly.by).toBe('engine');
});

test('opened for writing, nothing keeps statements from writing', async () => {
  const adapter = await open({ grants: READS }, { access: 'write' });
  expect((await adapter.diagnose()).readOnly.by).toBe('nothing');
});
