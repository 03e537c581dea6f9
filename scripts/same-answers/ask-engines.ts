import { type ComparableResult, type LanguageModel, resultsAgree } from '@askema/core';
import { createText2Sql, type Text2SqlFlow } from '@askema/text2sql';
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
  const work = QUESTIONS.flatMap((_, question) =>
    engines.filter(({ name }) => !isKnown(name, question)).map((engine) => ({ engine, question })),
  );
  const next = async (): Promise<void> => {
    for (let item = work.shift(); item !== undefined; item = work.shift()) {
      const answer = await askOne(item.engine, item.question, flow, modelOf(item.engine.name, item.question));
      answers.push(answer);
      onAnswer?.(answer);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, next));
  return answers;
}

async function askOne(
  engine: LoadedEngine,
  question: number,
  flow: Text2SqlFlow,
  model: LanguageModel,
): Promise<EngineAnswer> {
  let calls = 0;
  const counted: LanguageModel = {
    ...model,
    generate: (request) => {
      calls += 1;
      return model.generate(request);
    },
  };
  const text2sql = createText2Sql({ adapter: engine.open(), model: counted, flow, timeoutMs: 120_000 });
  try {
    const outcome = await text2sql.ask(QUESTIONS[question] ?? '');
    const base = { engine: engine.name, question, outcome: outcome.type, calls };
    if (outcome.type !== 'answered')
      return { ...base, outcome: outcome.type === 'failed' ? `failed: ${outcome.error.message}` : outcome.type };
    const columns = outcome.result.columns.map(({ name, type }) => ({ name, type }));
    return { ...base, sql: outcome.sql, result: { columns, rows: outcome.result.rows }, sure: outcome.sure };
  } finally {
    await text2sql.close();
  }
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
