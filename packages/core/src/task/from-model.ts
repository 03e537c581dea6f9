import type { CallContext } from '../context/call-context.ts';
import { AskemaError } from '../errors/askema-error.ts';
import { checkWhole } from '../errors/check-option.ts';
import { type LanguageModel, type Message, type ModelResult, textOf } from '../model/language-model.ts';
import { addUsage } from '../model/usage.ts';
import { withEvents } from '../model/with-events.ts';
import { modelName } from '../model/wrap-model.ts';
import { shortened } from '../text/shortened.ts';
import { type AskOptions, askModel, type Cost, costDetails, createCost } from './ask-model.ts';
import { nativeSchemaOf } from './structured/json-schema-of.ts';
import { correctionMessages } from './structured/output-prompt.ts';
import { type ParsedStructured, parseStructured } from './structured/parse-structured.ts';
import { issueText } from './structured/validate-output.ts';
import type { Solved, Solver, Task } from './task.ts';

export interface FromModelOptions extends AskOptions {
  /** Answers in all until one is valid; each further one is told what was wrong with the one before. Default: 3. */
  readonly maxAttempts?: number | undefined;
  /** Which tasks it takes. Default: all. */
  readonly supports?: ((taskId: string) => boolean) | undefined;
}

type Invalid = Extract<ParsedStructured<unknown>, { readonly ok: false }>;

/** What is quoted of an answer in an error. */
const EXCERPT_LENGTH = 240;

/**
 * A solver that asks a language model. It renders the task, asks for its output in the provider's structured form or as
 * text (see {@link AskOptions}), reads the answer leniently, validates it, and tells the model what is wrong until it
 * is right.
 *
 * Each call is made through `context.memo` when there is one, so that a resumed run repeats none that is finished, and
 * emits a `model-call` event. Usage and calls are summed over all attempts; an error carries them in `details.usage`
 * and `details.calls`.
 *
 * `solve` rejects with `MODEL_OUTPUT_INVALID` when no attempt was valid, `MODEL_CONTENT_FILTERED` when the model
 * refuses (not repeated), `CAPABILITY_UNSUPPORTED` when `structured: 'native'` cannot be done, and with what the model
 * rejects with.
 *
 * @throws AskemaError `CONFIG_INVALID` for options that make no sense.
 */
export function fromModel(model: LanguageModel, options: FromModelOptions = {}): Solver {
  const maxAttempts = checkWhole('fromModel.maxAttempts', options.maxAttempts ?? 3);
  if (options.structured === 'native' && model.capabilities.structuredOutput === false)
    throw new AskemaError(
      'CAPABILITY_UNSUPPORTED',
      `${modelName(model)} has no native structured output. Use \`structured: 'auto'\` or \`'text'\`.`,
    );
  const observed = withEvents(model, { runtime: options.runtime });
  const rejectedNative = new Set<string>();
  return {
    name: modelName(model),
    supports: options.supports ?? (() => true),
    async solve<In, Out>(task: Task<In, Out>, input: In, context: CallContext): Promise<Solved<Out>> {
      checkNativePossible(model, task, options);
      const cost = createCost();
      let conversation: readonly Message[] = task.render(input);
      for (let attempt = 1; ; attempt++) {
        const result = await askModel(
          { model: observed, task, options, rejectedNative },
          conversation,
          attempt,
          cost,
          context,
        );
        throwIfRefused(model, task.id, result, cost);
        const cut = result.finishReason.unified === 'length';
        const answer = textOf(result.content);
        const parsed = await parseStructured(answer, task.output, { cut });
        if (parsed.ok) return solved(model, parsed.value, result, cost);
        if (attempt >= maxAttempts) throw outputInvalid(model, task.id, { parsed, result, attempt, options }, cost);
        conversation = [...conversation, ...correctionMessages(answer, parsed, cut)];
      }
    },
  };
}

function solved<Out>(model: LanguageModel, value: Out, result: ModelResult, cost: Cost): Solved<Out> {
  return {
    value,
    usage: addUsage(...cost.usages),
    calls: cost.calls,
    solvedBy: result.answeredBy ?? modelName(model),
    warnings: [...cost.warnings],
  };
}

function checkNativePossible<In, Out>(model: LanguageModel, task: Task<In, Out>, options: FromModelOptions): void {
  if (options.structured !== 'native' || nativeSchemaOf(task.output) !== undefined) return;
  throw new AskemaError(
    'CAPABILITY_UNSUPPORTED',
    `The output of ${task.id} cannot be asked for as native structured output of ${modelName(model)}: its schema gives no JSON Schema of an object. Use \`structured: 'auto'\` or \`'text'\`.`,
  );
}

/** A refusal is the model's last word: asking again costs and gives the same. */
function throwIfRefused(model: LanguageModel, taskId: string, result: ModelResult, cost: Cost): void {
  const { unified, raw } = result.finishReason;
  if (unified !== 'refusal' && unified !== 'content-filter') return;
  const who = unified === 'refusal' ? 'refused to answer' : 'was stopped by its content filter at';
  const text = textOf(result.content).trim();
  throw new AskemaError(
    'MODEL_CONTENT_FILTERED',
    `${modelName(model)} ${who} ${taskId}${text === '' ? '' : `: ${shortened(text, EXCERPT_LENGTH)}`}. Change the question or the data, or ask another model.`,
    { details: { ...costDetails(cost), finishReason: unified, vendorCode: raw } },
  );
}

function outputInvalid(
  model: LanguageModel,
  taskId: string,
  last: {
    readonly parsed: Invalid;
    readonly result: ModelResult;
    readonly attempt: number;
    readonly options: FromModelOptions;
  },
  cost: Cost,
): AskemaError {
  const { parsed, result, attempt, options } = last;
  const finishReason = result.finishReason.unified;
  const excerpt = shortened(textOf(result.content).trim(), EXCERPT_LENGTH);
  const issues = parsed.issues.slice(0, 3).map((issue) => shortened(issueText(issue), EXCERPT_LENGTH));
  const why =
    finishReason === 'length'
      ? `The last one was cut off at ${limitText(options)}. Raise \`maxOutputTokens\` (of fromModel or withDefaults), or ask for less.`
      : `The last one: ${issues.join('; ')}. Take a stronger model, or make the task smaller.`;
  return new AskemaError(
    'MODEL_OUTPUT_INVALID',
    `${modelName(model)} gave no valid answer to ${taskId} in ${attempt} ${attempt === 1 ? 'attempt' : 'attempts'}. ${why}`,
    { details: { ...costDetails(cost), attempts: attempt, finishReason, issues: parsed.issues, excerpt } },
  );
}

function limitText({ maxOutputTokens }: FromModelOptions): string {
  return maxOutputTokens === undefined ? 'the limit of the model or server' : `${maxOutputTokens} output tokens`;
}
