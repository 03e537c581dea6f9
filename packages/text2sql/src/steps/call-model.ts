import {
  AskemaError,
  type LanguageModel,
  type ModelRequest,
  type ModelResult,
  modelName,
  requestKey,
  type StepContext,
  withEvents,
} from '@askema/core';
import type { QuestionDeps } from '../question/question-deps.ts';

/**
 * The model itself, for flows that talk to it without a task.
 *
 * @throws AskemaError `CONFIG_INVALID` when the solver is not made from a language model.
 */
export function requireModel(deps: QuestionDeps, flow: string): LanguageModel {
  if (deps.model !== undefined) return deps.model;
  throw new AskemaError(
    'CONFIG_INVALID',
    `The flow \`${flow}\` talks to a language model, but ${deps.solver.name} is none. Pass a language model, or use the flow \`plain\`.`,
  );
}

/**
 * One model call that a resumed run does not repeat.
 *
 * Rejects with the errors of the model, and with `MODEL_CONTENT_FILTERED` when it refused.
 */
export async function callModel(
  model: LanguageModel,
  request: Omit<ModelRequest, 'context' | 'sample'>,
  context: StepContext<QuestionDeps>,
): Promise<ModelResult> {
  const key = requestKey(model, { ...request, sample: 0, context });
  const result = await context.memo(
    'model',
    (inner) => withEvents(model, { runtime: context.runtime }).generate({ ...request, sample: 0, context: inner }),
    { key },
  );
  const { unified, raw } = result.finishReason;
  if (unified !== 'refusal' && unified !== 'content-filter') return result;
  throw new AskemaError(
    'MODEL_CONTENT_FILTERED',
    `${modelName(model)} refused to answer (${raw ?? unified}). Ask in other words, or use another model.`,
  );
}
