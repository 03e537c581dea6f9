import {
  AskemaError,
  type LanguageModel,
  type ModelCapabilities,
  type ModelRequest,
  type ModelResult,
  type StreamEvent,
  textOf,
  throwIfAborted,
} from '@askema/core';
import { type ScriptedReply, scriptedResult } from './scripted-reply.ts';
import { streamResult } from './stream-result.ts';

/** Answers the call with this 0-based index; undefined means that the script has no answer for it. */
export type ScriptedReplyFunction = (
  request: ModelRequest,
  callIndex: number,
) => ScriptedReply | undefined | Promise<ScriptedReply | undefined>;

export interface ScriptedModelOptions {
  /** Default: `scripted`. */
  readonly provider?: string | undefined;
  /** Default: `scripted`. */
  readonly modelId?: string | undefined;
  /** Default: structured output and tools. */
  readonly capabilities?: ModelCapabilities | undefined;
  /** Characters of one delta of a stream. Default: 8. */
  readonly chunkLength?: number | undefined;
}

export interface ScriptedModel extends LanguageModel {
  /** Every request so far, in order; message lists as they were at the time of the call. */
  readonly requests: readonly ModelRequest[];
  stream(request: ModelRequest): AsyncIterable<StreamEvent>;
}

/**
 * A model that answers from a list, one reply a call, or from a function; it records its requests. An error among the
 * replies rejects its call. A call for which the script holds no reply rejects with `RECORDING_MISSING` and quotes the
 * request; a call whose signal has fired rejects with `ABORTED`.
 */
export function scriptedModel(
  replies: readonly ScriptedReply[] | ScriptedReplyFunction,
  options: ScriptedModelOptions = {},
): ScriptedModel {
  const modelId = options.modelId ?? 'scripted';
  const requests: ModelRequest[] = [];
  const replyTo: ScriptedReplyFunction = typeof replies === 'function' ? replies : (_request, index) => replies[index];

  async function generate(request: ModelRequest): Promise<ModelResult> {
    const callIndex = requests.length;
    requests.push({ ...request, messages: [...request.messages] });
    throwIfAborted(request.context.signal, 'The scripted model');
    const reply = await replyTo(request, callIndex);
    if (reply === undefined) throw noReply(request, callIndex, Array.isArray(replies) ? replies.length : undefined);
    return scriptedResult(reply, modelId);
  }

  async function* stream(request: ModelRequest): AsyncGenerator<StreamEvent> {
    const result = await generate(request);
    for (const event of streamResult(result, options.chunkLength)) {
      throwIfAborted(request.context.signal, 'The scripted model');
      yield event;
    }
  }

  return {
    contract: 1,
    provider: options.provider ?? 'scripted',
    modelId,
    capabilities: options.capabilities ?? { structuredOutput: true, tools: true },
    requests,
    generate,
    stream,
  };
}

function noReply(request: ModelRequest, callIndex: number, replyCount: number | undefined): AskemaError {
  const script =
    replyCount === undefined
      ? 'its function returned undefined'
      : `its list holds ${replyCount} ${replyCount === 1 ? 'reply' : 'replies'}`;
  const last = request.messages.at(-1);
  const text =
    last === undefined ? 'the request has no message' : `last message (${last.role}): ${excerpt(last.content)}`;
  return new AskemaError(
    'RECORDING_MISSING',
    `The scripted model has no reply for call ${callIndex + 1} at ${request.context.path}: ${script}. Add a reply to the script. ${text}`,
    { details: { call: callIndex + 1, path: request.context.path } },
  );
}

function excerpt(content: readonly { readonly type: string; readonly text?: string }[]): string {
  const text = textOf(content) || JSON.stringify(content);
  return text.length <= 300 ? text : `${text.slice(0, 300)}…`;
}
