import type { ChatUsage } from '../usage.ts';

/** What is read of a chat completion. Everything may be missing: compatible servers leave out what they do not know. */
export interface ChatAnswer {
  readonly id?: string | undefined;
  readonly model?: string | undefined;
  readonly choices?: readonly ChatChoice[] | null | undefined;
  readonly usage?: ChatUsage | null | undefined;
  /** Some gateways answer an error with HTTP 200. */
  readonly error?: unknown;
}

interface ChatChoice {
  readonly finish_reason?: string | null | undefined;
  readonly message?: ChatAnswerMessage | undefined;
}

export interface ChatAnswerMessage {
  readonly content?: string | null | undefined;
  readonly refusal?: string | null | undefined;
  readonly reasoning_content?: string | null | undefined;
  readonly reasoning?: string | null | undefined;
  readonly tool_calls?: readonly ChatToolCall[] | null | undefined;
}

export interface ChatToolCall {
  readonly id?: string | undefined;
  readonly function?: { readonly name?: string | undefined; readonly arguments?: unknown } | undefined;
}
