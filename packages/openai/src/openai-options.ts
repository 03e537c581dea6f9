import type { ModelCapabilities } from '@askema/core';
import type OpenAI from 'openai';
import type { OpenAiTraits } from './model-traits.ts';

/** `chat`: chat completions, which every compatible server speaks. `responses`: OpenAI's own newer protocol. */
export type OpenAiApi = 'chat' | 'responses';

/** The parts of the SDK's client that are used. */
export type OpenAiClient = Pick<OpenAI, 'baseURL' | 'chat' | 'post' | 'responses'>;

/** Which model of which server, and how it is reached. */
export interface OpenAiServerOptions {
  /** As the server names it: `gpt-6-luna`, `qwen3:8b`. */
  readonly model: string;
  /**
   * Default: `OPENAI_API_KEY`, but only for OpenAI itself and for the server that `OPENAI_BASE_URL` names: a key is
   * never sent to a server that it was not meant for. Servers that ask for no key get a placeholder.
   */
  readonly apiKey?: string | undefined;
  /** Up to and including `/v1`. Default: `OPENAI_BASE_URL`, else OpenAI. */
  readonly baseURL?: string | undefined;
  /** The name in traces, warnings and `providerOptions`. Default: `openai`. */
  readonly provider?: string | undefined;
  readonly organization?: string | undefined;
  readonly project?: string | undefined;
  /** The whole call, in milliseconds. Default: ten minutes. */
  readonly timeoutMs?: number | undefined;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Replaces the transport, for example by one that goes through a proxy. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

export interface OpenAiOptions extends OpenAiServerOptions {
  /** Default: `responses` for OpenAI itself, `chat` for every other server. */
  readonly api?: OpenAiApi | undefined;
  /**
   * A client of your own (Azure, a proxy, other credentials); `apiKey`, `baseURL`, `headers` and `fetch` then do not
   * count.
   */
  readonly client?: OpenAiClient | undefined;
  /** What to tell callers, instead of what the table says. */
  readonly capabilities?: ModelCapabilities | undefined;
  /** What the model accepts, instead of what the table says. */
  readonly traits?: Partial<OpenAiTraits> | undefined;
}

/** Ten minutes, as the SDK has it. */
export const DEFAULT_TIMEOUT_MS = 600_000;
