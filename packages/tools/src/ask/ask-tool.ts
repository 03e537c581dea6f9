import { AskemaError, isAskemaError, type Outcome, oneLine } from '@askema/core';
import { OUTCOME_TYPES } from '@askema/text2sql';
import { z } from 'zod';
import type { ResumeHandles, Tool, ToolContext, ToolReply } from '../contract.ts';
import type { Databases, FoundDatabase } from '../databases/find-database.ts';
import { cutText } from '../reply/cut-text.ts';
import { makeTool } from '../reply/make-tool.ts';
import type { ReplyLimits } from '../reply/reply-limits.ts';
import { cutOutcome } from './cut-outcome.ts';
import { outcomeText } from './outcome-text.ts';

/** A person is asked so often within one call. */
const MAX_ROUNDS = 3;

/** Characters of the title of a database in the description. */
const MAX_TITLE = 60;

const askOutput = z.looseObject({
  type: z.enum(OUTCOME_TYPES).optional(),
  sql: z.string().optional(),
  result: z.unknown().optional(),
  /** What has to be decided; `choices` is what can be meant. */
  ask: z.string().optional(),
  choices: z.array(z.unknown()).optional(),
  /** For `answers` of the next call. */
  resume: z.string().optional(),
  /** What is missing in `result`. */
  truncated: z.string().optional(),
});

export interface AskTools {
  readonly databases: Databases;
  readonly limits: ReplyLimits;
  readonly handles: ResumeHandles;
}

/** Asks a question in plain words, or answers what was asked back. */
export function askTool({ databases, limits, handles }: AskTools): Tool {
  const input = z.strictObject({
    question: z.string().optional(),
    ...databases.field,
    answers: z.object({ resume: z.string(), choice: z.string() }).optional(),
    follows: z.object({ question: z.string(), sql: z.string() }).optional(),
  });
  const title = databases.only?.title;
  const about = title === undefined ? '' : ` (${cutText(oneLine(title), MAX_TITLE)})`;
  return makeTool({
    name: 'ask',
    title: 'Ask',
    description: `Answers a question about the data${about} with SQL and rows. On needsClarification, ask the user and call again with answers.`,
    input,
    output: askOutput,
    idempotent: false,
    async run({ question, database, answers, follows }, context) {
      const found = databases.find(database);
      const first =
        answers === undefined
          ? await ask(found, question, follows, context)
          : await goOn(found, await runOf(answers.resume, found, handles, context), answers.choice, context);
      const outcome = await askPerson(first, found, context);
      const run = { runId: outcome.runId, database: found.name, tenant: context.tenant };
      const resume = outcome.type === 'needsClarification' ? await handles.give(run) : undefined;
      return replyOf(outcome, limits, resume);
    },
  });
}

async function ask(
  { text2sql }: FoundDatabase,
  question: string | undefined,
  follows: { readonly question: string; readonly sql: string } | undefined,
  { signal, tenant, tags, onEvent }: ToolContext,
): Promise<Outcome> {
  if (question === undefined)
    throw new AskemaError('INPUT_INVALID', '`question` is missing: give one, or `answers` to what was asked back.');
  return text2sql.ask(question, { signal, tenant, tags, onEvent, follows });
}

async function goOn(
  { text2sql }: FoundDatabase,
  runId: string,
  answer: string,
  { signal, onEvent }: ToolContext,
): Promise<Outcome> {
  return text2sql.resume(runId, { answer, signal, onEvent });
}

/** The run of a handle that this caller was given for this database. */
async function runOf(
  handle: string,
  { name }: FoundDatabase,
  handles: ResumeHandles,
  { tenant }: ToolContext,
): Promise<string> {
  const run = await handles.take(handle);
  if (run !== undefined && run.database === name && run.tenant === tenant) return run.runId;
  throw new AskemaError(
    'INPUT_INVALID',
    'No question waits for this `resume`: take that of the last `needsClarification` of this database, or ask anew.',
  );
}

/** Goes on with what the person behind the agent answers, as long as something is asked back and they do. */
async function askPerson(first: Outcome, found: FoundDatabase, context: ToolContext): Promise<Outcome> {
  let outcome = first;
  for (let round = 0; round < MAX_ROUNDS && outcome.type === 'needsClarification'; round += 1) {
    const message = oneLine(outcome.ask, 1_000);
    const choices = outcome.choices.map(({ id, meaning }) => ({ id, meaning: oneLine(meaning, 300) }));
    const answer = await answerOf({ message, choices }, context);
    if (answer === undefined) return outcome;
    try {
      outcome = await goOn(found, outcome.runId, answer, context);
    } catch (error) {
      // An answer that nobody can read: the question stays.
      if (!isAskemaError(error) || error.code !== 'INPUT_INVALID') throw error;
      return outcome;
    }
  }
  return outcome;
}

/** What a client breaks with says nothing about the question, which the agent can still ask. */
async function answerOf(
  asked: Parameters<NonNullable<ToolContext['elicit']>>[0],
  { elicit }: ToolContext,
): Promise<string | undefined> {
  try {
    return await elicit?.(asked);
  } catch {
    return undefined;
  }
}

function replyOf(
  outcome: Outcome,
  limits: ReplyLimits,
  resume: string | undefined,
): ToolReply<z.infer<typeof askOutput>> {
  const cut = cutOutcome(outcome, limits);
  const truncated = cut.result?.truncated;
  return {
    structured: {
      ...cut.json,
      ...(resume === undefined ? {} : { resume }),
      ...(truncated === undefined ? {} : { truncated }),
    } as z.infer<typeof askOutput>,
    text: outcomeText(outcome, cut, { limits, resume }),
    isError: !['answered', 'needsClarification', 'unanswerable'].includes(outcome.type),
  };
}
