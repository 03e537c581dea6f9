import {
  createCallContext,
  type LanguageModel,
  type ModelRequest,
  type ModelResult,
  type Part,
  type StreamEvent,
  userMessage,
} from '@askema/core';
import { expect } from 'vitest';
import type { LoopbackAnswer } from '../loopback/index.ts';
import type { LoopbackModelServer } from '../loopback/loopback-model-server.ts';
import type { LoopbackReply } from '../loopback/loopback-reply.ts';

/** What a factory builds its model from. */
export interface ModelFactoryOptions {
  /** `http://127.0.0.1:port`; OpenAI's protocols are found below `/v1`. */
  readonly origin: string;
  readonly apiKey: string;
  /** The model's own deadline. */
  readonly timeoutMs: number;
}

/** Builds the model under test. */
export type ModelFactory = (options: ModelFactoryOptions) => LanguageModel;

/** What every case works with. */
export interface ModelBench {
  readonly server: LoopbackModelServer;
  /** A model with the defaults; the key is {@link BENCH_KEY}, the deadline long. */
  readonly model: LanguageModel;
  create(options?: Partial<ModelFactoryOptions>): LanguageModel;
}

export const BENCH_KEY = 'bench-key-0123456789';

export type ModelCase = (bench: ModelBench) => Promise<void>;

/** A request with one question, unless the parts say otherwise. */
export function requestOf(parts: Partial<ModelRequest> & { readonly signal?: AbortSignal } = {}): ModelRequest {
  const { signal, ...rest } = parts;
  return {
    messages: [userMessage('How many customers are there?')],
    sample: 0,
    context: createCallContext({ signal }),
    ...rest,
  };
}

/**
 * A call that the server lets wait ends at the model's own deadline, and so does its request on the wire. The deadline is
 * short; on a busy machine it can end before the request was sent, and then a longer one is tried.
 */
export async function expectEndAtDeadline(
  { server, create }: ModelBench,
  call: (model: LanguageModel) => Promise<unknown>,
): Promise<void> {
  for (const timeoutMs of [60, 600, 6_000]) {
    await expect(call(create({ timeoutMs }))).rejects.toMatchObject({ code: 'MODEL_TIMEOUT', retryable: true });
    if (server.requests.length > 0) break;
  }
  expect(await server.requests[0]?.ended).toBe('cut');
}

/** The part without what only its provider understands. */
export function withoutVendor(part: Part): Part {
  if (part.type !== 'text' && part.type !== 'tool-call') return part;
  const { vendor: _vendor, ...rest } = part;
  return rest;
}

/** A reply of the server that carries an answer. */
export function answering(
  answer: LoopbackAnswer,
  options: Omit<Extract<LoopbackReply, { kind: 'answer' }>, 'kind' | 'answer'> = {},
): LoopbackReply {
  return { kind: 'answer', answer, ...options };
}

/** Every event of a stream; throws when the model has none. */
export async function eventsOf(model: LanguageModel, request: ModelRequest): Promise<StreamEvent[]> {
  const events: StreamEvent[] = [];
  for await (const event of streamOf(model, request)) events.push(event);
  return events;
}

/** The stream of a model that must have one. */
export function streamOf(model: LanguageModel, request: ModelRequest): AsyncIterable<StreamEvent> {
  if (model.stream === undefined) throw new Error('The model has no `stream`.');
  return model.stream(request);
}

/** The result at the end of the events. */
export function resultOf(events: readonly StreamEvent[]): ModelResult {
  const last = events.at(-1);
  if (last?.type !== 'finish') throw new Error(`The last event is no \`finish\` but ${last?.type ?? 'missing'}.`);
  return last.result;
}
