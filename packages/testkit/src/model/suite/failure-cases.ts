import { isAskemaError, textOf } from '@askema/core';
import { expect } from 'vitest';
import type { LoopbackFailure } from '../loopback/index.ts';
import { loopbackModelServer } from '../loopback/loopback-model-server.ts';
import {
  answering,
  BENCH_KEY,
  expectEndAtDeadline,
  type ModelBench,
  type ModelCase,
  requestOf,
} from './model-bench.ts';

/** The error of one call that the server answers with a failure; exactly one request must have been made. */
async function errorOf({ server, model }: ModelBench, failure: LoopbackFailure, message?: string): Promise<unknown> {
  server.reply({ kind: 'failure', failure, message });
  const error = await model.generate(requestOf()).catch((thrown: unknown) => thrown);
  expect(server.requests).toHaveLength(1);
  return error;
}

/** What goes wrong, and what the caller is told. */
export const FAILURE_CASES = {
  /** An abort stops the request on the wire. */
  async abort({ server, model }) {
    server.reply({ kind: 'hang' });
    const controller = new AbortController();
    const call = model.generate(requestOf({ signal: controller.signal })).catch((thrown: unknown) => thrown);
    const request = await server.received(0);
    controller.abort();
    expect(await call).toMatchObject({ code: 'ABORTED', retryable: false });
    expect(await request.ended).toBe('cut');
  },

  /** A call that was aborted before it began makes no request. */
  async 'abort-before'({ server, model }) {
    const aborted = model.generate(requestOf({ signal: AbortSignal.abort() }));
    await expect(aborted).rejects.toMatchObject({ code: 'ABORTED' });
    expect(server.requests).toHaveLength(0);
  },

  /** A server that never answers is left at the model's own deadline. */
  async deadline(bench) {
    await expectEndAtDeadline(bench, (model) => {
      bench.server.reply({ kind: 'hang' });
      return model.generate(requestOf());
    });
  },

  /** A connection that is closed without a word may be tried again. */
  async 'connection-drop'({ server, model }) {
    server.reply({ kind: 'drop' });
    await expect(model.generate(requestOf())).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE', retryable: true });
    expect(server.requests).toHaveLength(1);
  },

  /** Where nothing listens, the error names the URL. */
  async 'nothing-listens'({ create }) {
    const gone = await loopbackModelServer();
    await gone.close();
    await expect(create({ origin: gone.origin }).generate(requestOf())).rejects.toMatchObject({
      code: 'MODEL_UNAVAILABLE',
      message: expect.stringContaining(gone.origin),
    });
  },

  /** Each 429 of a storm is one request and one error that says how long to wait; the model never retries by itself. */
  async 'rate-limit-storm'({ server, model }) {
    const limited = { kind: 'failure', failure: 'rate-limit' } as const;
    server.reply(
      { ...limited, headers: { 'retry-after': '1' } },
      { ...limited, headers: { 'retry-after-ms': '250' } },
      limited,
      answering({ text: 'Twelve.' }),
    );
    for (const retryAfterMs of [1000, 250, undefined]) {
      const error: unknown = await model.generate(requestOf()).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: 'MODEL_RATE_LIMITED', retryable: true, details: { status: 429 } });
      expect(isAskemaError(error) && error.details.retryAfterMs).toBe(retryAfterMs);
    }
    expect(textOf((await model.generate(requestOf())).content)).toBe('Twelve.');
    expect(server.requests).toHaveLength(4);
  },

  /** An account without credit is not worth a retry. */
  async 'quota-exhausted'(bench) {
    expect(await errorOf(bench, 'quota')).toMatchObject({ code: 'MODEL_RATE_LIMITED', retryable: false });
  },

  async 'server-error'(bench) {
    expect(await errorOf(bench, 'server-error')).toMatchObject({
      code: 'MODEL_UNAVAILABLE',
      retryable: true,
      details: { status: 500 },
    });
  },

  async overloaded(bench) {
    expect(await errorOf(bench, 'overloaded')).toMatchObject({ code: 'MODEL_UNAVAILABLE', retryable: true });
  },

  /** The key stands nowhere in the error, even if the server repeats it. */
  async 'wrong-key'(bench) {
    const error = await errorOf(bench, 'wrong-key', `Incorrect API key provided: ${BENCH_KEY}.`);
    expect(error).toMatchObject({ code: 'MODEL_AUTHENTICATION', retryable: false });
    const { message, stack, cause } = error as Error;
    expect([message, stack, JSON.stringify(error), String(cause), (cause as Error)?.stack].join()).not.toContain(
      BENCH_KEY,
    );
  },

  async 'unknown-model'(bench) {
    const error = await errorOf(bench, 'unknown-model');
    expect(error).toMatchObject({ code: 'MODEL_NOT_FOUND', retryable: false });
    expect((error as Error).message).toContain(bench.model.modelId);
  },

  async 'context-too-long'(bench) {
    expect(await errorOf(bench, 'context-too-long')).toMatchObject({
      code: 'MODEL_CONTEXT_TOO_LONG',
      retryable: false,
    });
  },

  async 'content-filter'(bench) {
    expect(await errorOf(bench, 'content-filter')).toMatchObject({ code: 'MODEL_CONTENT_FILTERED', retryable: false });
  },

  /** What the server says about a bad request reaches the user. */
  async 'invalid-request'(bench) {
    expect(await errorOf(bench, 'invalid-request', 'The field `x` is odd.')).toMatchObject({
      code: 'MODEL_REQUEST_INVALID',
      retryable: false,
      message: expect.stringContaining('The field `x` is odd.'),
    });
  },

  /** Half a JSON body may be tried again. */
  async 'malformed-body'({ server, model }) {
    server.reply({ kind: 'body', body: '{"id": "1", "choices": [' });
    await expect(model.generate(requestOf())).rejects.toMatchObject({ code: 'MODEL_REQUEST_FAILED', retryable: true });
  },

  /** A web page instead of an answer is no answer. */
  async 'other-body'({ server, model }) {
    server.reply(
      { kind: 'body', body: '<html>Welcome</html>', contentType: 'text/html' },
      { kind: 'body', body: '{"hello":"world"}' },
    );
    for (const _ of [1, 2])
      await expect(model.generate(requestOf())).rejects.toMatchObject({
        code: 'MODEL_REQUEST_FAILED',
        message: expect.stringContaining('baseURL'),
      });
  },
} satisfies Record<string, ModelCase>;
