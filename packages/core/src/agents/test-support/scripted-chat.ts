import type { StepContext } from '../../flow/step.ts';
import type { Solver } from '../../task/task.ts';
import type { ChatMessage } from '../chat-message.ts';
import type { ChatState } from '../chat-state.ts';
import { createGroupChat, createNestedChat, type GroupChatOptions, type NestedChatOptions } from '../group-chat.ts';
import type { RoleId, RoleProfile } from '../role-profile.ts';
import { defineSpeaker, type Said, type Speaker } from '../speaker.ts';

/** What each role says, turn by turn; a turn that is not scripted says nothing in particular. */
export type Script = Readonly<Record<RoleId, readonly Partial<Said>[]>>;

export interface ScriptDeps {
  readonly script: Script;
  /** Every `exec` that ran: `logical-designer#2`. */
  readonly calls: string[];
  /** Numbers of the messages that a turn saw. */
  readonly seen: { readonly [turn: string]: readonly number[] } | Record<string, readonly number[]>;
  readonly administrator?: Solver | undefined;
  readonly before?: ((turn: string, context: StepContext<ScriptDeps>) => Promise<void> | void) | undefined;
}

export interface ScriptState extends ChatState {
  /** Written by `post`, so that a fork has something to edit. */
  notes: string[];
}

export function scriptDeps(
  script: Script,
  more: Partial<ScriptDeps> = {},
): ScriptDeps & { seen: Record<string, readonly number[]> } {
  return { script, calls: [], seen: {}, ...more } as ScriptDeps & { seen: Record<string, readonly number[]> };
}

export function profileOf(id: RoleId, next: readonly RoleId[] = [], title = id): RoleProfile {
  return {
    id,
    title,
    job: `You are ${id}.`,
    goal: 'Do it.',
    knowledge: [],
    constraints: [],
    tools: [],
    outputFormat: 'An object.',
    nextSpeakers: next.map((role) => ({ role, when: 'it must be corrected' })),
  };
}

interface TurnInput {
  readonly turn: string;
  readonly visible: readonly number[];
}

export function scriptedSpeaker(profile: RoleProfile): Speaker<ScriptState, ScriptDeps, TurnInput, Said> {
  const { id } = profile;
  return defineSpeaker<ScriptState, ScriptDeps>()({
    profile,
    prep: (state, visible): TurnInput => ({
      turn: `${id}#${state.notes.filter((note) => note === id).length + 1}`,
      visible: visible.map(({ number }) => number),
    }),
    exec: async ({ turn, visible }, context): Promise<Said> => {
      const { script, calls, seen, before } = context.deps;
      await before?.(turn, context);
      calls.push(turn);
      (seen as Record<string, readonly number[]>)[turn] = visible;
      const index = Number(turn.slice(turn.indexOf('#') + 1)) - 1;
      return { text: `${turn} speaks`, ...script[id]?.[index] };
    },
    post: (state, _input, said) => {
      state.notes.push(id);
      return said;
    },
  });
}

/** The six roles of SchemaAgent with their candidates (Figure 4; issue routes), spoken by a script. */
export const ROLES = {
  manager: profileOf('product-manager', ['logical-designer'], 'Product manager'),
  conceptual: profileOf('conceptual-designer', ['product-manager'], 'Conceptual model designer'),
  reviewer: profileOf('conceptual-reviewer', [], 'Conceptual model reviewer'),
  logical: profileOf('logical-designer', ['conceptual-designer'], 'Logical designer'),
  quality: profileOf('qa-engineer', [], 'QA engineer'),
  executor: profileOf(
    'test-executor',
    ['product-manager', 'conceptual-designer', 'logical-designer', 'qa-engineer'],
    'Test executor',
  ),
} as const;

export type ChatSettings = Partial<Omit<GroupChatOptions<ScriptState, ScriptDeps>, 'members'>> & {
  readonly nested?: Partial<NestedChatOptions<ScriptState, ScriptDeps>> | undefined;
};

export function schemaChat({ nested, ...settings }: ChatSettings = {}) {
  return createGroupChat<ScriptState, ScriptDeps>({
    name: 'design',
    members: [
      scriptedSpeaker(ROLES.manager),
      createNestedChat<ScriptState, ScriptDeps>({
        name: 'conceptual-design',
        members: [scriptedSpeaker(ROLES.conceptual), scriptedSpeaker(ROLES.reviewer)],
        ...nested,
      }),
      scriptedSpeaker(ROLES.logical),
      scriptedSpeaker(ROLES.quality),
      scriptedSpeaker(ROLES.executor),
    ],
    ...settings,
  });
}

/** `from>to` of each message: who read it. */
export function trail(messages: readonly ChatMessage[]): readonly string[] {
  return messages.map(({ from, to }) => `${from}>${to === 'all' ? to : to.join('+')}`);
}

/** The usual end: the reviewer approves at once, the executor ends. */
export const SMOOTH: Script = {
  'conceptual-reviewer': [{ approved: true }, { approved: true }, { approved: true }],
  'test-executor': [{ end: true }, { end: true }],
};
