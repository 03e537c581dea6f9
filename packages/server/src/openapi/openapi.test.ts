import { createServer as createHttp } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { Validator } from '@seriousme/openapi-schema-validator';
import { OpenAPIClientAxios } from 'openapi-client-axios';
import { afterAll, describe, expect, it } from 'vitest';
import { ROUTES } from '../routes/routes.ts';
import { shopServer } from '../testing/shop-server.ts';

const { server, send } = shopServer();
const http = createHttp(getRequestListener(server.fetch));
afterAll(() => http.close());

// biome-ignore lint/suspicious/noExplicitAny: its form is what is tested
const description = async (): Promise<any> => (await send('ann', 'GET', '/openapi.json')).json();

describe('1: the description', () => {
  it('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(await description());
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
  });

  it('has the routes, all of them and no others, each with what it takes and gives', async () => {
    const { paths } = await description();
    const described = Object.entries<object>(paths).flatMap(([path, operations]) =>
      // biome-ignore lint/suspicious/noExplicitAny: as above
      Object.entries<any>(operations).map(([method, operation]) => ({ path, method, operation })),
    );
    const names = described.map(({ path, method }) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`);
    expect(names.sort()).toEqual(ROUTES.map(({ method, path }) => `${method} ${path}`).sort());
    const ids = described.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { operation } of described) {
      expect(operation.summary).toMatch(/\S/);
      expect(Object.keys(operation.responses[200].content)).not.toHaveLength(0);
    }
  });

  it('says of every route what the server holds it to: a body that it does not describe is refused', async () => {
    for (const { method, path, body } of ROUTES.filter((route) => route.body !== undefined)) {
      const sent = { body: { 'not-described': 1 } };
      const { status } = await send('ann', method, path.replace(/:\w+/g, 'shop'), sent);
      expect([path, body?.safeParse(sent.body).success, [400, 404, 501].includes(status)]).toEqual([path, false, true]);
    }
  });

  it('is for anybody, and names no database', async () => {
    const response = await server.fetch(new Request('http://localhost/openapi.json'));
    expect(response.status).toBe(200);
    expect(await response.text()).not.toContain('What is sold');
  });
});

it('2: a client that is made of the description asks, answers and reads', async () => {
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const baseURL = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const headers = { authorization: 'Bearer ann' };
  const api = new OpenAPIClientAxios({ definition: await description(), axiosConfigDefaults: { baseURL, headers } });
  // biome-ignore lint/suspicious/noExplicitAny: its methods are made at run time
  const client: any = await api.init();
  const { data: asked } = await client.postAsk(null, { question: 'which day?' });
  expect(asked).toMatchObject({ type: 'needsClarification' });
  const { data: answered } = await client.postRunsRunAnswer({ run: asked.runId }, { answer: '1' });
  expect(answered).toMatchObject({ type: 'answered', sql: 'SELECT id FROM users' });
  const { data: run } = await client.getRunsRun({ run: answered.runId });
  expect(run.outcome.result.rows[0][0]).toBe('north-canary');
  const { data: history } = await client.getHistory({ limit: 1 });
  expect(history.entries).toMatchObject([{ id: asked.runId }]);
});
