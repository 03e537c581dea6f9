import { isAskemaError } from '../errors/askema-error.ts';
import type { ErrorCode } from '../errors/error-code.ts';
import type { StepContext, StepOf } from '../flow/step.ts';
import { addUsage, type Usage } from '../model/usage.ts';
import type { ChatMessage } from './chat-message.ts';
import { type ChatPlan, type PlannedRole, RESERVED } from './chat-plan.ts';
import type { ChatState } from './chat-state.ts';
import { type ChooseSpeakerInput, chooseSpeakerTask } from './choose-speaker.ts';
import type { RoleId } from './role-profile.ts';
import { roleOfName } from './role-profile.ts';
import { setNext } from './take-turn.ts';

/** Errors that say that there is an answer, and that it is none. */
const UNUSABLE: ReadonlySet<ErrorCode> = new Set(['MODEL_OUTPUT_INVALID', 'MODEL_CONTENT_FILTERED']);

interface Chosen {
  /** Undefined when there is no usable answer. */
  readonly name: string | undefined;
  readonly calls: number;
  readonly usage: Usage;
}

/** Asks the administrator who is next. What it answers is as good as a name that the speaker itself named. */
export function administratorStep(plan: ChatPlan): StepOf<never, never> {
  const choicesOf = (role: PlannedRole): readonly RoleId[] =>
    role.forward === undefined ? [...role.candidates, RESERVED.terminal] : role.candidates;
  const asking = ({ chat }: ChatState): PlannedRole => plan.roles.get(chat.messages.at(-1)?.from ?? '') as PlannedRole;
  const askers = [...plan.roles.values()].filter(({ asks }) => asks);
  return {
    kind: 'step',
    name: RESERVED.administrator,
    actions: [...new Set(askers.flatMap(choicesOf))],
    prep: (state: ChatState): ChooseSpeakerInput => {
      const role = asking(state);
      const whenOf = new Map(role.speaker.profile.nextSpeakers.map((next) => [next.role, next.when]));
      return {
        speaker: role.speaker.profile.title,
        candidates: choicesOf(role).map((id) => ({
          id,
          title: plan.roles.get(id)?.speaker.profile.title ?? 'nobody: the work is done',
          goal: plan.roles.get(id)?.speaker.profile.goal,
          when: whenOf.get(id),
        })),
        forward: role.forward ?? RESERVED.terminal,
        // What is said inside of a nested chat is not for the group.
        messages: state.chat.messages.filter(({ chat }) => chat === plan.name),
      };
    },
    exec: async (input: ChooseSpeakerInput, context: StepContext<never>): Promise<Chosen> => {
      const solver = plan.administrator?.(context.deps);
      if (!solver?.supports(chooseSpeakerTask.id)) return { name: undefined, calls: 0, usage: {} };
      try {
        const { value, calls, usage } = await solver.solve(chooseSpeakerTask, input, context);
        return { name: value.next, calls, usage };
      } catch (error) {
        if (!isAskemaError(error) || !UNUSABLE.has(error.code)) throw error;
        const { calls, usage } = error.details;
        return { name: undefined, calls: typeof calls === 'number' ? calls : 0, usage: usage ?? {} };
      }
    },
    post: (state: ChatState, _input: never, chosen: Chosen, context) => {
      const { chat } = state;
      const role = asking(state);
      const found = chosenRole(plan, choicesOf(role), chosen.name);
      const action = found ?? role.forward ?? RESERVED.terminal;
      const next = plan.roles.has(action) ? action : undefined;
      const last = chat.messages.at(-1);
      if (last !== undefined) chat.messages[chat.messages.length - 1] = handedOn(plan, role, last, next);
      setNext(chat, next);
      const { administration } = chat;
      chat.administration = {
        calls: (administration?.calls ?? 0) + chosen.calls,
        usage: administration === undefined ? chosen.usage : addUsage(administration.usage, chosen.usage),
      };
      const usable = found !== undefined;
      context?.emit({
        type: 'speaker-chosen',
        data: { role: role.id, chat: plan.name, next: next ?? null, usable, replayed: context.replayed },
      });
      return action;
    },
  } as StepOf<never, never>;
}

function chosenRole(plan: ChatPlan, choices: readonly RoleId[], name: string | undefined): RoleId | undefined {
  if (name === undefined) return undefined;
  if (name.trim().toLowerCase() === RESERVED.terminal && choices.includes(RESERVED.terminal)) return RESERVED.terminal;
  const found = roleOfName(name, plan.profiles);
  return found !== undefined && choices.includes(found) ? found : undefined;
}

/** The last message, addressed to whom the administrator gave the word. */
function handedOn(plan: ChatPlan, role: PlannedRole, message: ChatMessage, next: RoleId | undefined): ChatMessage {
  const chosen = { ...message, chosenBy: RESERVED.administrator };
  if (next === undefined) return { ...chosen, kind: 'end', to: message.to.length === 0 ? 'all' : message.to };
  const earlier = (plan.roles.get(next)?.position ?? 0) < role.position;
  const to = message.to === 'all' ? message.to : [...new Set([...message.to, next])];
  return { ...chosen, next, to, kind: earlier ? 'feedback' : message.kind };
}
