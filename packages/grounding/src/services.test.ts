import { type AdapterSpec, createCallContext, resolveAdapter } from '@askema/core';
import { fixtureSpec, smallCatalog } from '@askema/testkit';
import { describe, expect, it } from 'vitest';
import { dialectServices, servicesOf } from './services.ts';

const context = createCallContext();

describe('servicesOf', () => {
  const withoutOwn = resolveAdapter(fixtureSpec(() => []));
  const supplied: Partial<AdapterSpec> = dialectServices(withoutOwn.dialect);

  it.each([
    ['an adapter that leaves them out', withoutOwn],
    ['an adapter that supplies those of its dialect', resolveAdapter(fixtureSpec(() => [], supplied))],
  ])('compresses, explores and takes statements apart for %s', async (_, adapter) => {
    const { compressor, explorer, cteParser } = servicesOf(adapter);
    expect(compressor(smallCatalog).text).toContain('CREATE TABLE "t"');
    const profile = explorer.profile('t#nothing', { catalog: smallCatalog, timeoutMs: 1, context });
    await expect(profile).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    expect(cteParser.split('WITH a AS (SELECT 1) SELECT 2').ctes.map(({ body }) => body)).toEqual(['SELECT 1']);
  });

  it("prefers the author's own", () => {
    const compressor = () => ({ text: 'mine', tokens: 1, families: [], omitted: [], expand: () => undefined });
    const adapter = resolveAdapter(fixtureSpec(() => [], { compressor }));
    expect(servicesOf(adapter).compressor(smallCatalog).text).toBe('mine');
  });
});
