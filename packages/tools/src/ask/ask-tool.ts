import { AskemaError, isAskemaError, type Outcome, oneLine } from '@askema/core';
import { z } from 'zod';
import type { ResumeHandles, Tool, ToolContext, ToolReply, WaitingQuestion } from '../contract.ts';
import type { FoundDatabase } from '../databases/find-database.ts';
import { cutText } from '../reply/cut-text.ts';
import { makeTool } from '../reply/make-tool.ts';
import type { ReplyLimits } from '../reply/reply-limits.ts';
import { answerOf } from './answer-of.ts';
import { cutOutcome } from './cut-outcome.ts';
import { outcomeText } from './outcome-text.ts';
import { type Placing, placedByAnswer, placeQuestion } from './place-question.ts';

/** A person is asked so often within one call. */
const MAX_ROUNDS = 3;

/** Characters of the title of a database in the description. */
const MAX_TITLE = 60;

const askOutput = z.looseObject({
  /** That of the outcome. Not as an enumeration: in each list of tools it would cost 40 tokens. */
  type: z.string().optional(),
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

export interface AskTools extends Placing {
  readonly limits: ReplyLimits;
  readonly handles: ResumeHandles;
}

/** Asks a question in plain words, or answers what was asked back. */
export function askTool({ limits, handles, ...placing }: AskTools): Tool {
  const { databases } = placing;
  const input = z.strictObject({
    question: z.string().optional(),
    ...(databases.only === undefined ? { database: databases.field.database.optional() } : databases.field),
    answers: z.object({ resume: z.string(), choice: z.string() }).optional(),
    follows: z.object({ question: z.string(), sql: z.string() }).optional(),
  });
  const title = databases.only?.title;
  const about = title === undefined ? '' : ` (${cutText(oneLine(title), MAX_TITLE)})`;
  return makeTool({
    name: 'ask',
    title: 'Ask',
    description: `Answers a question about the data${about} with SQL and rows; follows: the turn before. On needsClarification, ask the user, then call with answers alone.`,
    input,
    output: askOutput,
    idempotent: false,
    async run({ answers, ...asked }, context) {
      const { outcome: first, found } =
        answers === undefined
          ? await begin(asked, placing, context)
          : await takeAnswer({ ...answers, database: asked.database }, { handles, ...placing }, context);
      const outcome = found === undefined ? first : await askPerson(first, found, context);
      const run = { runId: outcome.runId, database: found?.name, tenant: context.tenant };
      const resume = outcome.type === 'needsClarification' ? await handles.give(run) : undefined;
      return replyOf(outcome, limits, resume);
    },
  });
}

/** What a question comes to, and in which database; undefined where that is asked back. */
interface Begun {
  readonly outcome: Outcome;
  readonly found?: FoundDatabase;
}

interface Asked {
  readonly question?: string | undefined;
  readonly database?: string | undefined;
  readonly follows?: WaitingQuestion['follows'];
}

async function begin({ question, database, follows }: Asked, placing: Placing, context: ToolContext): Promise<Begun> {
  if (question === undefined)
    throw new AskemaError('INPUT_INVALID', '`question` is missing: give one, or `answers` to what was asked back.');
  const waiting = { question, follows };
  const { databases } = placing;
  const isNamed = database !== undefined || databases.only !== undefined;
  const placed = isNamed ? { found: databases.find(database) } : await placeQuestion(waiting, placing, context);
  return 'asked' in placed ? { outcome: placed.asked } : ask(placed.found, waiting, context);
}

async function ask(
  found: FoundDatabase,
  { question, follows }: WaitingQuestion,
  { signal, tenant, tags, onEvent }: ToolContext,
): Promise<Begun> {
  return { outcome: await found.text2sql.ask(question, { signal, tenant, tags, onEvent, follows }), found };
}

async function goOn(
  { text2sql }: FoundDatabase,
  runId: string,
  answer: string,
  { signal, onEvent }: ToolContext,
): Promise<Outcome> {
  return text2sql.resume(runId, { answer, signal, onEvent });
}

interface Answer {
  readonly resume: string;
  readonly choice: string;
  readonly database: string | undefined;
}

/** Goes on with the run of a handle that this caller was given, for this database where one is named. */
async function takeAnswer(
  { resume, choice, database }: Answer,
  { handles, ...placing }: Placing & Pick<AskTools, 'handles'>,
  context: ToolContext,
): Promise<Begun> {
  const run = await handles.take(resume);
  const isNamed = database === undefined || run?.database === undefined || run.database === database;
  if (run !== undefined && run.tenant === context.tenant && isNamed) {
    if (run.database !== undefined) {
      const found = placing.databases.find(run.database);
      return { outcome: await goOn(found, run.runId, choice, context), found };
    }
    const placed = await placedByAnswer(run.runId, choice, placing);
    if (placed !== undefined) return ask(placed.found, placed.question, context);
  }
  throw new AskemaError(
    'INPUT_INVALID',
    'No question waits for this `resume`: take that of the last `needsClarification` of this database, or ask anew.',
  );
}

/** Goes on with what the person behind the agent answers, as long as something is asked back and they do. */
async function askPerson(first: Outcome, found: FoundDatabase, context: ToolContext): Promise<Outcome> {
  let outcome = first;
  for (let round = 0; round < MAX_ROUNDS && outcome.type === 'needsClarification'; round += 1) {
    const answer = await answerOf(outcome, context);
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
