import {
  AskemaError,
  createBudget,
  fromModel,
  isBudget,
  isLanguageModel,
  type LanguageModel,
  type Solver,
  withBudget,
} from '@askema/core';
import type { Answerer, QuestionDeps } from './question/question-deps.ts';
import type { Text2SqlOptions } from './text2sql-options.ts';

/** Who answers the tasks of one run. */
export type AnswerersOfRun = Answerer & Pick<QuestionDeps, 'answerer'>;

const UNLIMITED = (model: LanguageModel): LanguageModel => model;

/**
 * Makes solvers of what was passed as `model`, and of further models of the flow. A budget given as limits is a new one
 * for each run; a `Budget` is shared by all.
 *
 * @throws AskemaError `CONFIG_INVALID` for a budget where there is no language model, or that has no price for one.
 */
export function solverSource(
  options: Text2SqlOptions,
  further: readonly (LanguageModel | Solver)[],
): () => AnswerersOfRun {
  const { model, budget, runtime } = options;
  if (budget !== undefined && !isLanguageModel(model)) {
    throw new AskemaError(
      'CONFIG_INVALID',
      `A budget needs a language model, but ${model.name} is a solver. Wrap its model: fromModel(withBudget(model, budget)).`,
    );
  }
  if (budget !== undefined && !isBudget(budget)) {
    // Checked now, so that a wrong limit does not wait for the first question.
    const first = createBudget(budget);
    for (const each of [model, ...further]) if (isLanguageModel(each)) first.throwUnlessPriced(each);
    return () => {
      const ofRun = createBudget({ runtime, ...budget });
      return answerersOf(options, (each) => withBudget(each, ofRun));
    };
  }
  const shared = answerersOf(options, budget === undefined ? UNLIMITED : (each) => withBudget(each, budget));
  return () => shared;
}

function answerersOf(
  { model: main, runtime }: Pick<Text2SqlOptions, 'model' | 'runtime'>,
  limit: (model: LanguageModel) => LanguageModel,
): AnswerersOfRun {
  const limited = new Map<LanguageModel, LanguageModel>();
  const made = new Map<LanguageModel, Map<number, Answerer>>();
  const answerer: QuestionDeps['answerer'] = (chosen = main, { sample = 0 } = {}) => {
    if (!isLanguageModel(chosen)) return { solver: chosen, model: undefined };
    const model = limited.get(chosen) ?? limit(chosen);
    limited.set(chosen, model);
    const ofModel = made.get(chosen) ?? new Map<number, Answerer>();
    made.set(chosen, ofModel);
    const one = ofModel.get(sample) ?? { solver: fromModel(model, { runtime, sample }), model };
    ofModel.set(sample, one);
    return one;
  };
  return { ...answerer(main), answerer };
}
