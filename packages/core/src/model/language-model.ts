import type { CallContext } from '../context/call-context.ts';
import type { JsonValue } from '../values/value.ts';
import type { Usage } from './usage.ts';

export interface TextPart {
  readonly type: 'text';
  readonly text: string;
  /** Further requests begin with all that stands up to the end of this part: a vendor may be asked to keep it. */
  readonly endsPrefix?: true | undefined;
  /** What the provider wants back with this text of an answer (signatures, ids). */
  readonly vendor?: VendorData | undefined;
}

/**
 * What a reasoning model thought. Never shown as its answer. `vendor` holds what the provider wants back unchanged in
 * the next request of a tool loop (signatures, encrypted content).
 */
export interface ReasoningPart {
  readonly type: 'reasoning';
  readonly text: string;
  readonly vendor?: VendorData | undefined;
}

export interface ToolCallPart {
  readonly type: 'tool-call';
  readonly id: string;
  readonly name: string;
  /**
   * The parsed arguments; when the model wrote no valid JSON this is undefined and `invalidArguments` holds its text.
   */
  readonly arguments?: JsonValue | undefined;
  readonly invalidArguments?: string | undefined;
  readonly vendor?: VendorData | undefined;
}

/** The answer to a tool call; stands in a message of role `tool`. */
export interface ToolResultPart {
  readonly type: 'tool-result';
  readonly toolCallId: string;
  readonly name: string;
  readonly text: string;
  readonly isError?: boolean | undefined;
}

/** Content that only its provider understands; kept and sent back unchanged. */
export interface VendorPart {
  readonly type: 'vendor';
  readonly vendor: VendorData;
}

export interface VendorData {
  readonly provider: string;
  readonly data: JsonValue;
}

/** What a model can answer with. */
export type Part = TextPart | ReasoningPart | ToolCallPart | VendorPart;

export type Message =
  | { readonly role: 'system'; readonly content: readonly TextPart[] }
  | { readonly role: 'user'; readonly content: readonly TextPart[] }
  | { readonly role: 'assistant'; readonly content: readonly Part[] }
  | { readonly role: 'tool'; readonly content: readonly ToolResultPart[] };

/** A JSON Schema object (draft 2020-12). */
export type JsonSchema = { readonly [key: string]: JsonValue };

export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
}

export interface ModelRequest {
  readonly messages: readonly Message[];
  readonly tools?: readonly ToolDefinition[] | undefined;
  /** `auto` when there are tools. */
  readonly toolChoice?: 'auto' | 'none' | 'required' | { readonly name: string } | undefined;
  /** Asks for one JSON value of this schema, through the provider's native structured output. */
  readonly output?: { readonly name: string; readonly schema: JsonSchema } | undefined;
  readonly temperature?: number | undefined;
  readonly topP?: number | undefined;
  readonly maxOutputTokens?: number | undefined;
  readonly stop?: readonly string[] | undefined;
  readonly seed?: number | undefined;
  /** Tells repeated samples of one prompt apart, so that caches, recordings and votes do not collapse. From 0. */
  readonly sample: number;
  readonly context: CallContext;
  /** Passed to the vendor's request body as it is, by provider name: the only vendor escape hatch. */
  readonly providerOptions?: Readonly<Record<string, { readonly [key: string]: JsonValue }>> | undefined;
}

export type FinishReason = 'stop' | 'length' | 'tool-calls' | 'content-filter' | 'refusal' | 'error' | 'other';

export interface ModelResult {
  readonly content: readonly Part[];
  readonly finishReason: { readonly unified: FinishReason; readonly raw: string | undefined };
  readonly usage: Usage;
  /** Settings that were ignored, and anything else the caller should know. */
  readonly warnings: readonly string[];
  /** The vendor's id of the response, for support requests. */
  readonly responseId?: string | undefined;
  /** The model that answered, as the vendor names it. */
  readonly modelId?: string | undefined;
  /** `provider:modelId` of the model that answered, when it is not the one that was asked (`withFallback`). */
  readonly answeredBy?: string | undefined;
  /** Set when no model was called because the answer was in a cache; `usage` is what it cost when it was made. */
  readonly cached?: { readonly usage: Usage } | undefined;
}

/** What arrives while a model answers. The last event is always `finish`. */
export type StreamEvent =
  | { readonly type: 'text-delta'; readonly text: string }
  | { readonly type: 'reasoning-delta'; readonly text: string }
  | { readonly type: 'part'; readonly part: Part }
  | { readonly type: 'finish'; readonly result: ModelResult };

/** What a model can do; unknown is undefined and treated as "try it". */
export interface ModelCapabilities {
  readonly structuredOutput?: boolean | undefined;
  readonly tools?: boolean | undefined;
  /** A reasoning model: takes no temperature, keeps its thoughts apart. */
  readonly reasoning?: boolean | undefined;
  readonly contextTokens?: number | undefined;
  readonly maxOutputTokens?: number | undefined;
}

/**
 * A model is one method; streaming is optional. `generate` rejects with an AskemaError of a `MODEL_*` code,
 * `BUDGET_EXCEEDED` or `ABORTED`; a refusal or a cut-off answer is a result with its finish reason, not an error.
 */
export interface LanguageModel {
  readonly contract: 1;
  /** The vendor or server: `openai`, `anthropic`, `ollama`. */
  readonly provider: string;
  readonly modelId: string;
  readonly capabilities: ModelCapabilities;
  generate(request: ModelRequest): Promise<ModelResult>;
  stream?(request: ModelRequest): AsyncIterable<StreamEvent>;
}

/** Tells a language model from a solver, and from what is neither. */
export function isLanguageModel(value: unknown): value is LanguageModel {
  return typeof (value as Partial<LanguageModel> | null | undefined)?.generate === 'function';
}

/** A message of role `system`. */
export function systemMessage(text: string): Message {
  return { role: 'system', content: [{ type: 'text', text }] };
}

/** A message of role `user`. */
export function userMessage(text: string): Message {
  return { role: 'user', content: [{ type: 'text', text }] };
}

/** A message of role `assistant` with plain text. */
export function assistantMessage(text: string): Message {
  return { role: 'assistant', content: [{ type: 'text', text }] };
}

/** All text parts of a message or result, joined; reasoning is not text. */
export function textOf(content: readonly { readonly type: string; readonly text?: string }[]): string {
  return content.map((part) => (part.type === 'text' ? (part.text ?? '') : '')).join('');
}
