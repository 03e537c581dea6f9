import { type ComparableResult, type LanguageModel, resultsAgree, textOf } from '@askema/core';
import { createText2Sql, type Text2Sql, type Text2SqlFlow } from '@askema/text2sql';
import { ENGINE_NAMES, type EngineName, type LoadedEngine } from './engines.ts';
import { QUESTIONS } from './questions.ts';

/** What became of one question on one engine. */
export interface EngineAnswer {
  readonly engine: EngineName;
  /** Position in {@link QUESTIONS}. */
  readonly question: number;
  /** `answered`, or how it ended instead. */
  readonly outcome: string;
  readonly sql?: string | undefined;
  readonly result?: ComparableResult | undefined;
  readonly sure?: boolean | undefined;
  /** Model calls. */
  readonly calls: number;
}

export interface AskEnginesOptions {
  readonly flow: Text2SqlFlow;
  /** The model that answers this question on this engine. */
  readonly modelOf: (engine: EngineName, question: number) => LanguageModel;
  readonly onAnswer?: ((answer: EngineAnswer) => void) | undefined;
  /** Already there: not asked again. */
  readonly known?: readonly EngineAnswer[] | undefined;
  /** Questions at a time. Default: 1. */
  readonly concurrency?: number | undefined;
}

/** Asks every question on every engine. */
export async function askEngines(
  engines: readonly LoadedEngine[],
  { flow, modelOf, onAnswer, known = [], concurrency = 1 }: AskEnginesOptions,
): Promise<readonly EngineAnswer[]> {
  const answers = [...known];
  const isKnown = (engine: EngineName, question: number): boolean =>
    known.some((answer) => answer.engine === engine && answer.question === question);
  const opened = engines.map(({ name, open }) => {
    const model = byQuestion((question) => modelOf(name, question));
    return { engine: name, text2sql: createText2Sql({ adapter: open(), model, flow, timeoutMs: 120_000 }) };
  });
  const work = QUESTIONS.flatMap((text, question) =>
    opened.filter(({ engine }) => !isKnown(engine, question)).map((one) => ({ ...one, question, text })),
  );
  const next = async (): Promise<void> => {
    for (let item = work.shift(); item !== undefined; item = work.shift()) {
      const { engine, question, text, text2sql } = item;
      const answer = { engine, question, ...answerOf(await text2sql.ask(text)) };
      answers.push(answer);
      onAnswer?.(answer);
    }
  };
  try {
    await Promise.all(Array.from({ length: concurrency }, next));
  } finally {
    for (const { text2sql } of opened) await text2sql.close();
  }
  return answers;
}

/** A model for each question, which is found in the prompt. */
function byQuestion(modelOf: (question: number) => LanguageModel): LanguageModel {
  const models = QUESTIONS.map((_, question) => modelOf(question));
  const [first] = models;
  if (first === undefined) throw new Error('There is no question.');
  return {
    ...first,
    generate(request) {
      const prompt = request.messages.map(({ content }) => textOf(content)).join('\n');
      const model = models[QUESTIONS.findIndex((question) => prompt.includes(question))];
      if (model === undefined) throw new Error(`No question stands in this prompt:\n${prompt}`);
      return model.generate(request);
    },
  };
}

function answerOf(
  outcome: Awaited<ReturnType<Text2Sql['ask']>>,
): Pick<EngineAnswer, 'outcome' | 'calls' | 'sql' | 'result' | 'sure'> {
  const base = { outcome: outcome.type, calls: outcome.calls };
  if (outcome.type !== 'answered')
    return { ...base, outcome: outcome.type === 'failed' ? `failed: ${outcome.error.message}` : outcome.type };
  const columns = outcome.result.columns.map(({ name, type }) => ({ name, type }));
  return { ...base, sql: outcome.sql, result: { columns, rows: outcome.result.rows }, sure: outcome.sure };
}

/** The engines that agree with the answer that most engines gave, by question. */
export function agreement(answers: readonly EngineAnswer[]): readonly (readonly EngineName[])[] {
  return QUESTIONS.map((_, question) => {
    const given = ENGINE_NAMES.flatMap((engine) => {
      const answer = answers.find((each) => each.engine === engine && each.question === question);
      return answer?.result === undefined ? [] : [{ engine, result: answer.result }];
    });
    const groups = given.map(({ result }) =>
      given.filter((other) => resultsAgree(result, other.result)).map(({ engine }) => engine),
    );
    return groups.reduce<readonly EngineName[]>((most, group) => (group.length > most.length ? group : most), []);
  });
}
