import { fixtureDialect, fixtureSpec, resultEvents, smallCatalog } from '@askema/testkit';
import { describe, expect, it } from 'vitest';
import { createCallContext } from '../context/call-context.ts';
import { resolveAdapter } from './resolve-adapter.ts';

const options = { catalog: smallCatalog, limit: 2, timeoutMs: 1_000, context: createCallContext() };

describe('the default of sampleValues', () => {
  it('asks once per attribute with quoted names, and leaves NULL and failures out', async () => {
    const asked: string[] = [];
    const adapter = resolveAdapter(
      fixtureSpec((sql) => {
        asked.push(sql);
        if (sql.includes('"x"')) throw new Error('no permission');
        return resultEvents(['a', null, 'b']);
      }),
    );
    const samples = await adapter.sampleValues(['t#id', 't#a "name"', 'u#x', 'u#x', 'gone#y'], options);
    expect(samples).toEqual({ 't#id': ['a'], 't#a "name"': ['a'] });
    expect(asked).toHaveLength(3);
    expect(asked[1]).toContain('SELECT DISTINCT "a ""name""" FROM (SELECT "a ""name""" FROM "t" WHERE');
    expect(asked[1]).toMatch(/LIMIT 2$/);
  });

  it("uses the dialect's own skeleton", async () => {
    const asked: string[] = [];
    const dialect = { ...fixtureDialect, probes: { sample: 'SELECT TOP {limit} {attribute} FROM {relation}' } };
    const adapter = resolveAdapter(
      fixtureSpec(
        (sql) => {
          asked.push(sql);
          return resultEvents([1]);
        },
        { dialect },
      ),
    );
    await adapter.sampleValues(['t#id'], options);
    expect(asked).toEqual(['SELECT TOP 2 "id" FROM "t"']);
  });

  it('asks nothing when no time is left or nothing is wanted', async () => {
    const adapter = resolveAdapter(
      fixtureSpec(() => {
        throw new Error('asked');
      }),
    );
    expect(await adapter.sampleValues(['t#id'], { ...options, timeoutMs: 0 })).toEqual({});
    expect(await adapter.sampleValues(['t#id'], { ...options, limit: 0 })).toEqual({});
  });

  it('rejects when its caller aborts', async () => {
    const context = createCallContext({ signal: AbortSignal.abort() });
    await expect(
      resolveAdapter(fixtureSpec(() => [])).sampleValues(['t#id'], { ...options, context }),
    ).rejects.toMatchObject({
      code: 'ABORTED',
    });
  });
});
