import { type Message, systemMessage, userMessage } from '../model/language-model.ts';
import { defineTask } from '../task/define-task.ts';
import { FENCE_NOTE, fence } from '../task/fence.ts';
import { type PlainValue, plainOutput } from '../task/structured/plain-output.ts';
import type { Task } from '../task/task.ts';
import { shortened } from '../text/shortened.ts';
import type { ChatMessage } from './chat-message.ts';
import type { RoleId } from './role-profile.ts';

const CHOOSE_SPEAKER_TASK_ID = 'agents.choose-speaker';

/** Somebody who may be given the word. */
interface SpeakerCandidate {
  readonly id: RoleId;
  readonly title: string;
  readonly goal: string | undefined;
  /** When the last speaker would have named it. */
  readonly when: string | undefined;
}

export interface ChooseSpeakerInput {
  /** Title of the last speaker. */
  readonly speaker: string;
  readonly candidates: readonly SpeakerCandidate[];
  /** Id of the candidate that the usual order would take. */
  readonly forward: RoleId;
  /** What the group has heard. */
  readonly messages: readonly ChatMessage[];
}

const chooseSpeakerOutput = plainOutput({
  reason: { description: 'Why this one, in a sentence.' },
  next: { description: 'The identifier of one candidate, as it is listed.' },
});

export type ChooseSpeakerOutput = PlainValue<typeof chooseSpeakerOutput.fields>;

/** What decides who is next stands at the end of the conversation. */
const MAX_MESSAGES = 12;
const MAX_TEXT_LENGTH = 2000;

/** The administrator of a group chat chooses the next speaker (SchemaAgent, section 4.2). */
export const chooseSpeakerTask: Task<ChooseSpeakerInput, ChooseSpeakerOutput> = defineTask({
  id: CHOOSE_SPEAKER_TASK_ID,
  version: 1,
  description: 'Chooses who speaks next in a group chat.',
  render: ({ speaker, candidates, forward, messages }: ChooseSpeakerInput): readonly Message[] => [
    systemMessage(
      [
        'You lead a group of experts who work on one task in turns. You do no work of your own: you only decide who speaks next, by what was said last.',
        'Choose the usual next speaker unless the last message shows that somebody else has to correct or complete something first.',
        FENCE_NOTE,
      ].join('\n\n'),
    ),
    userMessage(
      [
        `The candidates:\n${candidates.map((candidate) => candidateLine(candidate, forward)).join('\n')}`,
        ...messages.slice(-MAX_MESSAGES).map(messageBlock),
        `${speaker} has spoken and has named nobody. Who speaks next?`,
      ].join('\n\n'),
    ),
  ],
  output: chooseSpeakerOutput,
});

function candidateLine({ id, title, goal, when }: SpeakerCandidate, forward: RoleId): string {
  const parts = [
    `${title}.`,
    ...(goal === undefined ? [] : [`Goal: ${goal}`]),
    ...(when === undefined ? [] : [`Comes next when ${when}.`]),
    ...(id === forward ? ['The usual next one.'] : []),
  ];
  return `- \`${id}\`: ${parts.join(' ')}`;
}

function messageBlock({ from, to, text }: ChatMessage): string {
  const readers = to === 'all' ? 'all' : to.join(', ');
  return fence(
    readers === '' ? `message of ${from}` : `message of ${from} to ${readers}`,
    shortened(text, MAX_TEXT_LENGTH),
  );
}
