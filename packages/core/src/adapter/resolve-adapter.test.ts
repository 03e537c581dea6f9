import { fixtureSpec, resultEvents, smallCatalog } from '@askema/testkit';
import { describe, expect, it } from 'vitest';
import type { CallContext } from '../context/call-context.ts';
import { createCallContext } from '../context/call-context.ts';
import type { AskemaError } from '../errors/askema-error.ts';
import type { AdapterSpec, SampleValues } from './adapter-spec.ts';
import { resolveAdapter } from './resolve-adapter.ts';

const failure = async (run: () => unknown): Promise<AskemaError> => {
  try {
    await run();
  } catch (error) {
    return error as AskemaError;
  }
  throw new Error('It did not fail.');
};

describe('resolveAdapter', () => {
  it('returns a resolved adapter as it is, also one that a caller has changed', () => {
    const adapter = resolveAdapter(fixtureSpec(() => []));
    expect(resolveAdapter(adapter)).toBe(adapter);
    const changed = { ...adapter, name: 'mine' };
    expect(resolveAdapter(changed)).toBe(changed);
  });

  it.each([
    [2, /needs contract 2.*upgrade @askema\/core/],
    [0, /speaks contract 0.*upgrade the adapter's package/],
    [undefined, /carries no contract version/],
  ])('says what to upgrade when the contract is %s', async (contract, message) => {
    const error = await failure(() => resolveAdapter({ ...fixtureSpec(() => []), contract } as unknown as AdapterSpec));
    expect(error.code).toBe('CONTRACT_MISMATCH');
    expect(error.message).toMatch(message);
  });

  it('names every part that is missing', async () => {
    const error = await failure(() => resolveAdapter({ contract: 1, name: 'half', access: 'read' } as AdapterSpec));
    expect(error.code).toBe('CONFIG_INVALID');
    expect(error.message).toContain('"half" lacks `dialect`, `executor.execute`, `introspector.introspect`, `close`');
  });

  it('fills in what the author left out', async () => {
    const adapter = resolveAdapter(fixtureSpec(() => []));
    const context = createCallContext();
    expect(await adapter.planner.check('select 1', { timeoutMs: 1, context })).toEqual({ verdict: 'unknown' });
    expect((await failure(() => adapter.scope({ role: 'reader' }))).code).toBe('CAPABILITY_UNSUPPORTED');
  });

  it('keeps what the author gave', async () => {
    const sampleValues: SampleValues = async () => ({ 't#id': [7] });
    const planner = { check: async () => ({ verdict: 'ok' as const }) };
    const compressor = () => ({ text: 'mine', tokens: 1, families: [], omitted: [], expand: () => undefined });
    const adapter = resolveAdapter(fixtureSpec(() => [], { sampleValues, planner, compressor }));
    const context = createCallContext();
    expect(adapter.planner).toBe(planner);
    expect(adapter.compressor).toBe(compressor);
    expect(await adapter.sampleValues([], { catalog: smallCatalog, limit: 1, timeoutMs: 1, context })).toEqual({
      't#id': [7],
    });
  });

  it('reads the catalog with a context of its own, and refuses one that is not finished', async () => {
    let seen: CallContext | undefined;
    const introspect = async ({ context }: { context: CallContext }) => {
      seen = context;
      return smallCatalog;
    };
    expect(await resolveAdapter(fixtureSpec(() => [], { introspector: { introspect } })).introspect()).toBe(
      smallCatalog,
    );
    expect(seen?.runId).toBeTruthy();
    const unfinished = fixtureSpec(() => [], {
      introspector: { introspect: async () => ({ ...smallCatalog, fingerprint: '' }) },
    });
    expect((await failure(() => resolveAdapter(unfinished).introspect())).code).toBe('CONTRACT_MISMATCH');
  });

  it('puts the tags of a scope into every call, over those of the call', async () => {
    const tags: unknown[] = [];
    const spec = fixtureSpec((_, { context }) => {
      tags.push(context.tags);
      return resultEvents([1]);
    });
    const scoped = resolveAdapter(spec)
      .scope({ tags: { tenant: 'a' } })
      .scope({ tags: { team: 'x' } });
    await scoped.query('select 1', { context: createCallContext({ tags: { tenant: 'other', job: 'j' } }) });
    expect(tags).toEqual([{ tenant: 'a', job: 'j', team: 'x' }]);
  });

  it("asks the author's own scope first", async () => {
    const scope = ({ role }: { role?: string | undefined }) => fixtureSpec(() => [], { name: `as ${role}` });
    expect(resolveAdapter(fixtureSpec(() => [], { scope })).scope({ role: 'reader' }).name).toBe('as reader');
  });

  it("puts the tags into the calls of the author's scope as well, which is closed with its view", async () => {
    const seen: unknown[] = [];
    const spec = (role: string): AdapterSpec =>
      fixtureSpec(
        (_, { context }) => {
          seen.push([role, context.tags]);
          return resultEvents([1]);
        },
        { scope: ({ role: next = role }) => spec(next), close: async () => void seen.push(`${role} closed`) },
      );
    const tenant = resolveAdapter(spec('-')).scope({ tags: { tenant: 'a' } });
    const scoped = tenant.scope({ role: 'reader', tags: { tenant: 'b' } });
    await scoped.query('select 1');
    await scoped.close();
    expect(seen).toEqual([['reader', { tenant: 'a' }], 'reader closed']);
  });
});

describe('closing', () => {
  it('closes once, then refuses everything', async () => {
    let closed = 0;
    const closeOnce = async (): Promise<void> => {
      closed += 1;
    };
    const adapter = resolveAdapter(fixtureSpec(() => resultEvents([1]), { close: closeOnce }));
    await Promise.all([adapter.close(), adapter.close(), adapter[Symbol.asyncDispose]()]);
    expect(closed).toBe(1);
    const context = createCallContext();
    const options = { maxRows: 1, maxBytes: 1, timeoutMs: 1, access: 'read', context } as const;
    for (const use of [
      () => adapter.query('select 1'),
      () => adapter.introspect(),
      () => adapter.executor.execute('select 1', options),
      () => adapter.sampleValues(['t#id'], { catalog: smallCatalog, limit: 1, timeoutMs: 1, context }),
      () => adapter.scope({ tags: {} }).query('select 1'),
    ])
      expect((await failure(use)).code).toBe('DATABASE_CLOSED');
  });

  it('closes the views with the adapter, and leaves the adapter open when a view is closed', async () => {
    let closed = 0;
    const closePool = async (): Promise<void> => {
      closed += 1;
    };
    const adapter = resolveAdapter(fixtureSpec(() => resultEvents([1]), { close: closePool }));
    const [first, second] = [adapter.scope({ tags: { a: '1' } }), adapter.scope({ tags: { a: '2' } })];
    await first.close();
    expect(closed).toBe(0);
    expect((await failure(() => first.query('select 1'))).code).toBe('DATABASE_CLOSED');
    expect((await second.query('select 1')).rows).toEqual([[1]]);
    await adapter.close();
    expect((await failure(() => second.query('select 1'))).code).toBe('DATABASE_CLOSED');
  });

  it('ends a query that runs, even when the executor does not', async () => {
    const adapter = resolveAdapter(fixtureSpec(hang));
    const running = failure(() => adapter.query('select 1'));
    await adapter.close();
    expect((await running).code).toBe('DATABASE_CLOSED');
  });

  it('hands on what the author throws on closing, and counts as closed all the same', async () => {
    const late = async (): Promise<void> => {
      throw new Error('socket');
    };
    const atOnce = (): Promise<void> => {
      throw new Error('socket');
    };
    for (const close of [late, atOnce]) {
      const adapter = resolveAdapter(fixtureSpec(() => resultEvents([1]), { close }));
      expect((await failure(() => adapter.close())).message).toBe('socket');
      expect((await failure(() => adapter.query('select 1'))).code).toBe('DATABASE_CLOSED');
    }
  });
});

/** An executor that neither answers nor listens. */
async function* hang(): AsyncIterable<never> {
  await new Promise(() => undefined);
}

it('asks for stamps while it is open, and tells those of tenants apart', async () => {
  const told = async (): Promise<string> => 'same';
  const adapter = resolveAdapter({ ...fixtureSpec(() => []), stamps: { identity: told, structure: told } });
  const look = { timeoutMs: 1, context: createCallContext() };
  const scoped = ['a', 'b'].map((tenant) => adapter.scope({ tags: { tenant } }));
  const identities = await Promise.all([adapter, ...scoped].map(({ stamps }) => stamps?.identity(look)));
  expect(new Set(identities).size).toBe(3);
  expect([await scoped[0]?.stamps?.structure(look), await adapter.stamps?.data?.(look)]).toEqual(['same', undefined]);
  expect(resolveAdapter(fixtureSpec(() => [])).stamps).toBeUndefined();
  await adapter.close();
  expect((await failure(() => adapter.stamps?.structure(look))).code).toBe('DATABASE_CLOSED');
});
