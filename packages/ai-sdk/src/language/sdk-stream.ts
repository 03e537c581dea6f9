import { setImmediate } from 'node:timers/promises';
import type {
  LanguageModelV4Content,
  LanguageModelV4StreamPart,
  LanguageModelV4StreamResult,
  LanguageModelV4Text,
  SharedV4ProviderMetadata,
} from '@ai-sdk/provider';
import type { ModelRequest, StreamEvent } from '@askema/core';
import { callSdk, sdkFailure } from '../failures/call-sdk.ts';
import type { ModelSettings } from '../sdk-model.ts';
import { type SdkAnswer, sdkResult } from './sdk-result.ts';
import { textOf, unreadable } from './unreadable.ts';

interface StreamContext {
  readonly request: ModelRequest;
  readonly settings: ModelSettings;
  readonly signal: AbortSignal;
}

/** Events of the wire that a provider passes on: no answer at once has them, and no provider takes them back. */
const STREAM_ONLY: readonly string[] = ['anthropic.message_start'];

const PARTS_OF_A_TURN = 1_000;

/** A text or reasoning that grows. */
type Block = { type: 'text' | 'reasoning'; text: string; providerMetadata?: SharedV4ProviderMetadata };

/**
 * The parts of a streamed answer as stream events. They are put together to the answer that `doGenerate` would have
 * given, so both ways give the same result. An error among the parts is thrown. A stream that stops before the vendor
 * has given a reason ends without `finish`.
 */
export async function* sdkStream(
  given: LanguageModelV4StreamResult,
  { request, settings, signal }: StreamContext,
): AsyncGenerator<StreamEvent> {
  if (!(given?.stream instanceof ReadableStream)) throw unreadable(settings, 'it lacks `stream`');
  const content: LanguageModelV4Content[] = [];
  const blocks = new Map<string, Block>();
  let answer: Partial<SdkAnswer> = {};
  for await (const part of partsOf(given.stream, signal)) {
    switch (part?.type) {
      case 'error':
        throw sdkFailure(part.error);
      case 'stream-start':
        answer = { ...answer, warnings: part.warnings };
        break;
      case 'response-metadata':
        answer = { ...answer, response: { ...answer.response, ...part } };
        break;
      case 'finish':
        answer = { ...answer, usage: part.usage, ...(part.finishReason ? { finishReason: part.finishReason } : {}) };
        break;
      case 'text-start':
      case 'text-delta':
      case 'text-end':
      case 'reasoning-start':
      case 'reasoning-delta':
      case 'reasoning-end':
        yield* grow(part, { blocks, content, settings });
        break;
      case 'tool-result':
        if (part.preliminary !== true) content.push(part);
        break;
      case 'custom':
        if (!STREAM_ONLY.includes(part.kind)) content.push(part);
        break;
      case 'tool-call':
      case 'tool-approval-request':
      case 'file':
      case 'reasoning-file':
      case 'source':
        content.push(part);
        break;
      default: // Deltas of a tool's input, which comes whole as well; pings; the vendor's own chunks.
    }
  }
  if (answer.finishReason === undefined || isCut(answer.finishReason)) return;
  const result = sdkResult({ ...answer, content } as SdkAnswer, request, settings);
  for (const part of result.content) yield { type: 'part', part };
  yield { type: 'finish', result };
}

/** Providers end a stream that was cut with a finish of their own, for which the vendor gave no reason. */
function isCut({ unified, raw }: SdkAnswer['finishReason']): boolean {
  return unified === 'interrupted' || (unified === 'other' && raw === undefined);
}

type BlockPart = Extract<LanguageModelV4StreamPart, { type: `${Block['type']}-${'start' | 'delta' | 'end'}` }>;

interface Growing {
  readonly blocks: Map<string, Block>;
  readonly content: LanguageModelV4Content[];
  readonly settings: ModelSettings;
}

/** Blocks stand in the order in which they begin; the last metadata that a provider gives is that of the whole. */
function* grow(part: BlockPart, { blocks, content, settings }: Growing): Generator<StreamEvent> {
  const type = part.type.startsWith('text') ? 'text' : 'reasoning';
  const key = `${type} ${part.id}`;
  let block = part.type.endsWith('-start') ? undefined : blocks.get(key);
  if (block === undefined) {
    block = { type, text: '' };
    blocks.set(key, block);
    content.push(block as LanguageModelV4Text);
  }
  if (part.providerMetadata !== undefined) block.providerMetadata = part.providerMetadata;
  if (!part.type.endsWith('-delta')) return;
  const text = textOf((part as { readonly delta?: unknown }).delta, 'delta', settings);
  block.text += text;
  if (text !== '') yield { type: `${type}-delta`, text };
}

/** Reads a stream to its end, or until the signal fires, and lets go of it. */
async function* partsOf(
  stream: ReadableStream<LanguageModelV4StreamPart>,
  signal: AbortSignal,
): AsyncGenerator<LanguageModelV4StreamPart> {
  const reader = stream.getReader();
  try {
    for (let count = 1; ; count += 1) {
      // A stream that is never at a loss for parts would keep timers and signals from firing.
      if (count % PARTS_OF_A_TURN === 0) await setImmediate();
      const { done, value } = await callSdk(() => reader.read(), signal);
      if (done) return;
      yield value;
    }
  } finally {
    // Not awaited: a provider that does not listen to the signal may not listen here either.
    reader.cancel().catch(() => {});
  }
}
