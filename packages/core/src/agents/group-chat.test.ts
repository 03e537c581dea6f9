import { describe, expect, it } from 'vitest';
import { startChat } from './chat-state.ts';
import { createGroupChat, createNestedChat } from './group-chat.ts';
import { FORWARD, play } from './test-support/play-chat.ts';
import { ROLES, SMOOTH, scriptDeps, scriptedSpeaker, trail } from './test-support/scripted-chat.ts';

describe('the forward order', () => {
  it('holds when nobody names anyone', async () => {
    const { calls, action, messages, rounds } = await play({});
    expect(calls).toEqual(FORWARD);
    expect(action).toBe('terminal');
    expect(trail(messages)).toEqual([
      'user>all',
      'product-manager>conceptual-designer',
      'conceptual-designer>conceptual-reviewer',
      'conceptual-reviewer>conceptual-designer',
      'conceptual-designer>logical-designer',
      'logical-designer>qa-engineer',
      'qa-engineer>test-executor',
      'test-executor>all',
    ]);
    expect(rounds).toEqual({ design: 5, 'conceptual-design': 2 });
    expect(messages.at(-1)).toMatchObject({ kind: 'end', round: 5, chat: 'design' });
    expect(messages.every(({ number }, index) => number === index + 1)).toBe(true);
  });

  it('ends after the last member, also when that one does not say so', async () => {
    const { action, messages } = await play({ 'test-executor': [{}] });
    expect(action).toBe('terminal');
    expect(messages.at(-1)?.kind).toBe('end');
  });
});

describe('rounds', () => {
  it('end the chat as exhausted, with the complaint still addressed', async () => {
    const { action, calls, messages, rounds } = await play(
      { 'test-executor': Array.from({ length: 9 }, () => ({ next: 'logical-designer' })) },
      { maxRounds: 8 },
    );
    expect(action).toBe('exhausted');
    expect(rounds.design).toBe(8);
    expect(calls.filter((call) => call.startsWith('test-executor'))).toHaveLength(2);
    expect(messages.at(-1)).toMatchObject({ kind: 'feedback', to: ['logical-designer'] });
    expect(messages.at(-1)?.next).toBeUndefined();
  });

  it('an end in the last one is an end', async () => {
    expect((await play({}, { maxRounds: 5 })).action).toBe('terminal');
    expect((await play({}, { maxRounds: 4 })).action).toBe('exhausted');
  });

  it('15 by default', async () => {
    const always = Array.from({ length: 20 }, () => ({ next: 'logical-designer' }));
    const { action, rounds } = await play({ 'test-executor': always });
    expect([action, rounds.design]).toEqual(['exhausted', 15]);
  });

  it('used up inside the last nested turn, the result is there all the same', async () => {
    const { action, messages } = await play({}, { maxRounds: 2 });
    expect(action).toBe('exhausted');
    expect(messages.at(-1)).toMatchObject({
      from: 'conceptual-designer',
      to: ['logical-designer'],
      leaves: { how: 'approved' },
    });
  });
});

describe('a nested chat', () => {
  it('keeps what is said inside, also what is said to all', async () => {
    const { messages, seen } = await play({
      'conceptual-designer': [{ to: 'all' }, { to: ['logical-designer'] }],
      'conceptual-reviewer': [
        { to: 'all', text: 'No.' },
        { approved: true, to: 'all' },
      ],
    });
    const inside = messages.filter(({ chat }) => chat === 'conceptual-design').map(({ number }) => number);
    expect(inside).toHaveLength(4);
    for (const turn of ['logical-designer#1', 'qa-engineer#1', 'test-executor#1'])
      expect(seen[turn]?.filter((number) => inside.includes(number))).toEqual([]);
  });

  it("hands on the designer's last words once, to the next role", async () => {
    const { messages, seen } = await play({
      'conceptual-designer': [{ text: 'first' }, { text: 'second', data: { entities: 2 } }],
      'conceptual-reviewer': [{ text: 'No.' }, { approved: true }, { approved: true }],
      'logical-designer': [{ next: 'conceptual-designer' }],
    });
    const result = messages.find(({ leaves }) => leaves !== undefined);
    expect(result).toMatchObject({
      from: 'conceptual-designer',
      to: ['logical-designer'],
      text: 'second',
      data: { entities: 2 },
      chat: 'design',
      leaves: { chat: 'conceptual-design', how: 'approved', repeats: 5 },
    });
    expect(seen['logical-designer#1']).toEqual([1, result?.number]);
    expect(seen['conceptual-designer#3']).not.toContain(result?.number);
  });

  it('does not hand on a doubt as its result', async () => {
    const { messages } = await play({
      'conceptual-designer': [{ text: 'model 1' }, { text: 'a doubt', next: 'product-manager' }],
      'conceptual-reviewer': [{ approved: true }, { approved: true }],
      'logical-designer': [{ next: 'conceptual-designer' }],
    });
    const handed = messages.filter(({ leaves }) => leaves !== undefined).map(({ text, leaves }) => [leaves?.how, text]);
    expect(handed).toEqual([
      ['approved', 'model 1'],
      ['named', 'a doubt'],
      ['approved', 'conceptual-designer#3 speaks'],
    ]);
  });

  it('knows its own words again when they are handed on by code', async () => {
    const { messages, seen } = await play(
      { 'logical-designer': [{ next: 'conceptual-designer' }] },
      { nested: { result: () => ({ text: 'conceptual-designer#1 speaks' }) } },
    );
    const result = messages.find(({ leaves }) => leaves !== undefined);
    expect(result?.leaves?.repeats).toBe(3);
    expect(seen['conceptual-designer#2']).not.toContain(result?.number);
  });

  it('may say itself what it hands on', async () => {
    const nested = { result: (state: { notes: string[] }) => ({ text: state.notes.join(' ') }) };
    const { messages } = await play({}, { nested });
    expect(messages.find(({ leaves }) => leaves !== undefined)).toMatchObject({
      text: 'product-manager conceptual-designer conceptual-reviewer',
      leaves: { chat: 'conceptual-design', how: 'approved' },
    });
  });

  it('is left by a complaint to a role outside, which reads it', async () => {
    const { calls, messages, seen } = await play({
      'conceptual-designer': [{ text: 'Is a guest a customer?', next: 'product-manager' }],
    });
    expect(calls.slice(0, 4)).toEqual([
      'product-manager#1',
      'conceptual-designer#1',
      'product-manager#2',
      'conceptual-designer#2',
    ]);
    const doubt = messages.find(({ kind }) => kind === 'feedback');
    expect(doubt).toMatchObject({ chat: 'design', to: ['product-manager'], leaves: { how: 'named' } });
    expect(seen['product-manager#2']).toContain(doubt?.number);
    expect(seen['conceptual-reviewer#1']).not.toContain(doubt?.number);
  });

  it('is entered at the role that was named', async () => {
    const executor = { ...ROLES.executor, nextSpeakers: [{ role: 'conceptual-reviewer', when: 'x' }] };
    const chat = createGroupChat({
      name: 'design',
      members: [
        createNestedChat({
          name: 'conceptual-design',
          members: [scriptedSpeaker({ ...ROLES.conceptual, nextSpeakers: [] }), scriptedSpeaker(ROLES.reviewer)],
        }),
        scriptedSpeaker(executor),
      ],
    });
    const deps = scriptDeps({ ...SMOOTH, 'test-executor': [{ next: 'conceptual-reviewer' }, { end: true }] });
    await chat.run({ chat: startChat('A shop.'), notes: [] }, deps);
    expect(deps.calls).toEqual([
      'conceptual-designer#1',
      'conceptual-reviewer#1',
      'test-executor#1',
      'conceptual-reviewer#2',
      'test-executor#2',
    ]);
  });

  it('an end inside ends everything', async () => {
    const { action, calls } = await play({ 'conceptual-designer': [{ end: true }] });
    expect([action, calls.length]).toEqual(['terminal', 2]);
  });
});

it('forwardOnly follows no name but the forward one', async () => {
  const { calls, messages } = await play(
    {
      'logical-designer': [{ next: 'conceptual-designer' }],
      'conceptual-reviewer': [{ text: 'No.' }, { approved: true }],
      'qa-engineer': [{ next: 'test-executor' }],
    },
    { forwardOnly: true },
  );
  expect(calls).toContain('conceptual-designer#2');
  expect(calls).not.toContain('conceptual-designer#3');
  expect(messages.flatMap(({ ignoredNext }) => ignoredNext ?? [])).toEqual(['conceptual-designer']);
});

it('every turn is an event, without its text', async () => {
  const { told } = await play({ 'logical-designer': [{ text: 'secret words', next: 'conceptual-designer' }] });
  const turns = told('turn');
  expect(turns).toHaveLength(9);
  expect(turns[3]).toEqual({
    role: 'logical-designer',
    chat: 'design',
    round: 3,
    number: 6,
    kind: 'feedback',
    next: 'conceptual-designer',
    action: 'conceptual-designer',
    leaves: null,
    textLength: 12,
    toolCalls: 0,
    replayed: false,
  });
  expect(JSON.stringify(turns)).not.toContain('secret');
});
