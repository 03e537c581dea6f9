import { describe, expect, it, vi } from 'vitest';
import { rpcOf } from '../../testing/mcp-request.ts';
import { scriptedShop } from '../../testing/scripted-shop.ts';
import { shopServer } from '../../testing/shop-server.ts';

const LINES = { headers: { accept: 'application/x-ndjson' } };
const SQL = 'SELECT name FROM users';

describe('POST /v1/sql', () => {
  it('gives exact values, and says where rows were cut', async () => {
    const rows = [[2n ** 53n + 1n], [Number.NaN], [null]];
    const { json } = shopServer({ shop: scriptedShop({ rows: () => rows }) });
    const whole = await json('ann', 'POST', '/v1/sql', { sql: SQL });
    expect(whole).toMatchObject({ status: 200, rowCount: 3, columns: [{ name: 'c0' }], findings: expect.any(Array) });
    expect(JSON.stringify(whole.rows)).toContain('9007199254740993');
    expect(whole).not.toHaveProperty('truncated');
    expect(await json('ann', 'POST', '/v1/sql', { sql: SQL, maxRows: 2 })).toMatchObject({
      rowCount: 2,
      truncated: 'rows',
    });
  });

  it('streams lines: columns, rows, end', async () => {
    const rows = Array.from({ length: 20_000 }, (_, at) => [at]);
    const { send } = shopServer({ shop: scriptedShop({ rows: () => rows }) });
    const response = await send('ann', 'POST', '/v1/sql', { ...LINES, body: { sql: SQL } });
    expect(response.headers.get('content-type')).toBe('application/x-ndjson');
    const lines = (await response.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines[0]).toMatchObject({ type: 'columns', columns: [{ name: 'c0' }] });
    expect(lines.flatMap((line) => line.rows ?? [])).toEqual(rows);
    expect(lines.at(-1)).toMatchObject({ type: 'end', rowCount: 20_000 });
  });

  it('stops the statement when its reader leaves', async () => {
    const { send, shop } = shopServer();
    const leaving = new AbortController();
    const body = { sql: "SELECT name FROM users WHERE name = 'slow'" };
    const asked = send('ann', 'POST', '/v1/sql', { ...LINES, body, signal: leaving.signal });
    asked.catch(() => undefined);
    await shop.standing();
    leaving.abort();
    await expect.poll(() => shop.stopped).toHaveLength(1);
  });

  it.each(['left', 'gone'])('ends the statement when its reader has %s before the first line', async (how) => {
    const { send, json } = shopServer({ limits: { statementsAtOnce: 1 } });
    const leaving = new AbortController();
    const response = await send('ann', 'POST', '/v1/sql', { ...LINES, body: { sql: SQL }, signal: leaving.signal });
    if (how === 'left') await response.body?.cancel();
    else leaving.abort();
    expect(await json('ann', 'POST', '/v1/sql', { sql: SQL })).toMatchObject({ status: 200 });
  });

  it.each(['lines', 'JSON'])('lets others go first while it gives a large result as %s', async (form) => {
    const rows = Array.from({ length: 20_000 }, (_, at) => [at]);
    let pauses = 0;
    const sleep = async (): Promise<void> => {
      pauses += 1;
    };
    const { send, json } = shopServer({ shop: scriptedShop({ rows: () => rows }), runtime: { sleep } });
    const large = async (): Promise<void> => {
      const body = { sql: SQL, maxRows: 20_000 };
      await (await send('ann', 'POST', '/v1/sql', form === 'lines' ? { ...LINES, body } : { body })).text();
    };
    await large();
    expect(pauses).toBe(0);
    await json('bob', 'POST', '/v1/sql', { sql: SQL, maxRows: 1 });
    await large();
    expect(pauses).toBeGreaterThan(0);
  });

  it('asks the engine for no plan of what it runs', async () => {
    const audit = { before: vi.fn(async () => 'id'), after: async () => undefined };
    const { json } = shopServer({ audit });
    expect(await json('ann', 'POST', '/v1/sql', { sql: SQL })).toMatchObject({ status: 200 });
    expect(audit.before).toHaveBeenCalledWith(expect.objectContaining({ kind: 'statement' }));
    expect(audit.before).not.toHaveBeenCalledWith(expect.objectContaining({ kind: 'plan' }));
  });

  it('does not run what does not read, or has an error', async () => {
    const { json, shop } = shopServer();
    expect(await json('ann', 'POST', '/v1/sql', { sql: 'DELETE FROM users' })).toMatchObject({
      status: 403,
      error: { code: expect.stringMatching(/QUERY_REFUSED|QUERY_NOT_READ_ONLY/) },
    });
    expect(await json('ann', 'POST', '/v1/sql', { sql: 'SELECT nme FROM users' })).toMatchObject({
      status: 403,
      error: { code: 'QUERY_REFUSED', message: expect.stringContaining('nme') },
    });
    expect(shop.sent).toHaveLength(0);
  });

  it('is checked without running', async () => {
    const { json, shop } = shopServer();
    const checked = await json('ann', 'POST', '/v1/sql/check', { sql: 'SELECT nme FROM users' });
    expect(checked.findings).toContainEqual(expect.objectContaining({ severity: 'error' }));
    expect(await json('ann', 'POST', '/v1/sql/check', { sql: SQL })).toMatchObject({ plan: { verdict: 'ok' } });
    expect(shop.sent).toHaveLength(0);
  });
});

describe('a statement of a caller', () => {
  const padded = (length: number): string => SQL.padEnd(length);

  it('has 50,000 characters at most, wherever it comes in', async () => {
    const { json, send, shop } = shopServer();
    const { conversation } = await json('ann', 'POST', '/v1/conversations', { database: 'shop' });
    const edit = `/v1/conversations/${conversation}/edit`;
    for (const path of ['/v1/sql', '/v1/sql/check', edit])
      expect(await json('ann', 'POST', path, { sql: padded(50_001) })).toMatchObject({
        status: 400,
        error: { code: 'INPUT_INVALID', message: expect.stringMatching(/50000/) },
      });
    const follows = { question: 'who?', sql: padded(50_001) };
    expect(await json('ann', 'POST', '/v1/ask', { question: 'and where?', follows })).toMatchObject({ status: 400 });
    for (const name of ['run_sql', 'check_sql']) {
      const tool = { name, arguments: { sql: padded(50_001) } };
      const reply = await (await send('ann', 'POST', '/mcp', rpcOf('tools/call', tool))).text();
      expect(reply).toContain('has 50001 characters, and 50000 are allowed');
    }
    expect(shop.sent).toEqual([]);
    expect(await json('ann', 'POST', '/v1/sql', { sql: padded(50_000) })).toMatchObject({ status: 200 });
  });
});
