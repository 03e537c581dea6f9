import type { CallContext, CallEvent } from '../../context/call-context.ts';
import { createCallContext } from '../../context/call-context.ts';
import {
  type LanguageModel,
  type ModelRequest,
  type ModelResult,
  type StreamEvent,
  userMessage,
} from '../language-model.ts';
import type { Usage } from '../usage.ts';
import { streamOfResult } from '../wrap-model.ts';

/** Answers the request with this 0-based index; throws to fail. */
export type FakeReply = (request: ModelRequest, index: number) => ModelResult | Promise<ModelResult>;

export interface FakeModel extends LanguageModel {
  readonly requests: ModelRequest[];
  stream(request: ModelRequest): AsyncIterable<StreamEvent>;
}

/**
 * A model for the tests of this package, which cannot use the testkit above it. Uses `this`, as a vendor's class would.
 */
export function fakeModel(reply: FakeReply, overrides: Partial<LanguageModel> = {}): FakeModel {
  return {
    contract: 1,
    provider: 'fake',
    modelId: 'one',
    capabilities: { structuredOutput: true },
    requests: [],
    async generate(request) {
      this.requests.push(request);
      return reply(request, this.requests.length - 1);
    },
    async *stream(request) {
      this.requests.push(request);
      yield* streamOfResult(await reply(request, this.requests.length - 1));
    },
    ...overrides,
  };
}

/** The same model without `stream`. */
export function withoutStream({ stream: _stream, ...model }: FakeModel): LanguageModel & Pick<FakeModel, 'requests'> {
  return model;
}

export function answer(text: string, overrides: Partial<ModelResult> = {}): ModelResult {
  return {
    content: [{ type: 'text', text }],
    finishReason: { unified: 'stop', raw: undefined },
    usage: {},
    warnings: [],
    ...overrides,
  };
}

/** Rows of one usage: input and output tokens. */
export function tokens(inputTokens: number, outputTokens: number): Usage {
  return { inputTokens, outputTokens };
}

export function requestOf(text: string, overrides: Partial<ModelRequest> = {}): ModelRequest {
  return { messages: [userMessage(text)], sample: 0, context: createCallContext(), ...overrides };
}

/** A context that remembers what was emitted. */
export function listeningContext(overrides: Partial<CallContext> = {}): { context: CallContext; events: CallEvent[] } {
  const events: CallEvent[] = [];
  return { events, context: createCallContext({ ...overrides, emit: (event) => events.push(event) }) };
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
