import { AskemaError, type Journal, type JournalEntry, memoryJournal } from '@askema/core';
import { describe, expect, it } from 'vitest';
import { createText2Sql } from './create-text2sql.ts';
import { type ScriptedAdapter, scriptedAdapter } from './fixtures/scripted-adapter.ts';
import { scriptedSolver, sqlOutput } from './fixtures/scripted-solver.ts';

const DELETE = 'DELETE FROM customer';

/** Behaves as engines do: under `read` what writes is refused, before it does anything. */
function engine(access: 'read' | 'write' = 'write', onWrite: () => void = () => undefined): ScriptedAdapter {
  return scriptedAdapter(
    (sql, options) => {
      if (sql.startsWith('ATTACH')) return new AskemaError('QUERY_REFUSED', 'ATTACH is not allowed');
      if (!sql.startsWith('DELETE')) return [[1]];
      if (options.access === 'read') return new AskemaError('QUERY_NOT_READ_ONLY', 'this statement writes');
      onWrite();
      return { affectedRows: 7 };
    },
    { access },
  );
}

const writes = (adapter: ScriptedAdapter) => adapter.sent.filter((statement) => statement.access === 'write');
const sql = (text: string) => sqlOutput(text);

describe('reading', () => {
  it('a write is told to the model once; a repair that reads is the answer', async () => {
    const adapter = engine('read');
    const model = scriptedSolver([sql(DELETE), sql('SELECT 1')]);
    const outcome = await createText2Sql({ adapter, model }).ask('Delete all customers');
    expect(outcome).toMatchObject({ type: 'answered', sql: 'SELECT 1' });
    expect(model.asked[1]?.input).toMatchObject({ sql: DELETE, failure: { message: 'this statement writes' } });
    expect(writes(adapter)).toEqual([]);
  });

  it.each([DELETE, "ATTACH 'x' AS y"])('%s twice ends as refused, whatever attempts are left', async (statement) => {
    const adapter = engine('read');
    const model = scriptedSolver([sql(statement), sql(DELETE), sql(DELETE), sql(DELETE)]);
    const outcome = await createText2Sql({ adapter, model, maxDebugAttempts: 9 }).ask('Delete all customers');
    expect(outcome).toMatchObject({ type: 'refused', error: { code: 'QUERY_NOT_READ_ONLY' }, calls: 2, executions: 2 });
    expect(writes(adapter)).toEqual([]);
  });

  it('writing must be granted by the adapter as well, and approval needs writing', () => {
    const model = scriptedSolver([]);
    expect(() => createText2Sql({ adapter: engine('read'), model, access: 'write' })).toThrow(/opened for reading/);
    expect(() => createText2Sql({ adapter: engine(), model, approve: async () => true })).toThrow(/approve/);
  });

  it('an adapter that may write is still only read without access: write', async () => {
    const adapter = engine('write');
    const outcome = await createText2Sql({ adapter, model: scriptedSolver([sql(DELETE), sql(DELETE)]) }).ask('Delete');
    expect(outcome.type).toBe('refused');
    expect(writes(adapter)).toEqual([]);
  });
});

describe('writing', () => {
  it('runs what changes data, after it was approved, and says how many rows changed', async () => {
    const adapter = engine();
    const approved: string[] = [];
    const approve = async (statement: string) => {
      approved.push(statement);
      expect(writes(adapter)).toEqual([]);
      return true;
    };
    const text2sql = createText2Sql({ adapter, model: scriptedSolver([sql(DELETE)]), access: 'write', approve });
    const outcome = await text2sql.ask('Delete all customers');
    expect(outcome).toMatchObject({ type: 'answered', result: { affectedRows: 7, rows: [] } });
    expect(approved).toEqual([DELETE]);
    expect(writes(adapter)).toHaveLength(1);
  });

  it('asks nobody about a statement that reads, and runs it under read', async () => {
    const adapter = engine();
    const approve = async () => {
      throw new Error('must not be asked');
    };
    const text2sql = createText2Sql({ adapter, model: scriptedSolver([sql('SELECT 1')]), access: 'write', approve });
    expect((await text2sql.ask('Who?')).type).toBe('answered');
    expect(adapter.sent.map((statement) => statement.access)).toEqual(['read']);
  });

  it('is refused when it is not approved: nothing runs, no model is asked again', async () => {
    const adapter = engine();
    const model = scriptedSolver([sql(DELETE), sql(DELETE)]);
    const text2sql = createText2Sql({ adapter, model, access: 'write', approve: async () => false });
    const outcome = await text2sql.ask('Delete all customers');
    expect(outcome).toMatchObject({ type: 'refused', sql: DELETE, calls: 1 });
    expect(outcome.candidates).toMatchObject([{ sql: DELETE, status: 'rejected' }]);
    expect(writes(adapter)).toEqual([]);
  });

  it('reads the catalog again after a change: it may have been one of structure', async () => {
    const adapter = engine();
    const model = scriptedSolver([sql(DELETE), sql('SELECT 1')]);
    const text2sql = createText2Sql({ adapter, model, access: 'write' });
    await text2sql.ask('Delete all customers');
    await text2sql.ask('Who?');
    expect(adapter.introspections).toBe(2);
  });

  it('changes nothing twice: a run that died while it changed data says so instead', async () => {
    // The journal dies with the "process" when the change has been made, but before its result is recorded.
    const stored = memoryJournal();
    let isDead = false;
    const dying: Journal = {
      ...stored,
      open: async (runId) => {
        const opened = await stored.open(runId);
        const append = async (entries: readonly JournalEntry[]) => {
          if (isDead) throw new AskemaError('INTERNAL', 'the process is dead');
          await opened.append(entries);
        };
        return { ...opened, append };
      },
    };
    let changes = 0;
    const adapter = engine('write', () => {
      changes += 1;
      isDead = true;
    });
    const model = scriptedSolver([sql(DELETE)]);
    const options = { adapter, model, access: 'write' } as const;
    const broken = await createText2Sql({ ...options, journal: dying }).ask('Delete', { runId: 'r1' });
    expect(broken.type).toBe('failed');
    expect(changes).toBe(1);

    const resumed = await createText2Sql({ ...options, journal: stored }).resume('r1');
    expect(resumed).toMatchObject({ type: 'failed', error: { message: expect.stringContaining('interrupted') } });
    expect(changes).toBe(1);
    expect(model.asked).toHaveLength(1);
  });
});
