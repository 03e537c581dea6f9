import { expect, test } from 'vitest';
import { fakeDatabase, fakeServer } from '../testing/fake-database.ts';

test('a body that breaks off is no failure of the server, and leaves nothing in its log', async () => {
  const warned: string[] = [];
  const nothing = (): void => undefined;
  const logger = { debug: nothing, info: nothing, warn: (message: string) => void warned.push(message) };
  const root = { subject: 'root', scopes: ['*'] };
  const { server } = fakeServer([root], { databases: { shop: fakeDatabase() }, runtime: { logger } });
  const body = new ReadableStream({ pull: (controller) => controller.error(new Error('aborted')) });
  const headers = { authorization: 'Bearer root', 'content-type': 'application/json' };
  const init = { method: 'POST', headers, body, duplex: 'half' } as const;
  const response = await server.fetch(new Request('http://localhost/sql/shop', init));
  expect([await response.json(), warned]).toMatchObject([{ error: { code: 'ABORTED' } }, []]);
});
