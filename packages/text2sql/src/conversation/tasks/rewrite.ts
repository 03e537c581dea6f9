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

// It is sent with each message, so the prompt alone describes it, and numbers have no bounds, which would be sent, too.
const rewriteOutput = z.object({
  kind: z.enum(MESSAGE_KINDS),
  turn: z.number(),
  question: z.string(),
  database: z.string(),
  carried: z.array(z.string()),
  detail: z.string(),
  choices: z.array(z.string()),
});

export type RewriteOutput = z.infer<typeof rewriteOutput>;

const JOB = [
  'A person asks databases several things in a row. Write the question of the last message so that it means the same to somebody who sees nothing else; others answer it.',
  [
    '`kind`:',
    'new: a question of its own, or about another subject. Carry nothing over.',
    'refine: changes or goes on from that of `turn`, mostly the last one: another filter, group, measure or period, "of those". Keep what it does not replace.',
    `about: how the result of \`turn\` came about, or its form. \`detail\`: ${KEPT_FACTS.join(', ')} (rows: how many). What needs other data is refine.`,
    'answer: to what the last turn asked back. `detail`: the number of the choice, if it is one.',
    'none: nothing for a database, as thanks.',
    'unclear: it matters which of several things is meant, and nobody can tell. `detail` asks, `choices` are two to four such questions.',
  ].join('\n- '),
  '`question` is in the language of the message, and says nothing that nobody said: no columns, orders or limits of statements. "Last month" stays "last month". Results are not shown: for a value in one ("the second one"), write [[TURN:ROW:COLUMN]], rows from 1, as in "Who is [[3:2:name]]?" `carried`: what of it is from earlier turns, a few words each. `database`: its name; empty where nobody can tell. What does not apply is empty or 0.',
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
