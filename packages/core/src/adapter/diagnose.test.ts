import { fixtureSpec, resultEvents } from '@askema/testkit';
import { describe, expect, it } from 'vitest';
import { createCallContext } from '../context/call-context.ts';
import type { Diagnosis } from './diagnosis.ts';
import { resolveAdapter } from './resolve-adapter.ts';

const MINE: Diagnosis = {
  server: 'Fixture 1.2',
  user: 'reader',
  readOnly: { by: 'grants', explanation: 'The user owns nothing.' },
  findings: [],
};

describe('diagnose', () => {
  it('asks the database once, and claims no more than is known', async () => {
    const asked: string[] = [];
    const spec = fixtureSpec((sql) => {
      asked.push(sql);
      return resultEvents([1]);
    });
    const reading = await resolveAdapter(spec).diagnose();
    expect([reading.server, reading.readOnly.by, reading.findings]).toEqual(['Fixture', 'text', []]);
    expect((await resolveAdapter({ ...spec, access: 'write' }).diagnose()).readOnly.by).toBe('nothing');
    expect(asked).toEqual(['SELECT 1', 'SELECT 1']);
  });

  it('fails when nothing answers', async () => {
    const spec = fixtureSpec(() => {
      throw new Error('connection refused');
    });
    await expect(resolveAdapter(spec).diagnose()).rejects.toThrow('connection refused');
  });

  it('is the author’s where there is one, within the time and the context of the call', async () => {
    const seen: unknown[] = [];
    const adapter = resolveAdapter(
      fixtureSpec(() => [], {
        diagnose: async (options) => {
          seen.push(options);
          return MINE;
        },
      }),
    );
    const context = createCallContext();
    expect(await adapter.diagnose({ timeoutMs: 5, context })).toBe(MINE);
    expect(seen).toEqual([{ timeoutMs: 5, context }]);
    await adapter.diagnose();
    expect(seen[1]).toMatchObject({ timeoutMs: 30_000 });
  });

  it('does not look for a caller who has gone, nor after closing', async () => {
    const adapter = resolveAdapter(fixtureSpec(() => [], { diagnose: async () => MINE }));
    const context = createCallContext({ signal: AbortSignal.abort() });
    await expect(adapter.diagnose({ context })).rejects.toMatchObject({ code: 'ABORTED' });
    await adapter.close();
    await expect(adapter.diagnose()).rejects.toMatchObject({ code: 'DATABASE_CLOSED' });
  });
});
