import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../events/run-event.ts';
import { memoryJournal } from '../flow/memory-journal.ts';
import { crashingJournal } from '../flow/test-support/crashing-journal.ts';
import { addUserMessage, startChat } from './chat-state.ts';
import { type Script, SMOOTH, schemaChat, scriptDeps } from './test-support/scripted-chat.ts';

const start = () => ({ chat: startChat('A shop.'), notes: [] });

/** Two rounds of review, a complaint back into the nested chat, a failed test. */
const SCRIPT: Script = {
  'conceptual-reviewer': [{ text: 'No.' }, { approved: true }, { approved: true }, { approved: true }],
  'logical-designer': [{ next: 'conceptual-designer' }],
  'test-executor': [{ next: 'logical-designer' }, { end: true }],
};

describe('a chat whose process dies', () => {
  it('goes on at any point without asking anybody twice, and ends in the same way', async () => {
    const journal = memoryJournal();
    const whole = scriptDeps(SCRIPT);
    const expected = await schemaChat().run(start(), whole, { journal, runId: 'whole' });
    const entries = (await journal.read('whole')).length;
    for (let crashAt = 1; crashAt < entries; crashAt += 1) {
      const runId = `crash-${crashAt}`;
      const first = scriptDeps(SCRIPT);
      await expect(
        schemaChat().run(start(), first, { journal: crashingJournal(journal, crashAt), runId }),
      ).rejects.toThrow();
      const second = scriptDeps(SCRIPT);
      const result = await schemaChat().resume(runId, second, { journal });
      expect(result).toMatchObject({ action: 'terminal', state: expected.state });
      // Only the turn whose result could not be written is done again.
      const lost = first.calls.length + second.calls.length - whole.calls.length;
      expect(lost === 0 || lost === 1).toBe(true);
      expect([...first.calls.slice(0, first.calls.length - lost), ...second.calls]).toEqual(whole.calls);
    }
  });

  it('tells of turns that come from the journal as such', async () => {
    const journal = memoryJournal();
    const failing = scriptDeps(SCRIPT, {
      before: (turn) => {
        if (turn === 'conceptual-reviewer#2') throw new Error('gone');
      },
    });
    await expect(schemaChat().run(start(), failing, { journal, runId: 'r' })).rejects.toThrow('gone');
    const events: RunEvent[] = [];
    await schemaChat().resume('r', scriptDeps(SCRIPT), { journal, onEvent: (event) => events.push(event) });
    const turns = events.flatMap((event) => (event.type === 'call' && event.call === 'turn' ? [event.data] : []));
    expect(turns.slice(0, 5).map(({ role, replayed }) => [role, replayed])).toEqual([
      ['product-manager', true],
      ['conceptual-designer', true],
      ['conceptual-reviewer', true],
      ['conceptual-designer', true],
      ['conceptual-reviewer', false],
    ]);
  });
});

describe('a fork', () => {
  it('begins with a role, and keeps what was said before', async () => {
    const journal = memoryJournal();
    await schemaChat().run(start(), scriptDeps(SCRIPT), { journal, runId: 'r' });
    await schemaChat().fork('r', {
      journal,
      newRunId: 'again',
      from: 'logical-designer#2',
      edit: ({ chat }) => addUserMessage(chat, 'Prices are net.'),
    });
    const deps = scriptDeps(SCRIPT);
    const result = await schemaChat().resume('again', deps, { journal });
    expect(deps.calls[0]).toBe('logical-designer#2');
    const said = result.state.chat.messages.find(({ text }) => text === 'Prices are net.');
    expect(said).toMatchObject({ from: 'user', to: 'all', chat: 'design', round: 0 });
    expect(deps.seen['logical-designer#2']).toContain(said?.number);
    expect(deps.seen['qa-engineer#1']).toContain(said?.number);
  });

  it('begins inside of a nested chat, by its path', async () => {
    const journal = memoryJournal();
    await schemaChat().run(start(), scriptDeps(SCRIPT), { journal, runId: 'r' });
    const from = 'design@1/conceptual-design#1/conceptual-design@1/conceptual-reviewer#1';
    await schemaChat().fork('r', { journal, newRunId: 'again', from, edit: (state) => state.notes.push('edited') });
    const deps = scriptDeps({ ...SCRIPT, ...SMOOTH });
    const result = await schemaChat().resume('again', deps, { journal });
    expect(deps.calls[0]).toBe('conceptual-reviewer#1');
    expect(result.state.notes.slice(0, 4)).toEqual([
      'product-manager',
      'conceptual-designer',
      'edited',
      'conceptual-reviewer',
    ]);
  });
});

it('an abort in the middle of a nested chat stops it, and it can go on', async () => {
  const journal = memoryJournal();
  const controller = new AbortController();
  const waiting = scriptDeps(SCRIPT, {
    before: (turn) => {
      if (turn !== 'conceptual-reviewer#1') return;
      controller.abort();
      return new Promise(() => {});
    },
  });
  await expect(
    schemaChat().run(start(), waiting, { journal, runId: 'r', signal: controller.signal }),
  ).rejects.toMatchObject({ code: 'ABORTED' });
  const deps = scriptDeps(SCRIPT);
  await expect(schemaChat().resume('r', deps, { journal })).resolves.toMatchObject({ action: 'terminal' });
  expect(deps.calls[0]).toBe('conceptual-reviewer#1');
});

it('a role can wait for a person', async () => {
  const journal = memoryJournal();
  const deps = () =>
    scriptDeps(SMOOTH, {
      before: async (turn, context) => {
        if (turn === 'product-manager#1')
          context.emit({ type: 'answer', data: { answer: await context.suspend('Which currency?') } });
      },
    });
  const asked = await schemaChat().run(start(), deps(), { journal, runId: 'r' });
  expect(asked).toMatchObject({ status: 'suspended', request: 'Which currency?' });
  await expect(schemaChat().resume('r', deps(), { journal, answer: 'Euro' })).resolves.toMatchObject({
    action: 'terminal',
  });
});
