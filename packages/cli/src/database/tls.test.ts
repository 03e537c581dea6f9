import { createServer, type Socket } from 'node:net';
import tls, { createSecureContext, TLSSocket } from 'node:tls';
import { anthropic } from '@askema/anthropic';
import { bigquery } from '@askema/bigquery';
import { type AskemaError, createCallContext, type LanguageModel, resolveAdapter, userMessage } from '@askema/core';
import { mysql } from '@askema/mysql';
import { openai } from '@askema/openai';
import { postgres } from '@askema/postgres';
import { snowflake } from '@askema/snowflake';
import { afterEach, describe, expect, test } from 'vitest';
import { makeAuthority, type TestCertificate } from '../../../../servers/certificates.ts';

const authority = makeAuthority();
const stranger = makeAuthority('Another authority');
const known = tls.getCACertificates('default');

/** What each server shows, what is to be said of it, and by which code. */
const BAD: readonly (readonly [string, TestCertificate, string, RegExp])[] = [
  [
    'for another host',
    authority.issue('db.example'),
    'ERR_TLS_CERT_ALTNAME_INVALID',
    /another host: connect by a name/,
  ],
  ['that has expired', authority.issue('localhost', -2), 'CERT_HAS_EXPIRED', /has expired: it has to be renewed/],
  [
    'of an unknown authority',
    stranger.issue('localhost'),
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    /not trusted, .*authority/,
  ],
];

/** How a client of each kind asks for something; `ca` where it takes an authority of its own. */
const CLIENTS: Readonly<Record<string, (port: number) => Promise<unknown>>> = {
  postgres: (port) =>
    query(postgres({ host: 'localhost', port, user: 'u', password: 'p', ssl: { ca: authority.cert } })),
  'postgres, verify-full': (port) =>
    query(postgres({ connectionString: `postgres://u@localhost:${port}/d?sslmode=verify-full`, password: 'p' })),
  mysql: (port) =>
    query(
      mysql({ product: 'mariadb', host: 'localhost', port, user: 'u', password: 'p', ssl: { ca: authority.cert } }),
    ),
  snowflake: (port) =>
    query(
      snowflake({ account: 'a', user: 'u', password: 'p', accessUrl: `https://localhost:${port}`, retryDelayMs: 1 }),
    ),
  bigquery: (port) => query(bigquery({ projectId: 'p', apiEndpoint: `https://localhost:${port}`, maxRetries: 0 })),
  openai: (port) => ask(openai({ model: 'm', apiKey: 'k', baseURL: `https://localhost:${port}/v1` })),
  anthropic: (port) => ask(anthropic({ model: 'claude-opus-5', apiKey: 'k', baseURL: `https://localhost:${port}` })),
};

async function query(spec: Parameters<typeof resolveAdapter>[0]): Promise<unknown> {
  await using adapter = resolveAdapter(spec);
  return await adapter.query('SELECT 1', { timeoutMs: 30_000 });
}

async function ask(model: LanguageModel): Promise<unknown> {
  return await model.generate({ messages: [userMessage('x')], sample: 0, context: createCallContext() });
}

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
  tls.setDefaultCACertificates(known);
});

/** A server on this machine that speaks TLS, after the greeting of the engine, and counts the bytes that arrive within it. */
async function listen(kind: string, shown: TestCertificate): Promise<{ port: number; received: () => number }> {
  let received = 0;
  const secureContext = createSecureContext(shown);
  const secure = (socket: Socket): void => {
    const inner = new TLSSocket(socket, { isServer: true, secureContext });
    inner.on('error', () => undefined);
    inner.on('data', (data: Buffer) => {
      received += data.length;
      // Whatever was asked, nobody answers.
      inner.destroy();
    });
  };
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    if (kind.startsWith('postgres')) socket.once('data', () => socket.write('S', () => secure(socket)));
    else if (kind === 'mysql') {
      socket.write(MYSQL_GREETING);
      // The client goes on at once, so its greeting may have come with the request for encryption.
      socket.once('data', (data: Buffer) => {
        socket.pause();
        if (data.length > SSL_REQUEST_BYTES) socket.unshift(data.subarray(SSL_REQUEST_BYTES));
        secure(socket);
      });
    } else secure(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  closing.push(() => server.close());
  return { port: (server.address() as { port: number }).port, received: () => received };
}

/** Protocol 10, a server that can encrypt (https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_connection_phase.html). */
const MYSQL_GREETING = greeting();
const SSL_REQUEST_BYTES = 36;

function greeting(): Buffer {
  const capabilities = 0x0800 | 0x0200 | 0x8000 | 0x0001 | 0x0008;
  const body = Buffer.concat([
    Buffer.from([10]),
    Buffer.from('8.0.0\0'),
    Buffer.from([1, 0, 0, 0]),
    Buffer.from('12345678\0'),
    Buffer.from([capabilities & 255, capabilities >> 8, 45, 2, 0, 0x08, 0x00, 21]),
    Buffer.alloc(10),
    Buffer.from('123456789012\0'),
    Buffer.from('mysql_native_password\0'),
  ]);
  return Buffer.concat([Buffer.from([body.length, 0, 0, 0]), body]);
}

describe.each(Object.entries(CLIENTS))('%s', (kind, call) => {
  const failureOf = async (port: number): Promise<AskemaError> => {
    tls.setDefaultCACertificates([...known, authority.cert]);
    return await call(port).then(
      () => Promise.reject(new Error('It was answered.')),
      (error: AskemaError) => error,
    );
  };

  test.each(BAD)(
    'sends nothing to a server with a certificate %s, and says so',
    async (_, shown, code, message) => {
      const { port, received } = await listen(kind, shown);
      const error = await failureOf(port);
      expect(error.message).toMatch(message);
      expect(error.message).not.toMatch(/rejectUnauthorized|NODE_TLS_REJECT|no-verify/);
      expect(error).toMatchObject({
        retryable: false,
        details: { vendorCode: kind === 'mysql' ? 'HANDSHAKE_SSL_ERROR' : code },
      });
      expect(received()).toBe(0);
    },
    60_000,
  );

  test('talks to one with a right certificate', async () => {
    const { port, received } = await listen(kind, authority.issue('localhost'));
    const error = await failureOf(port);
    expect(error.message).not.toMatch(/certificate/i);
    expect(received()).toBeGreaterThan(0);
  }, 60_000);
});
