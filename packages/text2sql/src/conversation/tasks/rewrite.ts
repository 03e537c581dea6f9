import { defineTask, FENCE_NOTE, fence, type Message, systemMessage, type Task } from '@askema/core';
import * as z from 'zod';
import { onOneLine } from '../../prompts/cut-text.ts';
import { KEPT_FACTS, MESSAGE_KINDS } from '../conversation-options.ts';

export const REWRITE_TASK_ID = 'conversation.rewrite';

export interface RewriteInput {
  /** What can be asked about: names alone. */
  readonly databases: readonly { readonly name: string; readonly names: string }[];
  /** Earlier turns as text, without rows. */
  readonly earlier: string;
  /** ISO 8601 date. */
  readonly today: string;
  readonly message: string;
}

// It is sent with each message, so it is short; numbers have no bounds, which a vendor would be sent, too.
const rewriteOutput = z.object({
  kind: z.enum(MESSAGE_KINDS),
  turn: z.number().describe('Of refine and about; else 0.'),
  question: z.string().describe('Empty for answer and none.'),
  database: z.string().describe('Its name; empty where nobody can tell.'),
  carried: z.array(z.string()).describe('What of the question is from earlier turns, a few words each.'),
  detail: z.string().describe('Of about, answer and unclear; else empty.'),
  choices: z.array(z.string()).describe('Of unclear.'),
});

export type RewriteOutput = z.infer<typeof rewriteOutput>;

const JOB = [
  'People ask databases several things in a row. From the last message, and what was before it, write its question so that somebody who knows nothing else takes it as it was meant. Others answer it.',
  [
    'Kinds of messages:',
    'new: a question of its own, also where the subject changes. Carry nothing over.',
    'refine: changes or goes on from the question of `turn`, mostly the last one: another filter, group, measure or period, "of those". Keep what it does not replace.',
    `about: asks how the result of \`turn\` came about, or its form; \`detail\` is one of ${KEPT_FACTS.join(', ')} (rows: how many there were). What needs other data is refine.`,
    'answer: decides what the last turn asked back; `detail` is the number of the choice, if it is one.',
    'none: nothing that a database answers, as thanks.',
    'unclear: nobody can tell which of several things is meant, and it matters; `detail` asks, and `choices` are two to four questions that stand alone.',
  ].join('\n- '),
  'Write the question in the language of the message. Say nothing that nobody said: no columns, orders or limits of statements. Relative time stays as it is: "last month" stays "last month". You see no rows: for a value in a row of a result ("the second one") write [[TURN:ROW:COLUMN]], with rows from 1, as in "Who is [[3:2:name]]?"',
].join('\n\n');

/** Reads a message of a conversation: what it is, and its question so that it stands alone. Never shows rows. */
export const rewriteTask: Task<RewriteInput, RewriteOutput> = defineTask({
  id: REWRITE_TASK_ID,
  version: 1,
  description: 'Writes a message of a conversation as a question that stands alone.',
  render: ({ databases, earlier, today, message }: RewriteInput): readonly Message[] => {
    const names = databases.map((one) => `Database ${one.name}:\n${one.names}`).join('\n\n');
    // Each turn has lines of its own, and so has the message: none of them can begin another.
    const before = earlier === '' ? '' : `${earlier}\n`;
    const said = `${before}Last message: ${onOneLine(message).trim()}`;
    return [
      systemMessage(`${JOB}\n\n${FENCE_NOTE}`),
      {
        role: 'user',
        content: [
          { type: 'text', text: `${fence('names', names)}\n\n`, endsPrefix: true },
          { type: 'text', text: `Today is ${today}.\n\n${fence('conversation', said)}` },
        ],
      },
    ];
  },
  output: rewriteOutput,
});
