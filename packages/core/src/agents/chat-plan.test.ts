import { describe, expect, it } from 'vitest';
import { createGroupChat, createNestedChat } from './group-chat.ts';
import { withoutRoles } from './render-profile.ts';
import type { RoleProfile } from './role-profile.ts';
import { profileOf, ROLES, schemaChat, scriptedSpeaker } from './test-support/scripted-chat.ts';

const chat = (...profiles: readonly RoleProfile[]) =>
  createGroupChat({ name: 'talk', members: profiles.map(scriptedSpeaker) });
const nested = (name: string, ...profiles: readonly RoleProfile[]) =>
  createNestedChat({ name, members: profiles.map(scriptedSpeaker) });

describe('a chat that cannot work is refused when it is made', () => {
  it.each([
    ['no members', () => chat(), /has no members/],
    [
      'a candidate that is misspelt',
      () => chat(profileOf('a', ['writter']), profileOf('writer')),
      /no role of it.*Did you mean `writer`/,
    ],
    ['a role that names itself', () => chat(profileOf('a', ['a'])), /name itself/],
    ['two roles of one id', () => chat(profileOf('a'), profileOf('a')), /two roles `a`/],
    ['ids that differ in spelling only', () => chat(profileOf('qa-lead'), profileOf('QALead')), /cannot tell `QALead`/],
    ['a title that is the id of another', () => chat(profileOf('a'), profileOf('b', [], 'A')), /cannot tell `A`/],
    ['a word of the engine as id', () => chat(profileOf('terminal')), /cannot tell `terminal`/],
    ['the user as id', () => chat(profileOf('user')), /cannot tell `user`/],
    ['an id that paths cannot carry', () => chat(profileOf('a/b')), /an id is letters/],
    [
      'a nested chat of one',
      () => createGroupChat({ name: 'talk', members: [nested('n', profileOf('a'))] }),
      /fewer than two/,
    ],
    [
      'a nested chat named like a role',
      () => createGroupChat({ name: 'talk', members: [nested('a', profileOf('a'), profileOf('b'))] }),
      /cannot tell `a`/,
    ],
    [
      'a reviewer from elsewhere',
      () => schemaChat({ nested: { reviewer: 'conceptual-desiner' } }),
      /reviewer `conceptual-desiner` is none of its members. Did you mean `conceptual-designer`/,
    ],
    ['no rounds', () => schemaChat({ maxRounds: 0 }), /maxRounds 0/],
    ['half a round inside', () => schemaChat({ nested: { maxRounds: 1.5 } }), /maxRounds 1.5/],
  ])('%s', (_what, make, message) => {
    expect(make).toThrow(expect.objectContaining({ code: 'FLOW_INVALID', message: expect.stringMatching(message) }));
  });
});

it('roles that do not take part are left out of a profile', () => {
  const profile = withoutRoles(ROLES.executor, ['conceptual-designer', 'qa-engineer']);
  expect(profile.nextSpeakers.map(({ role }) => role)).toEqual(['product-manager', 'logical-designer']);
});

it('steps and routes are those of the profiles: the graph is the picture of the chat', () => {
  const flow = schemaChat();
  expect(Object.keys(flow.steps)).toEqual([
    'product-manager',
    'conceptual-design',
    'logical-designer',
    'qa-engineer',
    'test-executor',
  ]);
  expect([...(flow.graph.nodes.get('logical-designer')?.routes.keys() ?? [])]).toEqual([
    'qa-engineer',
    'conceptual-designer',
    'terminal',
    'exhausted',
  ]);
  expect(flow.graph.nodes.get('logical-designer')?.routes.get('conceptual-designer')).toBe('conceptual-design');
  expect([...flow.actions].sort()).toEqual(['exhausted', 'terminal']);
  expect(schemaChat({ administrator: () => undefined }).steps).toHaveProperty('administrator');
  expect(schemaChat({ administrator: () => undefined, forwardOnly: true }).steps).not.toHaveProperty('administrator');
});
