import { type Adapter, resolveAdapter } from '@askema/core';
import { snowflake } from '../snowflake.ts';
import type { SnowflakeOptions } from '../snowflake-options.ts';
import { result, type SeenRequest, type StubAnswer, type StubHandler, type WireStub } from './wire-stub.ts';

/** What the tests log in with; it must stand in no error. */
export const PASSWORD = 'correct-horse-battery';

/** An adapter on the stub, which retries at once. */
export function openOn(stub: WireStub, options: SnowflakeOptions = {}): Adapter {
  return resolveAdapter(
    snowflake({
      account: 'org-stub',
      user: 'ANNA',
      password: PASSWORD,
      accessUrl: stub.url,
      retryDelayMs: 5,
      ...options,
    }),
  );
}

export const ONE_COLUMN = [{ name: 'A', type: 'fixed', precision: 38, scale: 0 }] as const;

/** Statements compile (as queries), and this is what running them answers. */
export function running(answer: (request: SeenRequest) => StubAnswer | Promise<StubAnswer>): StubHandler {
  return (request) => {
    if (!request.path.endsWith('/query-request')) return undefined;
    return request.body?.describeOnly === true ? result({ columns: ONE_COLUMN }) : answer(request);
  };
}

/** Leaves a request without an answer. */
export const hang: StubAnswer = () => undefined;

/** Ends the connection without an answer. */
export const drop: StubAnswer = (response) => {
  response.socket?.destroy();
};

/** A status, and a body of a proxy that repeats what it was sent. */
export function httpStatus(status: number): StubAnswer {
  return (response) => {
    response.writeHead(status, { 'Content-Type': 'text/html' });
    response.end(`<p>no service; PASSWORD=${PASSWORD} session-token-1-of-the-stub</p>`);
  };
}
