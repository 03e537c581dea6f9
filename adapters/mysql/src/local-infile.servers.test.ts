import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { type Adapter, createCallContext } from '@askema/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MysqlOptions } from './options.ts';
import { failure, openAdapter } from './test-support/open-adapter.ts';
import { type StartedMariadb, startMariadb } from './test-support/start-mariadb.ts';

let server: StartedMariadb;
beforeAll(async () => {
  server = await startMariadb();
}, 120_000);
afterAll(async () => {
  await server?.stop();
}, 60_000);

const open = <T>(work: (adapter: Adapter) => Promise<T>, options: MysqlOptions = {}) =>
  openAdapter(server, options, work);

describe('a server that asks for a file of this machine', () => {
  it('gets none', async () => {
    const secret = join(server.folder, 'of-the-client.txt');
    writeFileSync(secret, 'secret of the client');
    // The client announces that it gives no files, so that the server refuses; see the next test for one that does not.
    await open(
      async (adapter) => {
        const load = `LOAD DATA LOCAL INFILE '${secret}' INTO TABLE coupon`;
        expect((await failure(adapter.query(load, { access: 'write' }))).code).toBe('QUERY_REFUSED');
      },
      { access: 'write' },
    );
  });

  it('gets none when it asks unbidden', async () => {
    const received: Buffer[] = [];
    // Between adapter and server: the answer to the first query is a request for /etc/passwd.
    const proxy = createServer((client) => {
      let asked = false;
      import('node:net').then(({ connect }) => {
        const upstream = connect(server.port, server.host);
        client.on('error', () => upstream.destroy()).on('close', () => upstream.destroy());
        upstream.on('error', () => client.destroy());
        upstream.on('data', (chunk) => {
          if (!asked) client.write(chunk);
        });
        client.on('data', (chunk) => {
          if (asked) received.push(chunk);
          else if (chunk[4] === 3) {
            asked = true;
            const name = Buffer.from('\xfb/etc/passwd', 'latin1');
            client.write(Buffer.concat([Buffer.from([name.length, 0, 0, 1]), name]));
          } else upstream.write(chunk);
        });
      });
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const { port } = proxy.address() as { readonly port: number };
    try {
      const context = createCallContext();
      await open(async (adapter) => failure(adapter.query('SELECT 1', { timeoutMs: 1_500, context })), {
        port,
        connectTimeoutMs: 1_500,
      });
      expect(Buffer.concat(received).toString('latin1')).not.toMatch(/root:/);
    } finally {
      proxy.close();
    }
  });
});
