import {
  AskemaError,
  type FinishReason,
  type JsonValue,
  type ModelResult,
  type Part,
  UNKNOWN_USAGE,
  type Usage,
} from '@askema/core';

/** One answer of a scripted model, by its ingredients. They become parts in this order: reasoning, text, tool calls. */
export interface ScriptedAnswer {
  readonly reasoning?: string | undefined;
  readonly text?: string | undefined;
  /** Becomes the text, as JSON: what a model with structured output writes. */
  readonly json?: JsonValue | undefined;
  /** `id` defaults to `call-1`, `call-2`, … within the answer. */
  readonly toolCalls?:
    | readonly { readonly name: string; readonly arguments: JsonValue; readonly id?: string | undefined }[]
    | undefined;
  /** The parts themselves, instead of everything above. */
  readonly content?: readonly Part[] | undefined;
  /** Default: `tool-calls` when there is a tool call, else `stop`. */
  readonly finishReason?: FinishReason | undefined;
  /** Default: unknown. */
  readonly usage?: Usage | undefined;
  readonly warnings?: readonly string[] | undefined;
  /** Rejects with this instead of answering. */
  readonly error?: Error | undefined;
}

/** A text, an answer by its ingredients, or an error to reject with. */
export type ScriptedReply = string | ScriptedAnswer | Error;

/** The result that a reply stands for; throws the reply's error. */
export function scriptedResult(reply: ScriptedReply, modelId: string): ModelResult {
  if (typeof reply === 'string') return scriptedResult({ text: reply }, modelId);
  if (reply instanceof Error) throw reply;
  if (reply.error !== undefined) throw reply.error;
  const content = reply.content ?? partsOf(reply);
  const unified = reply.finishReason ?? (content.some((part) => part.type === 'tool-call') ? 'tool-calls' : 'stop');
  return {
    content,
    finishReason: { unified, raw: undefined },
    usage: reply.usage ?? UNKNOWN_USAGE,
    warnings: reply.warnings ?? [],
    modelId,
  };
}

function partsOf(answer: ScriptedAnswer): readonly Part[] {
  if (answer.text !== undefined && answer.json !== undefined)
    throw new AskemaError('INPUT_INVALID', 'A scripted answer has both `text` and `json`: give one of them.');
  const text = answer.json === undefined ? answer.text : JSON.stringify(answer.json);
  const parts: Part[] = [];
  if (answer.reasoning !== undefined) parts.push({ type: 'reasoning', text: answer.reasoning });
  if (text !== undefined) parts.push({ type: 'text', text });
  for (const [index, call] of (answer.toolCalls ?? []).entries())
    parts.push({ type: 'tool-call', id: call.id ?? `call-${index + 1}`, name: call.name, arguments: call.arguments });
  return parts;
}
