import type { JsonValue, Usage } from '@askema/core';

/**
 * The protocols that the loopback server speaks: OpenAI's chat completions and responses, Anthropic's messages, and
 * Gemini's `generateContent`.
 */
export type WireProtocol = 'chat' | 'responses' | 'messages' | 'generate-content';

/** What the model behind the server answers, whatever the protocol. */
export interface LoopbackAnswer {
  /** Sent in the protocol's own place, with a signature or encrypted content where it has one. */
  readonly reasoning?: string | undefined;
  readonly text?: string | undefined;
  readonly toolCalls?:
    | readonly { readonly id: string; readonly name: string; readonly arguments: JsonValue }[]
    | undefined;
  /** Default: what follows from the content. */
  readonly finish?: 'length' | 'content-filter' | 'refusal' | undefined;
  /** Left out of the answer when undefined. */
  readonly usage?: Usage | undefined;
}

/** An error response by its meaning; each protocol has its own status and body for it. */
export type LoopbackFailure =
  | 'rate-limit'
  | 'quota'
  | 'server-error'
  | 'overloaded'
  | 'wrong-key'
  | 'unknown-model'
  | 'context-too-long'
  | 'content-filter'
  | 'invalid-request';

/** What happens to a stream after half of its events. */
export type StreamFault = 'drop' | 'end' | 'hang' | 'error';

/** What the server does with one request. */
export type LoopbackReply =
  | {
      readonly kind: 'answer';
      readonly answer: LoopbackAnswer;
      /** Bytes of one piece of the body; characters of several bytes are then cut in two. Default: whole. */
      readonly pieceBytes?: number | undefined;
      /** Only for streams. */
      readonly fault?: StreamFault | undefined;
    }
  | {
      readonly kind: 'failure';
      readonly failure: LoopbackFailure;
      readonly headers?: Readonly<Record<string, string>> | undefined;
      /** Stands in the body's sentence. */
      readonly message?: string | undefined;
    }
  /** Closes the connection without a word. */
  | { readonly kind: 'drop' }
  /** Never answers. */
  | { readonly kind: 'hang' }
  /** Answers 200 with a body as it is. */
  | { readonly kind: 'body'; readonly body: string; readonly contentType?: string | undefined };
