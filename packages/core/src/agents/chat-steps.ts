import type { GraphNode } from '../flow/flow-graph.ts';
import { end, type Target } from '../flow/routes.ts';
import type { StepOf } from '../flow/step.ts';
import { type ChatPlan, type PlannedNested, type PlannedRole, RESERVED } from './chat-plan.ts';
import type { ChatState } from './chat-state.ts';
import { takeTurn } from './take-turn.ts';
import { visibleMessages } from './visible-messages.ts';

type AnyStep = StepOf<never, never>;

/** The turn of a role as a step, named by its id. Its actions are the roles that may follow, and how the chat may end. */
export function speakerStep(plan: ChatPlan, role: PlannedRole): AnyStep {
  const { speaker, nested } = role;
  const followers = new Set(role.candidates);
  if (nested?.onward !== undefined) followers.add(nested.onward);
  return {
    kind: 'step',
    name: role.id,
    actions: [...followers, ...(role.asks ? [RESERVED.administrator] : []), RESERVED.terminal, RESERVED.exhausted],
    prep: (state: ChatState) => speaker.prep(state as never, visibleMessages(state.chat.messages, role.id)),
    exec: speaker.exec,
    post: (state: ChatState, input, output, context) =>
      takeTurn(plan, role, state, speaker.post(state as never, input, output), context),
    ...(speaker.retry === undefined ? {} : { retry: speaker.retry }),
  };
}

/** The start of a nested chat: counts it as a round of the outer one, begins its own count, and leads to whoever was named. */
export function entranceStep(plan: ChatPlan, nested: PlannedNested): AnyStep {
  return {
    kind: 'step',
    name: RESERVED.entrance,
    actions: nested.roles,
    exec: () => null,
    post: ({ chat }: ChatState) => {
      chat.rounds[plan.name] = (chat.rounds[plan.name] ?? 0) + 1;
      chat.rounds[nested.name] = 0;
      return chat.next !== undefined && nested.roles.includes(chat.next) ? chat.next : nested.roles[0];
    },
  };
}

/** A step with its routes: followers that stand in this graph, and the way out for all others. */
export function nodeOf(
  part: GraphNode['part'],
  name: string,
  nodeOfRole: (role: string) => Target | undefined,
): GraphNode {
  return { name, part, routes: new Map(part.actions.map((action) => [action, nodeOfRole(action) ?? end])) };
}
