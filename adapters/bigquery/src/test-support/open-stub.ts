import { type AskemaError, resolveAdapter } from '@askema/core';
import { afterEach } from 'vitest';
import { type BigQueryOptions, bigquery } from '../index.ts';
import { type StubScript, startWireStub } from '../wire-stub/wire-stub.ts';

const opened: AsyncDisposable[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one[Symbol.asyncDispose]();
});

/** A stub that answers by the script and an adapter of it, both closed after the test. */
export async function openStub(script: StubScript = {}, options: BigQueryOptions = {}) {
  const stub = await startWireStub(script);
  const adapter = resolveAdapter(bigquery({ projectId: 'p', apiEndpoint: stub.url, maxRetries: 1, ...options }));
  opened.push(stub, adapter);
  return { stub, adapter };
}

/** Answers every query with 25 numbers. */
export const NUMBERS: StubScript = {
  schema: { fields: [{ name: 'n', type: 'INTEGER' }] },
  rows: Array.from({ length: 25 }, (_, index) => [String(index)]),
};

/** The error of a call that has to fail. */
export const errorOf = (promise: Promise<unknown>): Promise<AskemaError> =>
  promise.then(
    () => Promise.reject(new Error('It was answered.')),
    (error: AskemaError) => error,
  );
