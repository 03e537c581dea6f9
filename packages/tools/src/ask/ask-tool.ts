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
    description: `Answers a question about the data${about} with SQL and rows. On needsClarification, ask the user and call again with answers.`,
    input,
    output: askOutput,
    idempotent: false,
    async run({ question, database, answers, follows }, context) {
      const begun =
        answers === undefined
          ? await begin({ question, database, follows }, placing, context)
          : await runOf(answers, database, { handles, placing, context });
      if ('asked' in begun) {
        const resume = await handles.give({ runId: begun.asked.runId, tenant: context.tenant });
        return replyOf(begun.asked, limits, resume);
      }
      const { found } = begun;
      const outcome = await askPerson(await begun.first(), found, context);
      const run = { runId: outcome.runId, database: found.name, tenant: context.tenant };
      const resume = outcome.type === 'needsClarification' ? await handles.give(run) : undefined;
      return replyOf(outcome, limits, resume);
    },
  });
}

/** Where the question or its answer goes, and what it comes to there. */
type Begun = { readonly found: FoundDatabase; first(): Promise<Outcome> } | { readonly asked: Outcome };

async function begin(
  {
    question,
    database,
    follows,
  }: Record<'question' | 'database', string | undefined> & Pick<WaitingQuestion, 'follows'>,
  placing: Placing,
  context: ToolContext,
): Promise<Begun> {
  if (question === undefined)
    throw new AskemaError('INPUT_INVALID', '`question` is missing: give one, or `answers` to what was asked back.');
  const waiting = { question, follows };
  const isNamed = database !== undefined || placing.databases.only !== undefined;
  const placed = isNamed ? { found: placing.databases.find(database) } : await placeQuestion(waiting, placing, context);
  if ('asked' in placed) return placed;
  return { found: placed.found, first: () => ask(placed.found, waiting, context) };
}

async function ask(
  { text2sql }: FoundDatabase,
  { question, follows }: WaitingQuestion,
  { signal, tenant, tags, onEvent }: ToolContext,
): Promise<Outcome> {
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

/** The run of a handle that this caller was given, for this database where one is named. */
async function runOf(
  { resume, choice }: { readonly resume: string; readonly choice: string },
  name: string | undefined,
  {
    handles,
    placing,
    context,
  }: Pick<AskTools, 'handles'> & { readonly placing: Placing; readonly context: ToolContext },
): Promise<Begun> {
  const run = await handles.take(resume);
  const isOfCaller = run !== undefined && run.tenant === context.tenant;
  const isNamed = name === undefined || run?.database === undefined || run.database === name;
  if (isOfCaller && isNamed && run.database !== undefined) {
    const found = placing.databases.find(run.database);
    return { found, first: () => goOn(found, run.runId, choice, context) };
  }
  const placed = isOfCaller && isNamed ? await placedByAnswer(run.runId, choice, placing) : undefined;
  if (placed !== undefined) return { found: placed.found, first: () => ask(placed.found, placed.question, context) };
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
