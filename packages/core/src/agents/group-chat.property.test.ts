import fc from 'fast-check';
import { expect, it } from 'vitest';
import { propertyRuns } from '../../../../scripts/testing/property-runs.ts';
import { visibleMessages } from './chat-message.ts';
import { startChat } from './chat-state.ts';
import { createGroupChat, createNestedChat } from './group-chat.ts';
import type { RoleId } from './role-profile.ts';
import type { Said } from './speaker.ts';
import {
  profileOf,
  type ScriptDeps,
  type ScriptState,
  scriptDeps,
  scriptedSpeaker,
} from './test-support/scripted-chat.ts';

interface Plan {
  /** Sizes of the members: 1 is a role, more is a nested chat. */
  readonly sizes: readonly number[];
  readonly candidates: readonly (readonly number[])[];
  readonly maxRounds: number;
  readonly innerRounds: number;
  readonly forwardOnly: boolean;
}
interface Turn {
  readonly next: number | null;
  readonly nonsense: boolean;
  readonly end: boolean;
  readonly approved: boolean;
  readonly toAll: boolean;
}

const plan: fc.Arbitrary<Plan> = fc.record({
  sizes: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 4 }),
  candidates: fc.array(fc.array(fc.nat({ max: 11 }), { maxLength: 4 }), { minLength: 12, maxLength: 12 }),
  maxRounds: fc.integer({ min: 1, max: 10 }),
  innerRounds: fc.integer({ min: 1, max: 5 }),
  forwardOnly: fc.boolean(),
});
const turn: fc.Arbitrary<Turn> = fc.record({
  next: fc.option(fc.nat({ max: 11 })),
  nonsense: fc.boolean(),
  end: fc.integer({ min: 0, max: 15 }).map((number) => number === 0),
  approved: fc.boolean(),
  toAll: fc.boolean(),
});

function chatOf({ sizes, candidates, maxRounds, innerRounds, forwardOnly }: Plan) {
  const count = sizes.reduce((sum, size) => sum + size, 0);
  const ids = Array.from({ length: count }, (_, index) => `r${index}`);
  const speakers = ids.map((id, index) =>
    scriptedSpeaker(
      profileOf(
        id,
        [...new Set(candidates[index]?.map((number) => number % count))].filter((n) => n !== index).map((n) => `r${n}`),
      ),
    ),
  );
  let used = 0;
  const nestedOf = new Map<RoleId, string>();
  const members = sizes.map((size, index) => {
    const own = speakers.slice(used, used + size);
    used += size;
    if (size === 1) return own[0] as (typeof own)[number];
    for (const { profile } of own) nestedOf.set(profile.id, `n-chat-${index}`);
    return createNestedChat<ScriptState, ScriptDeps>({ name: `n-chat-${index}`, members: own, maxRounds: innerRounds });
  });
  const chat = createGroupChat<ScriptState, ScriptDeps>({ name: 'chat', members, maxRounds, forwardOnly });
  return { chat, ids, nestedOf };
}

function scriptOf(ids: readonly RoleId[], turns: readonly Turn[]): Record<RoleId, Partial<Said>[]> {
  const script: Record<RoleId, Partial<Said>[]> = {};
  for (const [index, { next, nonsense, end, approved, toAll }] of turns.entries()) {
    const role = ids[index % ids.length] as RoleId;
    const name = next === null ? null : nonsense ? `nobody ${next}` : `R${next % ids.length}`;
    script[role] ??= [];
    script[role].push({ next: name, end, approved, ...(toAll ? { to: 'all' as const } : {}) });
  }
  return script;
}

it('whatever is said, a chat keeps its limits, ends, and lets nothing out of a nested chat', async () => {
  await fc.assert(
    fc.asyncProperty(plan, fc.array(turn, { maxLength: 60 }), async (given, turns) => {
      const { chat, ids, nestedOf } = chatOf(given);
      const deps = scriptDeps(scriptOf(ids, turns));
      const result = await chat.run({ chat: startChat('go'), notes: [] }, deps);
      if (result.status !== 'finished') throw new Error('suspended');
      const { messages, rounds, next } = result.state.chat;
      expect(['terminal', 'exhausted']).toContain(result.action);
      expect(next).toBeUndefined();
      expect(rounds.chat).toBeLessThanOrEqual(given.maxRounds);
      if (result.action === 'exhausted') expect(rounds.chat).toBe(given.maxRounds);
      let inner = 0;
      for (const message of messages) {
        expect(message.round).toBeLessThanOrEqual(message.chat === 'chat' ? given.maxRounds : given.innerRounds);
        inner = message.chat === 'chat' ? 0 : inner + 1;
        expect(inner).toBeLessThanOrEqual(given.innerRounds);
        if (message.from === 'user' || message.chat === 'chat') continue;
        for (const id of ids) {
          const isVisible = visibleMessages([message], id).length === 1;
          if (isVisible) expect(nestedOf.get(id)).toBe(message.chat);
        }
      }
      // Whoever speaks has read the message that gave it the word.
      for (const [index, message] of messages.entries())
        if (message.next !== undefined)
          expect(visibleMessages([message], message.next), `message ${index + 1}`).toHaveLength(1);
    }),
    { numRuns: propertyRuns(120) },
  );
});

it('when nobody names anyone and reviewers approve, all speak once, in their order', async () => {
  await fc.assert(
    fc.asyncProperty(plan, async (given) => {
      const { chat, ids } = chatOf({ ...given, maxRounds: given.sizes.length, innerRounds: 5 });
      const approving = Object.fromEntries(ids.map((id) => [id, [{ approved: true }]]));
      const deps = scriptDeps(approving);
      const result = await chat.run({ chat: startChat('go'), notes: [] }, deps);
      expect(result).toMatchObject({ status: 'finished', action: 'terminal' });
      expect(deps.calls).toEqual(ids.map((id) => `${id}#1`));
    }),
  );
});
