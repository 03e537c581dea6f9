import { type CallContext, createCallContext, resolveAdapter } from '@askema/core';
import { expect, it } from 'vitest';
import { scriptedAdapter } from '../fixtures/scripted-adapter.ts';
import { createCatalogSource } from './catalog-source.ts';

it('what is read for all belongs to the run that began it, and neither ends with that one nor is read again for it', async () => {
  const seen: CallContext[] = [];
  const inner = scriptedAdapter(() => []);
  const adapter = resolveAdapter({
    ...inner,
    introspector: {
      introspect: (options) => {
        seen.push(options.context);
        return inner.introspector.introspect(options);
      },
    },
    sampleValues: async (_, { context }) => {
      seen.push(context);
      return {};
    },
  });
  const source = createCatalogSource(adapter, { inferKeys: false });
  const stop = new AbortController();
  const context = createCallContext({ runId: 'first', path: 'plain@1/get-schema#1', signal: stop.signal });
  const catalog = await source.read(context);
  await source.read(createCallContext({ runId: 'second' }));
  await source.read(context, { refresh: true });
  const attributes = catalog.schema.attributes.map(({ id }) => id);
  await source.samples(catalog, attributes, { limit: 1, timeoutMs: 1_000, context });
  stop.abort();
  expect(seen.map(({ runId, path }) => `${runId} ${path}`)).toEqual([
    'first plain@1/get-schema#1/catalog',
    'first plain@1/get-schema#1/catalog',
    'first plain@1/get-schema#1/samples',
  ]);
  expect(seen.some(({ signal }) => signal?.aborted === true)).toBe(false);
  // BigQuery gives the rows of an earlier job again where the key is the same.
  expect(new Set(seen.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(3);
});
