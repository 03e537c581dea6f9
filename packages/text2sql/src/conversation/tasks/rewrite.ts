import { defineTask, FENCE_NOTE, fence, type Message, systemMessage, type Task } from '@askema/core';
import * as z from 'zod';
import { onOneLine } from '../../prompts/cut-text.ts';
import { KEPT_FACTS, MESSAGE_KINDS } from '../conversation-options.ts';

export const REWRITE_TASK_ID = 'conversation.rewrite';

export interface RewriteInput {
  /** What can be asked about, by names alone. Empty where there is one database. */
  readonly databases: readonly { readonly name: string; readonly names: string }[];
  /** Earlier turns as text, without rows. */
  readonly earlier: string;
  readonly message: string;
}

// It is sent with each message, so the prompt alone describes it, and numbers have no bounds, which would be sent, too.
const rewriteOutput = z.object({
  kind: z.enum(MESSAGE_KINDS).exclude(['edit']),
  turn: z.number(),
  question: z.string(),
  database: z.string(),
  detail: z.string(),
  questions: z.array(z.string()),
});

export type RewriteOutput = z.infer<typeof rewriteOutput>;

const JOB = [
  'Somebody asks a database several things in a row. Write the last message as a question that means the same on its own; others answer it.',
  [
    '`kind`:',
    'new: another subject, or none before.',
    'refine: changes or goes on from `turn`, mostly the last. Keep the conditions that it does not replace; one that is complete by itself replaces all. Who asks for something else of the same rows wants that alone, unless they say "also"; "for each of them" shows them as before.',
    `about: how \`turn\` came about. \`detail\`: ${KEPT_FACTS.join(', ')} (rows: how many were shown). What asks for data is refine.`,
    'explain: why, what changed, how results compare. `questions`: two to four whose numbers tell it.',
    'answer: to what was asked back. `detail`: the number of the choice.',
    'none: asks nothing.',
    'unclear: nobody can tell which of several things is meant, and it matters. `detail` asks, `questions` are the readings.',
  ].join('\n- '),
  'Every question is complete, in the language of the message, and adds no "all", "each" or "different", no column, order or limit. "Last month" stays. Rows are not shown: write a value in one ("the second one") as [[TURN:ROW:COLUMN]], rows from 1. What does not apply is empty or 0.',
].join('\n\n');

const WHICH =
  '`database`: the name of the one that it is about; empty where nobody can tell. One question is answered from one. Each of `questions` that is about another than `database` begins with its name and a colon. What compares results of several is explain; what else needs several at once is unclear, and `questions` are what can be asked of each.';

/** Reads a message of a conversation: what it is, and its question so that it stands alone. Never shows rows. */
export const rewriteTask: Task<RewriteInput, RewriteOutput> = defineTask({
  id: REWRITE_TASK_ID,
  version: 1,
  description: 'Writes a message of a conversation as a question that stands alone.',
  render: ({ databases, earlier, message }: RewriteInput): readonly Message[] => {
    const names = databases.map((one) => `Database ${one.name}:\n${one.names}`).join('\n\n');
    const which = `${WHICH}\n\n${fence('names', names)}\n\n`;
    // Each turn has lines of its own, and so has the message: none of them can begin another.
    const before = earlier === '' ? '' : `${earlier}\n`;
    const said = fence('conversation', `${before}Last message: ${onOneLine(message).trim()}`);
    return [
      systemMessage(`${JOB}\n\n${FENCE_NOTE}`),
      {
        role: 'user',
        content: [
          ...(names === '' ? [] : [{ type: 'text', text: which, endsPrefix: true } as const]),
          { type: 'text', text: said },
        ],
      },
    ];
  },
  output: rewriteOutput,
});
