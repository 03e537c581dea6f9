import type { CallContext, MemoOptions } from '../context/call-context.ts';
import { childContext } from '../context/child-context.ts';
import { AskemaError, isAskemaError, throwIfAborted } from '../errors/askema-error.ts';
import { wasNotSent } from '../model/budget-reservation.ts';
import type { LanguageModel, Message, ModelRequest, ModelResult } from '../model/language-model.ts';
import { requestKey } from '../model/request-key.ts';
import { addUsage, type Usage } from '../model/usage.ts';
import { modelName } from '../model/wrap-model.ts';
import type { Runtime } from '../ports/runtime.ts';
import { jsonSchemaOf, nativeSchemaOf } from './structured/json-schema-of.ts';
import { type TextFormat, withTextInstruction } from './structured/output-prompt.ts';
import type { Task } from './task.ts';

/** How a model is asked for the output of a task. */
export interface AskOptions {
  /**
   * `auto`: the provider's native structured output when the task's schema gives a JSON Schema of an object and the
   * model does not say that it has none; when the provider rejects it, text from then on for this task. `native`: only
   * that. `text`: the schema stands in the prompt, and the model answers with a fenced block. Default: `auto`.
   */
  readonly structured?: 'auto' | 'native' | 'text' | undefined;
  /** Of the fenced block. Small models write SQL more safely in YAML. Default: `json`. */
  readonly textFormat?: TextFormat | undefined;
  readonly temperature?: number | undefined;
  readonly topP?: number | undefined;
  readonly maxOutputTokens?: number | undefined;
  readonly stop?: readonly string[] | undefined;
  readonly seed?: number | undefined;
  readonly providerOptions?: ModelRequest['providerOptions'];
  /** Tells repeated samples apart: one solver for each vote. Default: 0. */
  readonly sample?: number | undefined;
  readonly runtime?: Partial<Pick<Runtime, 'clock'>> | undefined;
}

/** What the attempts at one task cost so far. */
export interface Cost {
  readonly usages: Usage[];
  readonly warnings: Set<string>;
  calls: number;
}

export function createCost(): Cost {
  return { usages: [], warnings: new Set(), calls: 0 };
}

export function costDetails(cost: Cost): { readonly usage: Usage; readonly calls: number } {
  return { usage: addUsage(...cost.usages), calls: cost.calls };
}

export interface TaskRequest<In, Out> {
  readonly model: LanguageModel;
  readonly task: Task<In, Out>;
  readonly options: AskOptions;
  /** Ids of tasks whose native structured output the provider has rejected. */
  readonly rejectedNative: Set<string>;
}

/** What goes into the journal for one attempt. Plain data. */
interface Attempt {
  readonly result: ModelResult;
  readonly calls: number;
  readonly warnings: readonly string[];
}

/**
 * Asks once, and adds what it cost. Errors leave the journaled call with the cost of all attempts in their details: the
 * flow engine knows a failed call by the very error that it rejected with.
 */
export async function askModel<In, Out>(
  asked: TaskRequest<In, Out>,
  conversation: readonly Message[],
  attempt: number,
  cost: Cost,
  context: CallContext,
): Promise<ModelResult> {
  const { model, options } = asked;
  const base = baseRequest(options, conversation, context);
  const ask = async (inner: CallContext): Promise<Attempt> => {
    const made = { calls: 0 };
    try {
      throwIfAborted(inner.signal, `The task ${asked.task.id}`);
      return await askNativeOrText(asked, { ...base, context: inner }, made);
    } catch (error) {
      if (wasNotSent(error)) made.calls -= 1;
      throw withCost(error, { ...cost, calls: cost.calls + made.calls });
    }
  };
  // The key does not depend on how the output is asked for: which way a provider takes is only known to a process that
  // tried.
  const answered =
    context.memo === undefined
      ? await ask(childContext(context, `model#${attempt}`))
      : await context.memo('model', ask, new KeyOfRequest(model, base));
  cost.usages.push(answered.result.usage);
  cost.calls += answered.calls;
  for (const warning of [...answered.result.warnings, ...answered.warnings]) cost.warnings.add(warning);
  return answered.result;
}

/** Hashes a request when somebody wants to know: a run without a journal does not. */
class KeyOfRequest implements MemoOptions {
  readonly #model: LanguageModel;
  readonly #request: ModelRequest;

  constructor(model: LanguageModel, request: ModelRequest) {
    this.#model = model;
    this.#request = request;
  }

  get key(): string {
    return requestKey(this.#model, this.#request);
  }
}

function baseRequest(options: AskOptions, messages: readonly Message[], context: CallContext): ModelRequest {
  const { temperature, topP, maxOutputTokens, stop, seed, providerOptions } = options;
  return {
    messages,
    temperature,
    topP,
    maxOutputTokens,
    stop,
    seed,
    providerOptions,
    sample: options.sample ?? 0,
    context,
  };
}

async function askNativeOrText<In, Out>(
  asked: TaskRequest<In, Out>,
  request: ModelRequest,
  made: { calls: number },
): Promise<Attempt> {
  const { model, task, options, rejectedNative } = asked;
  const generate = async (final: ModelRequest): Promise<ModelResult> => {
    made.calls += 1;
    const result = await model.generate(final);
    if (result.cached !== undefined) made.calls -= 1;
    return result;
  };
  const schema = nativeSchema(asked);
  let rejection: AskemaError | undefined;
  if (schema !== undefined) {
    try {
      const result = await generate({ ...request, output: { name: outputName(task.id), schema } });
      return { result, calls: made.calls, warnings: [] };
    } catch (error) {
      if (options.structured === 'native' || !isRejection(error)) throw error;
      rejection = error;
    }
  }
  const messages = withTextInstruction(request.messages, jsonSchemaOf(task.output), options.textFormat ?? 'json');
  // Another body needs another idempotency key.
  const context = rejection === undefined ? request.context : childContext(request.context, 'text');
  const result = await generate({ ...request, messages, context });
  // Only now is it certain that the structured output was the fault.
  if (rejection !== undefined) rejectedNative.add(task.id);
  return { result, calls: made.calls, warnings: rejection === undefined ? [] : [rejectionWarning(asked, rejection)] };
}

function nativeSchema<In, Out>({ model, task, options, rejectedNative }: TaskRequest<In, Out>) {
  if (options.structured === 'text' || rejectedNative.has(task.id)) return undefined;
  return model.capabilities.structuredOutput === false ? undefined : nativeSchemaOf(task.output);
}

function isRejection(error: unknown): error is AskemaError {
  return isAskemaError(error) && (error.code === 'MODEL_REQUEST_INVALID' || error.code === 'CAPABILITY_UNSUPPORTED');
}

function rejectionWarning<In, Out>({ model, task }: TaskRequest<In, Out>, rejection: AskemaError): string {
  return `${modelName(model)} does not take structured output for ${task.id}, so it is asked for text: ${rejection.message}`;
}

/** A name that every vendor takes: letters, digits, `_` and `-`, at most 64. */
function outputName(taskId: string): string {
  return taskId.replaceAll(/[^A-Za-z0-9_-]+/g, '_').slice(0, 64);
}

/** The error with what the attempts cost. Errors that are none of ours stay as they are. */
function withCost(error: unknown, cost: Cost): unknown {
  if (!isAskemaError(error)) return error;
  return new AskemaError(error.code, error.message, {
    retryable: error.retryable,
    details: { ...error.details, ...costDetails(cost) },
    cause: error.cause,
  });
}
