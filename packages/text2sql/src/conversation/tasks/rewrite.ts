import { defineTask, FENCE_NOTE, fence, type Message, systemMessage, type Task } from '@askema/core';
import * as z from 'zod';
import { KEPT_FACTS, type KeptFact, MESSAGE_KINDS } from '../conversation-options.ts';

export const REWRITE_TASK_ID = 'conversation.rewrite';

export interface RewriteInput {
  /** What can be asked about: names alone. */
  readonly databases: readonly { readonly name: string; readonly names: string }[];
  /** See `earlierTurns`. */
  readonly earlier: string;
  /** ISO 8601 date. */
  readonly today: string;
  readonly message: string;
}

const FACTS = [...KEPT_FACTS, 'other'] as const satisfies readonly (KeptFact | 'other')[];

const rewriteOutput = z.object({
  kind: z.enum(MESSAGE_KINDS),
  turn: z.number().int().describe('The turn that is changed, asked about or answered; else 0.'),
  question: z.string().describe('The question that stands alone; empty for answer, none and unclear.'),
  database: z.string(),
  carried: z.array(z.string()).describe('What of the question comes from earlier turns, a few words each.'),
  cells: z.array(z.object({ turn: z.number().int(), row: z.number().int(), column: z.string() })),
  about: z.enum(FACTS).describe('For about: what is asked for. other: everything else, and where kind is not about.'),
  choice: z.string().describe('For answer: the number of the choice, or empty.'),
  ask: z.string().describe('For unclear: what has to be said.'),
  choices: z.array(z.object({ question: z.string(), database: z.string() })),
});

export type RewriteOutput = z.infer<typeof rewriteOutput>;

const JOB = [
  'People ask a database several things in a row. You read the last message and what came before it, and write its question so that somebody who knows nothing else of the conversation takes it as it was meant. Others answer it.',
  [
    'Kinds of messages:',
    'new: asks for something of its own. Carry nothing over, also where the words would allow it; a message that names all it needs is new.',
    'refine: changes or goes on from the question of `turn`, mostly the last one: another filter, group, measure, period, or "of those". The question keeps what the message does not replace.',
    'about: asks how the result of `turn` came about or what form it has, so that no other data are needed (`about` says what). `question` says it in full, too.',
    'answer: decides what the last turn asked back.',
    'none: a greeting, thanks, anything that no database answers.',
    'unclear: which earlier thing, or which database, is meant cannot be told, and it matters. `ask` asks, and `choices` are two to four questions that each stand alone.',
  ].join('\n- '),
  [
    'The question:',
    'Write it in the language of the message. Say nothing that nobody said: no columns, orders or limits of statements.',
    'Keep relative time as it was said: "last month" stays "last month".',
    'You see no rows. Where the message means a value in a row of a result ("the second one"), write [[1]] in its place, [[2]] for the next, and name turn, row from 1, and column in `cells`.',
  ].join('\n- '),
].join('\n\n');

/** Reads a message of a conversation: what it is, and its question so that it stands alone. Never shows rows. */
export const rewriteTask: Task<RewriteInput, RewriteOutput> = defineTask({
  id: REWRITE_TASK_ID,
  version: 1,
  description: 'Writes a message of a conversation as a question that stands alone.',
  render: ({ databases, earlier, today, message }: RewriteInput): readonly Message[] => [
    systemMessage(`${JOB}\n\n${FENCE_NOTE}`),
    {
      role: 'user',
      content: [
        {
          type: 'text',
          text: `${databases.map(({ name, names }) => fence(`database ${name}`, names)).join('\n')}\n\n`,
          endsPrefix: true,
        },
        { type: 'text', text: `Before:\n${fence('earlier turns', earlier)}\n\nToday is ${today}.\n\n` },
        { type: 'text', text: `The last message:\n${fence('message', message)}` },
      ],
    },
  ],
  output: rewriteOutput,
});
