import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { openOn } from '../wire-stub/open-on.ts';
import { refusal, result, type StubAnswer, startWireStub } from '../wire-stub/wire-stub.ts';
import { loadDriver } from './driver.ts';

// The driver takes its time to load, the first time.
beforeAll(async () => void (await loadDriver()), 30_000);

const COLUMNS = result({
  columns: ['table_name', 'schema_name', 'column_name'].map((name) => ({ name, type: 'text' })),
  rows: [
    ['CUSTOMER', 'PUBLIC', 'ID'],
    ['CUSTOMER', 'PUBLIC', 'EMAIL'],
  ],
});

async function open(columns: StubAnswer) {
  const stub = await startWireStub(({ path, body }) => {
    if (!path.endsWith('query-request')) return undefined;
    if (body?.sqlText?.startsWith('SHOW COLUMNS')) return columns;
    return refusal('000904', "SQL compilation error: error line 1 at position 7\ninvalid identifier 'EMIAL'");
  });
  onTestFinished(() => stub.kill());
  const adapter = openOn(stub);
  onTestFinished(() => adapter.close());
  const fail = () => adapter.query('SELECT emial FROM customer').catch((error: unknown) => error);
  const asked = () => stub.seen('query-request').filter(({ body }) => body?.sqlText?.startsWith('SHOW COLUMNS')).length;
  return { fail, asked };
}

test('a wrong name is told the nearest ones, which are asked for once', async () => {
  const { fail, asked } = await open(COLUMNS);
  for (let round = 0; round < 2; round += 1)
    expect(await fail()).toMatchObject({
      code: 'QUERY_FAILED',
      message: expect.stringContaining('Did you mean `EMAIL`?'),
      details: { errorClass: 'identifier', nearestNames: ['EMAIL'] },
    });
  expect(asked()).toBe(1);
});

test('where names may not be listed, the error is what the server said', async () => {
  const { fail, asked } = await open(refusal('003001', 'SQL access control error: Insufficient privileges'));
  expect(await fail()).toMatchObject({
    code: 'QUERY_FAILED',
    details: { errorClass: 'identifier', vendorCode: '000904' },
  });
  await fail();
  expect(asked()).toBe(1);
});
