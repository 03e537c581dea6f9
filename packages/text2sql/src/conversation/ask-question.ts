import { type Outcome, toAskemaError } from '@askema/core';
import { type CallCost, NO_COST, sumCosts } from '../question/call-cost.ts';
import type { AskOptions } from '../text2sql-options.ts';
import type { ExplainedPart, KeptTurn, Understood } from './conversation-options.ts';
import { keepAnswer } from './keep-answer.ts';
import { questionOf, runStatement } from './run-statement.ts';
import { toAll } from './step-events.ts';
import { type BegunTurn, databaseOf, runIdOf, type TurnTools } from './turn-tools.ts';

/** The question of a turn, or the answer to what another turn has asked back. */
export async function answerOf(
  understood: Understood,
  of: KeptTurn | undefined,
  begun: BegunTurn,
  tools: TurnTools,
): Promise<Outcome> {
  const { turn, given } = begun;
  const { question = turn.message, database = '', kind, choice } = understood;
  const store = databaseOf(database, tools);
  const base = askOptions(begun, tools);
  const { signal, onEvent } = base;
  const asked = of?.answer;
  if (kind === 'answer' && choice !== undefined && asked?.type === 'needsClarification') {
    const chosen = asked.choices.find(({ id }) => id === choice);
    if (asked.runId !== undefined) {
      const resumed = await unlessUnknown(store.resume(asked.runId, { answer: choice, signal, onEvent }));
      if (resumed !== undefined) return resumed;
    }
    // Its run is not there any more, or was answered otherwise: asked anew, with what was decided.
    const decided = `Asked back: ${asked.ask}\nAnswered: ${chosen?.meaning ?? choice}`;
    const sql = chosen?.resolution.kind === 'sql' ? chosen.resolution.sql : undefined;
    const follows = sql === undefined ? undefined : { question: chosen?.meaning ?? question, sql };
    return store.ask(question, {
      ...base,
      evidence: joined(given.evidence, of?.understood?.evidence, decided),
      follows,
    });
  }
  return store.ask(question, { ...base, ...known(understood, kind === 'refine' ? of : undefined, begun) });
}

/**
 * Asks the questions of an explanation one after the other, those that have not ended yet. Each is kept as soon as it
 * has ended, whatever it ended with, and none stops the others.
 */
export async function explain(
  understood: Understood,
  of: KeptTurn | undefined,
  begun: BegunTurn,
  tools: TurnTools,
): Promise<{
  readonly parts: readonly ExplainedPart[];
  readonly outcomes: readonly (Outcome | undefined)[];
  /** What was spent now; the journal has it. */
  readonly spent: CallCost;
}> {
  const { questions = [], databases = [] } = understood;
  const { turn, open } = begun;
  const parts: ExplainedPart[] = [];
  const outcomes: (Outcome | undefined)[] = [];
  let spent = NO_COST;
  for (const [position, question] of questions.entries()) {
    const part = position + 1;
    const database = databases[position] ?? understood.database ?? '';
    const store = databaseOf(database, tools);
    // A statement of one database says nothing of another.
    const before = of?.understood?.database === database ? of : undefined;
    const ended = turn.parts?.get(part);
    if (ended !== undefined) {
      parts.push({ question, database, answer: ended });
      outcomes.push(await rowsAgain(question, ended, database, begun, tools));
      continue;
    }
    const runId = `${runIdOf(begun)}.${part}`;
    const outcome = await store.ask(question, {
      ...askOptions(begun, tools),
      runId,
      ...known(understood, before, begun),
    });
    const answer = keepAnswer(outcome);
    const { usage, calls } = outcome;
    await open.add({ type: 'part', turn: turn.turn, part, answer, usage, calls });
    spent = sumCosts(spent, outcome);
    parts.push({ question, database, answer });
    outcomes.push(outcome);
  }
  return { parts, outcomes, spent };
}

/** Of a part that ended before the process died: its statement, run again. */
async function rowsAgain(
  question: string,
  answer: ExplainedPart['answer'],
  database: string,
  begun: BegunTurn,
  tools: TurnTools,
): Promise<Outcome | undefined> {
  if (answer.type !== 'answered') return undefined;
  const { sql, runId } = answer;
  return runStatement({ sql, runId, question, database }, begun, tools);
}

function askOptions(begun: BegunTurn, { tenant, onEvent }: TurnTools): AskOptions {
  const { turn, given } = begun;
  const { signal, documents, tags } = given;
  const { today } = turn;
  return { signal, documents, tags, tenant, today, onEvent: toAll([onEvent, given.onEvent]), runId: runIdOf(begun) };
}

/** What goes along with a question: what its values are, and the statement of the turn that it goes on from. */
function known(
  understood: Understood,
  of: KeptTurn | undefined,
  { given, turn }: BegunTurn,
): Pick<AskOptions, 'evidence' | 'follows'> {
  const evidence = joined(given.evidence, of?.understood?.evidence, understood.evidence);
  if (of?.answer.type !== 'answered') return { evidence };
  const earlier = { question: questionOf(of), sql: of.answer.sql };
  const isAsSaid = understood.kind !== 'refine' || understood.question === turn.message;
  return { evidence, follows: isAsSaid ? earlier : { ...earlier, message: turn.message } };
}

/** Undefined where the run is not known, or no journal is there to know it. */
async function unlessUnknown(resumed: Promise<Outcome>): Promise<Outcome | undefined> {
  try {
    return await resumed;
  } catch (thrown) {
    const { code } = toAskemaError(thrown);
    if (code === 'CONFIG_INVALID' || code === 'INPUT_INVALID') return undefined;
    throw thrown;
  }
}

function joined(...texts: readonly (string | undefined)[]): string | undefined {
  const given = texts.filter((text) => text !== undefined && text !== '');
  return given.length === 0 ? undefined : given.join('\n\n');
}
