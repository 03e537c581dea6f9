import { defineStep, type QueryResult, resultsAgree, type StepContext } from '@askema/core';
import { cutText } from '../prompts/cut-text.ts';
import type { QuestionDeps } from '../question/question-deps.ts';
import type { OtherReading, QuestionState } from '../question/question-state.ts';
import { resultOf } from '../question/result-of.ts';
import { choicesOf, UNCLEAR } from './accept-output.ts';
import { alignStatement } from './align-statement.ts';
import { acceptResult } from './execute-sql.ts';
import { readAsIn, withReadAs } from './read-as.ts';
import { readOnly } from './read-only.ts';
import { briefly } from './result-briefly.ts';

/** A reading with what its statement gives. */
export interface WeighedReading extends OtherReading {
  readonly result: QueryResult;
}

export interface ReadingsToWeigh {
  readonly readings: readonly OtherReading[];
  /** Of the first reading, where it ran already. */
  readonly result: QueryResult | null;
  /** Somebody was asked before. */
  readonly isDecided: boolean;
}

/**
 * WeighReadings: runs the other readings of the question, for reading, and keeps those that give another result. Where
 * none does, there is nothing to decide, and the first one is the answer. Else `askBack` decides: the question is asked
 * back with what each reading gives, or the others become assumptions of the answer.
 *
 * Stands behind ExecuteSQL, and where GenerateSQL declined.
 */
export const weighReadings = defineStep<QuestionState, QuestionDeps>()({
  name: 'weigh-readings',
  prep: (state): ReadingsToWeigh => {
    const isOpen = state.verdict?.type === 'answered' || state.verdict?.type === 'needsClarification';
    const sql = state.generatedSql ?? '';
    const first = { sql, meaning: withReadAs(firstMeaning(state), readAsIn(sql, state.readAs)), isEqual: true };
    // A statement that changed data has no other readings to run.
    const isRead = state.resultFigures?.affectedRows === undefined;
    return {
      readings: isOpen && isRead && state.otherReadings.length > 0 ? [first, ...state.otherReadings] : [],
      result: resultOf(state),
      isDecided: state.clarified.length > 0,
    };
  },
  exec: async ({ readings, result, isDecided }, context) => ({
    weighed: await run(readings, result, context),
    asks: isDecided ? 'never' : context.deps.askBack,
  }),
  post: (state, { readings }, { weighed, asks }) => {
    const [first, ...others] = weighed;
    if (readings.length === 0 || first === undefined) return;
    state.executions += readings.length - (state.finalResult === null ? 0 : 1);
    // Where the solver declined, nobody decides for it.
    const declined = state.verdict?.type === 'needsClarification' ? state.verdict.ask : undefined;
    const ask = declined ?? UNCLEAR;
    const isAsked =
      declined !== undefined || asks === 'always'
        ? others.length > 0
        : asks === 'equal' && others.some(({ isEqual }) => isEqual);
    if (isAsked) {
      const choices = weighed.map((reading) => ({ ...reading, gives: briefly(reading.result) }));
      state.verdict = { type: 'needsClarification', ask, choices: choicesOf(choices) };
      return;
    }
    if (state.finalResult === null) {
      state.generatedSql = first.sql;
      state.explanation = first.meaning || state.explanation;
      acceptResult(state, first.sql, first.result);
    }
    state.assumptions.push(...others.map(assumption));
  },
});

function assumption({ meaning, result }: WeighedReading): { readonly text: string } {
  return { text: cutText(`It can also be read as: ${meaning} That gives ${briefly(result)}.`, MAX_CHARACTERS) };
}

const MAX_CHARACTERS = 500;

function firstMeaning({ verdict, explanation }: Readonly<QuestionState>): string {
  return (verdict?.type === 'needsClarification' ? verdict.choices?.[0]?.meaning : explanation) ?? '';
}

/** The first reading that ran, and those that give something else; each result once. */
async function run(
  readings: readonly OtherReading[],
  ready: QueryResult | null,
  context: StepContext<QuestionDeps>,
): Promise<readonly WeighedReading[]> {
  const weighed: WeighedReading[] = [];
  for (const [position, reading] of readings.entries()) {
    const isRun = position === 0 && ready !== null;
    const aligned = isRun ? undefined : await alignStatement(reading.sql, context);
    const { sql, readAs } = { ...reading, readAs: [], ...aligned };
    const result = isRun ? ready : await readOnly(sql, context);
    if (result === undefined || weighed.some((other) => resultsAgree(other.result, result))) continue;
    // Of two results that were cut nobody knows whether they differ.
    const isKnown = weighed[0] === undefined || [weighed[0].result, result].some((one) => one.truncated === undefined);
    const meaning = withReadAs(reading.meaning, readAs);
    weighed.push({ sql, meaning, isEqual: reading.isEqual && isKnown, result });
  }
  return weighed;
}
