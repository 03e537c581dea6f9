import { snowflake } from '@askema/snowflake';
import { scriptedModel } from '@askema/testkit';
import { createText2Sql, plain } from '@askema/text2sql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type StartedServer, startServer } from '../../servers/start-server.ts';

let server: StartedServer;
let url = '';

beforeAll(async () => {
  server = await startServer('fakesnow/start.mjs', [], {
    needs: 'Python 3.11 or newer with venv or pip, and PyPI (Debian: apt-get install python3-venv)',
    timeoutMs: 600_000,
  });
  url = `http://127.0.0.1:${String(server.ready.port)}`;
  const place = {
    database: 'SHOP',
    schema: 'PUBLIC',
    snowflake: [
      'CREATE TABLE orders (id NUMBER(38,0), "shipTo" VARIANT, amount NUMBER(12,2))',
      `INSERT INTO orders SELECT 1, PARSE_JSON('{"city":"Kyoto"}'), 10.50 UNION ALL SELECT 2, PARSE_JSON('{"city":"Łódź"}'), 2.25 UNION ALL SELECT 3, PARSE_JSON('{"city":"Kyoto"}'), 1`,
    ],
  };
  const loaded = await fetch(`${url}/stand-in/load`, { method: 'POST', body: JSON.stringify(place) });
  expect(await loaded.json()).toEqual({ success: true });
}, 600_000);

afterAll(() => server?.stop());

test('the plain flow answers over fields of a VARIANT; a wrong name is repaired by what the server says', async () => {
  const wrong = 'SELECT SUM(o.amonut) FROM SHOP.PUBLIC.ORDERS o';
  const right = `SELECT o."shipTo":city::VARCHAR AS city, SUM(o.AMOUNT) AS total FROM SHOP.PUBLIC.ORDERS o GROUP BY 1 ORDER BY 2 DESC`;
  const explanation = 'as asked';
  const model = scriptedModel([
    { json: { outcome: 'sql', sql: wrong, explanation, not_understood: [] } },
    { json: { sql: right, explanation } },
  ]);
  const adapter = snowflake({ account: 'fakesnow', user: 'fake', password: 'snow', accessUrl: url, database: 'SHOP' });
  try {
    const outcome = await createText2Sql({ adapter, model, flow: plain() }).ask('Amount per city?');
    expect(outcome).toMatchObject({
      type: 'answered',
      sql: right,
      result: {
        // Snowflake adds decimals up to a decimal, fakesnow to a double.
        rows: [
          ['Kyoto', 11.5],
          ['Łódź', 2.25],
        ],
      },
      executions: 2,
    });
    const [asked, repaired] = model.requests.map(({ messages }) => JSON.stringify(messages));
    expect(asked).toContain('SHOP.PUBLIC.ORDERS');
    expect(asked).toMatch(/shipTo.{0,40}city/s);
    expect(repaired).toContain('AMONUT');
  } finally {
    await adapter.close();
  }
}, 60_000);
