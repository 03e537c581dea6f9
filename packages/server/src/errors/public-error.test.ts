import { AskemaError, type Logger, type Solver } from '@askema/core';
import { sqliteDialect } from '@askema/dialects';
import { describe, expect, test } from 'vitest';
import type { Route } from '../routes/route.ts';
import { CANARY, fakeDatabase, fakeServer } from '../testing/fake-database.ts';
import { scriptedShop } from '../testing/scripted-shop.ts';
import { shopServer } from '../testing/shop-server.ts';

describe('what is told of errors', () => {
  const failing = (error: unknown) => {
    const logged: unknown[] = [];
    const warn: Logger['warn'] = (_message, data) => logged.push(data);
    const logger = { warn, info: () => undefined, debug: () => undefined };
    const route: Route = { method: 'GET', path: '/fail', scope: 'none', handle: () => Promise.reject(error) };
    return {
      logged,
      ...fakeServer(
        [{ subject: 'root', scopes: ['*'] }],
        { databases: { shop: fakeDatabase() }, runtime: { logger } },
        [route],
      ),
    };
  };

  test.each([
    [
      'of ours',
      new AskemaError('DATABASE_UNAVAILABLE', `No ${CANARY} at /srv/db.sqlite`, { cause: new Error(CANARY) }),
      503,
    ],
    ['of anything', new TypeError(`x is undefined in /srv/${CANARY}.ts`), 500],
    ['that is none', CANARY, 500],
  ])('an error %s behind the server says nothing of it; the log does', async (_what, error, status) => {
    const { send, logged } = failing(error);
    const response = await send('/fail', undefined);
    expect(response.status).toBe(status);
    const text = await response.text();
    expect(text).not.toMatch(/canary|srv|stack|cause/);
    const { requestId } = (JSON.parse(text) as { error: { requestId: string } }).error;
    expect(response.headers.get('x-request-id')).toBe(requestId);
    expect(JSON.stringify(logged)).toContain(CANARY);
    expect(JSON.stringify(logged)).toContain(requestId);
  });

  test('who cannot be checked now is told when to come again, in the words of the error', async () => {
    const message = 'Send it again in a few seconds.';
    const { send } = failing(new AskemaError('CALLER_UNCHECKED', message, { details: { retryAfterMs: 4_500 } }));
    const response = await send('/fail', undefined);
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await response.json()).toMatchObject({ error: { code: 'CALLER_UNCHECKED', message } });
  });

  test('the log has no statement of a caller', async () => {
    const sql = `SELECT name FROM users WHERE name = '${CANARY}'`;
    const details = { sql, errorClass: 'timeout' } as const;
    const { send, logged } = failing(new AskemaError('QUERY_TIMEOUT', 'It did not end within 100 ms.', { details }));
    expect((await send('/fail', undefined)).status).toBe(504);
    expect(logged).toMatchObject([{ error: { code: 'QUERY_TIMEOUT', details: { errorClass: 'timeout' } } }]);
    expect(JSON.stringify(logged)).not.toMatch(/canary|SELECT/);
  });

  test('an error of a statement keeps its words and its place, without paths and the statement', async () => {
    const details = { sql: 'SELECT secret', nearestNames: ['name'], errorClass: 'identifier', file: '/srv/a' } as const;
    const { send } = failing(
      new AskemaError('QUERY_FAILED', 'No column nmae, see "/srv/data/x.db" or C:\\data\\x.', { details }),
    );
    const response = await send('/fail', undefined);
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({
      error: {
        message: 'No column nmae, see "[path]" or [path]',
        details: { nearestNames: ['name'], errorClass: 'identifier' },
      },
    });
  });

  test('a path that is no route is named, with the nearest route', async () => {
    const { send } = failing(undefined);
    const said = async (path: string) => JSON.stringify(await (await send(path, 'root')).json());
    expect(await said('/no/such/thing')).toContain(
      'There is no route GET /no/such/thing. GET /openapi.json lists them.',
    );
    expect(await said('/fial')).toContain('Did you mean `/fail`?');
  });
});

test('a question or design that fails behind the server says nothing of it; the log does, under the id of the request', async () => {
  const onModel = () => {
    throw new AskemaError('MODEL_UNAVAILABLE', `No answer of ${CANARY}.`);
  };
  const logged: object[] = [];
  const nothing = () => undefined;
  const logger: Logger = { warn: (message, data) => logged.push({ message, ...data }), info: nothing, debug: nothing };
  const model: Solver = { name: 'gone', supports: () => true, solve: async () => onModel() };
  const design = () => ({ text2schema: { model }, dialect: sqliteDialect });
  const { send, json } = shopServer({ shop: scriptedShop({ onModel }), runtime: { logger }, design });
  const response = await send('ann', 'POST', '/v1/ask', { body: { question: 'Who?' } });
  const text = await response.text();
  expect(text).not.toContain(CANARY);
  const requestId = response.headers.get('x-request-id');
  const error = { code: 'MODEL_UNAVAILABLE', message: `No answer of ${CANARY}.` };
  expect(logged).toMatchObject([{ message: 'A question failed', requestId, run: JSON.parse(text).runId, error }]);
  const { id } = await json('ann', 'POST', '/v1/conversations', { database: 'shop' });
  const said = await send('ann', 'POST', `/v1/conversations/${id}/messages`, { body: { message: 'Who?' } });
  expect(await said.text()).not.toContain(CANARY);
  expect(logged.slice(1)).toMatchObject([{ requestId: said.headers.get('x-request-id'), error }]);
  const designed = await send('ann', 'POST', '/v1/designs', { body: { requirement: 'Books have a title.' } });
  const shown = await designed.text();
  expect(shown).not.toContain(CANARY);
  const asked = { requestId: designed.headers.get('x-request-id'), run: JSON.parse(shown).runId };
  expect(logged.slice(2)).toMatchObject([{ message: 'A design failed', ...asked, error }]);
});
