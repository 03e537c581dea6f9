import { describe, expect, it } from 'vitest';
import { FORWARD, play } from './test-support/play-chat.ts';

describe('defects of the published code (research, section 4.2)', () => {
  it("the logical designer's complaint reaches the conceptual designer (Figure 5)", async () => {
    const { calls, messages, seen } = await play({
      'logical-designer': [{ text: 'Entity set Booking has no key.', next: 'conceptual-designer' }],
    });
    expect(calls).toEqual([
      'product-manager#1',
      'conceptual-designer#1',
      'conceptual-reviewer#1',
      'logical-designer#1',
      'conceptual-designer#2',
      'conceptual-reviewer#2',
      'logical-designer#2',
      'qa-engineer#1',
      'test-executor#1',
    ]);
    const complaint = messages.find(({ kind }) => kind === 'feedback');
    expect(complaint).toMatchObject({
      from: 'logical-designer',
      to: ['conceptual-designer'],
      next: 'conceptual-designer',
    });
    expect(seen['conceptual-designer#2']).toContain(complaint?.number);
    expect(seen['conceptual-reviewer#2']).not.toContain(complaint?.number);
  });

  it.each(['Conceptual Designer', 'conceptual_designer', ' CONCEPTUAL-DESIGNER ', 'Conceptual model designer'])(
    'and is not lost over the spelling `%s`',
    async (next) => {
      const { calls } = await play({ 'logical-designer': [{ next }] });
      expect(calls).toContain('conceptual-designer#2');
    },
  );

  it('a mere mention of a role reroutes nothing', async () => {
    const text =
      'Send to conceptual-designer! ConceptualDesignerAgent, product-manager, LogicalDesignerAgent, next: qa-engineer';
    const mention = { text, data: { note: text } };
    const { calls } = await play({
      'product-manager': [mention],
      'conceptual-designer': [mention],
      'logical-designer': [mention],
      'qa-engineer': [mention],
    });
    expect(calls).toEqual(FORWARD);
  });

  it('who names itself does not speak again', async () => {
    const { calls, messages, told } = await play({ 'logical-designer': [{ next: 'logical-designer' }] });
    expect(calls).toEqual(FORWARD);
    expect(messages.find(({ ignoredNext }) => ignoredNext !== undefined)).toMatchObject({
      from: 'logical-designer',
      ignoredNext: 'logical-designer',
      next: 'qa-engineer',
    });
    expect(told('next-ignored')).toMatchObject([{ role: 'logical-designer', named: 'logical-designer' }]);
  });

  it('a name that is none, or none of the candidates, is recorded and not followed', async () => {
    const { calls, messages } = await play({
      'logical-designer': [{ next: 'the conceptual-designer, please' }],
      'qa-engineer': [{ next: 'product-manager' }],
    });
    expect(calls).toEqual(FORWARD);
    expect(messages.flatMap(({ ignoredNext }) => ignoredNext ?? [])).toEqual([
      'the conceptual-designer, please',
      'product-manager',
    ]);
  });

  it('the word Approve, and an attribute Approver, end no review', async () => {
    const { calls, messages } = await play({
      'conceptual-designer': [{ text: 'Leave(Approver, Approve date). Approve', data: { approved: true } }],
      'conceptual-reviewer': [{ text: 'Not yet. I cannot Approve this.' }, { approved: true }],
    });
    expect(calls.slice(1, 6)).toEqual([
      'conceptual-designer#1',
      'conceptual-reviewer#1',
      'conceptual-designer#2',
      'conceptual-reviewer#2',
      'logical-designer#1',
    ]);
    expect(messages.filter(({ kind }) => kind === 'feedback')).toHaveLength(1);
  });

  it('only the reviewer approves', async () => {
    const { calls } = await play({
      'conceptual-designer': [{ approved: true }],
      'product-manager': [{ approved: true }],
    });
    expect(calls).toEqual(FORWARD);
  });

  it('an approval hands on, whomever the reviewer names beside it', async () => {
    const { calls, messages } = await play({
      'conceptual-reviewer': [{ approved: true, next: 'conceptual-designer' }],
    });
    expect(calls).toEqual(FORWARD);
    expect(messages[3]).toMatchObject({ from: 'conceptual-reviewer', ignoredNext: 'conceptual-designer' });
  });

  it('inner and outer rounds do not share a count, and the inner one begins anew on each entry', async () => {
    const { calls, rounds, messages, action } = await play(
      {
        'conceptual-reviewer': Array.from({ length: 20 }, () => ({ text: 'No.' })),
        'logical-designer': [{ next: 'conceptual-designer' }],
      },
      { maxRounds: 7, nested: { maxRounds: 4 } },
    );
    expect(calls.filter((call) => call.startsWith('conceptual-'))).toHaveLength(8);
    expect(rounds).toEqual({ design: 7, 'conceptual-design': 4 });
    expect(messages.flatMap(({ leaves }) => leaves?.how ?? [])).toEqual(['exhausted', 'exhausted']);
    expect(messages.filter(({ chat }) => chat === 'conceptual-design').map(({ round }) => round)).toEqual([
      1, 2, 3, 4, 1, 2, 3, 4,
    ]);
    expect(action).toBe('terminal');
  });

  it('a message that is visible for two reasons is there once', async () => {
    const { seen } = await play({
      'logical-designer': [{ to: ['qa-engineer', 'qa-engineer', 'test-executor'] }],
      'conceptual-designer': [{ to: ['conceptual-reviewer', 'conceptual-designer'] }],
    });
    for (const numbers of Object.values(seen)) expect(new Set(numbers).size).toBe(numbers.length);
  });

  it('TERMINATE and TERMINAL in prose end nothing', async () => {
    const { calls } = await play({
      'product-manager': [{ text: 'TERMINATE' }],
      'logical-designer': [{ text: 'The TERMINAL table. TERMINAL', data: { end: true } }],
    });
    expect(calls).toEqual(FORWARD);
  });
});
