import {
  type CallSite,
  type LanguageModel,
  type ModelRequest,
  runCall,
  runStream,
  type StreamEvent,
  toAskemaError,
} from '@askema/core';
import { chatRequest } from './chat/chat-request.ts';
import { chatResult } from './chat/chat-result.ts';
import { type ChatChunk, chatStream } from './chat/chat-stream.ts';
import { OPENAI_FAILURE_RULES } from './failure-rules.ts';
import { loadClient } from './load-client.ts';
import type { OpenAiClient, OpenAiOptions } from './openai-options.ts';
import { type OpenAiSettings, openAiKey, openAiSettings } from './openai-settings.ts';
import { readVendorError } from './read-vendor-error.ts';
import { responsesRequest } from './responses/responses-request.ts';
import { responsesResult } from './responses/responses-result.ts';
import { type ResponsesEvent, responsesStream } from './responses/responses-stream.ts';

/** A model that streams. */
export type OpenAiModel = LanguageModel & Required<Pick<LanguageModel, 'stream'>>;

/**
 * A model of OpenAI, or of any server that speaks its protocol (Ollama, vLLM, llama.cpp, LM Studio, gateways), over the official
 * SDK, which is loaded at the first call. It never retries: wrap it in `withRetry`.
 *
 * Throws `CONFIG_INVALID` for a base URL that is none. Calls reject with `DEPENDENCY_MISSING`, `MODEL_AUTHENTICATION`,
 * `MODEL_NOT_FOUND`, `MODEL_RATE_LIMITED`, `MODEL_UNAVAILABLE`, `MODEL_TIMEOUT`, `MODEL_CONTEXT_TOO_LONG`,
 * `MODEL_CONTENT_FILTERED`, `MODEL_REQUEST_INVALID`, `MODEL_REQUEST_FAILED`, `CAPABILITY_UNSUPPORTED` or `ABORTED`.
 */
export function openai(options: OpenAiOptions): OpenAiModel {
  const settings = openAiSettings(options, process.env);
  const clientOf = lazyClient(options, settings);
  const protocol = settings.api === 'chat' ? CHAT : RESPONSES;
  return {
    contract: 1,
    provider: settings.provider,
    modelId: settings.model,
    capabilities: settings.capabilities,
    async generate(request) {
      const { client, site } = await clientOf();
      return runCall(site, request, (signal) => protocol.generate(client, request, settings, signal));
    },
    async *stream(request) {
      const { client, site } = await clientOf();
      yield* runStream(site, request, (signal) => protocol.stream(client, request, settings, signal));
    },
  };
}

/** The client is made once, at the first call that has a key; a failure to make it is not kept. */
function lazyClient(options: OpenAiOptions, settings: OpenAiSettings) {
  let loading: Promise<OpenAiClient> | undefined;
  const load = (key: string) => {
    loading ??= loadClient(options, settings, key).catch((error: unknown) => {
      loading = undefined;
      throw toAskemaError(error);
    });
    return loading;
  };
  return async (): Promise<{ client: OpenAiClient; site: CallSite }> => {
    const key = options.client === undefined ? openAiKey(options, settings, process.env) : '';
    return {
      client: options.client ?? (await load(key)),
      site: {
        model: `${settings.provider}:${settings.model}`,
        url: settings.url,
        timeoutMs: settings.timeoutMs,
        secrets: [key, ...Object.values(options.headers ?? {})].filter((secret) => secret.length >= 8),
        rules: OPENAI_FAILURE_RULES,
        readVendorError,
      },
    };
  };
}

interface Protocol {
  generate(
    client: OpenAiClient,
    request: ModelRequest,
    settings: OpenAiSettings,
    signal: AbortSignal,
  ): ReturnType<LanguageModel['generate']>;
  stream(
    client: OpenAiClient,
    request: ModelRequest,
    settings: OpenAiSettings,
    signal: AbortSignal,
  ): AsyncIterable<StreamEvent>;
}

/** The deadline is ours: the SDK's own must not come first. */
const sdkOptions = (settings: OpenAiSettings, signal: AbortSignal) => ({
  signal,
  maxRetries: 0,
  timeout: Math.ceil(Math.min(settings.timeoutMs + 60_000, 2_147_483_647)),
});

const CHAT: Protocol = {
  async generate(client, request, settings, signal) {
    const { body, warnings } = chatRequest(request, settings);
    return chatResult(await client.chat.completions.create(body, sdkOptions(settings, signal)), settings, warnings);
  },
  async *stream(client, request, settings, signal) {
    const { body, warnings } = chatRequest(request, settings);
    const chunks = await client.chat.completions.create(
      { ...body, stream: true, stream_options: { include_usage: true } },
      sdkOptions(settings, signal),
    );
    yield* chatStream(chunks as AsyncIterable<ChatChunk>, settings, warnings);
  },
};

const RESPONSES: Protocol = {
  async generate(client, request, settings, signal) {
    const { body, warnings } = responsesRequest(request, settings);
    // `responses.create` post-processes the answer and stumbles over one that is none.
    const answer = await client.post<unknown>('/responses', { body, ...sdkOptions(settings, signal) });
    return responsesResult(answer, settings, warnings);
  },
  async *stream(client, request, settings, signal) {
    const { body, warnings } = responsesRequest(request, settings);
    const events = await client.responses.create({ ...body, stream: true }, sdkOptions(settings, signal));
    yield* responsesStream(events as AsyncIterable<ResponsesEvent>, settings, warnings);
  },
};
