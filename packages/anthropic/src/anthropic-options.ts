import type Anthropic from '@anthropic-ai/sdk';
import type { ModelCapabilities } from '@askema/core';
import type { AnthropicTraits } from './model-traits.ts';

/** The parts of the SDK's client that are used. */
export type AnthropicClient = Pick<Anthropic, 'baseURL' | 'messages'>;

export interface AnthropicOptions {
  /** As the server names it: `claude-sonnet-5-5`. */
  readonly model: string;
  /**
   * Default: `ANTHROPIC_API_KEY`, but only for Anthropic itself and for the server that `ANTHROPIC_BASE_URL` names: a
   * key is never sent to a server that it was not meant for. Servers that ask for no key get a placeholder.
   */
  readonly apiKey?: string | undefined;
  /** Without `/v1`. Default: `ANTHROPIC_BASE_URL`, else Anthropic. */
  readonly baseURL?: string | undefined;
  /** The name in traces, warnings and `providerOptions`. Default: `anthropic`. */
  readonly provider?: string | undefined;
  /** `max_tokens` of requests that name no limit; thinking counts as well. Default: 16,000, less for old models. */
  readonly maxOutputTokens?: number | undefined;
  /**
   * Has Anthropic keep what further requests begin with: rules, schema and data of a question. What is kept costs a
   * quarter more the first time, and a tenth when it is read within five minutes
   * (https://platform.claude.com/docs/en/build-with-claude/prompt-caching). Default: true for Anthropic itself.
   */
  readonly promptCaching?: boolean | undefined;
  /** The whole call, in milliseconds. Default: ten minutes. */
  readonly timeoutMs?: number | undefined;
  /** Sent with every request, for example `anthropic-beta`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * A client of your own (a platform, other credentials); `apiKey`, `baseURL`, `headers` and `fetch` then do not count.
   */
  readonly client?: AnthropicClient | undefined;
  /** Replaces the transport, for example by one that goes through a proxy. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** What to tell callers, instead of what the table says. */
  readonly capabilities?: ModelCapabilities | undefined;
  /** What the model accepts, instead of what the table says. */
  readonly traits?: Partial<AnthropicTraits> | undefined;
}

/** Ten minutes, as the SDK has it. */
export const DEFAULT_TIMEOUT_MS = 600_000;
