import {
  type LanguageModel,
  lazyClient,
  type ModelRequest,
  runCall,
  runStream,
  type StreamEvent,
  sdkRequestOptions,
} from '@askema/core';
import { chatRequest } from './chat/chat-request.ts';
import { chatResult } from './chat/chat-result.ts';
import { type ChatChunk, chatStream } from './chat/chat-stream.ts';
import { clientSource } from './load-client.ts';
import type { OpenAiClient, OpenAiOptions } from './openai-options.ts';
import { type OpenAiSettings, openAiSettings } from './openai-settings.ts';
import { responsesRequest } from './responses/responses-request.ts';
import { responsesResult } from './responses/responses-result.ts';
import { type ResponsesEvent, responsesStream } from './responses/responses-stream.ts';

/** A model that streams. */
export type OpenAiModel = LanguageModel & Required<Pick<LanguageModel, 'stream'>>;

/**
 * A model of OpenAI, or of any server that speaks its protocol (Ollama, vLLM, llama.cpp, LM Studio, gateways), over the
 * official SDK, which is loaded at the first call. It never retries: wrap it in `withRetry`.
 *
 * Throws `CONFIG_INVALID` for an invalid base URL, model or time limit. Calls reject with `DEPENDENCY_MISSING`,
 * `MODEL_AUTHENTICATION`, `MODEL_NOT_FOUND`, `MODEL_RATE_LIMITED`, `MODEL_UNAVAILABLE`, `MODEL_TIMEOUT`,
 * `MODEL_CONTEXT_TOO_LONG`, `MODEL_CONTENT_FILTERED`, `MODEL_REQUEST_INVALID`, `MODEL_REQUEST_FAILED`,
 * `CAPABILITY_UNSUPPORTED` or `ABORTED`.
 */
export function openai(options: OpenAiOptions): OpenAiModel {
  const settings = openAiSettings(options, process.env);
  const clientOf = lazyClient<OpenAiClient>({ client: options.client, ...clientSource(options, settings) });
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

const CHAT: Protocol = {
  async generate(client, request, settings, signal) {
    const { body, warnings } = chatRequest(request, settings);
    return chatResult(
      await client.chat.completions.create(body, sdkRequestOptions(settings, request, signal)),
      settings,
      warnings,
    );
  },
  async *stream(client, request, settings, signal) {
    const { body, warnings } = chatRequest(request, settings);
    const chunks = await client.chat.completions.create(
      { ...body, stream: true, stream_options: { include_usage: true } },
      sdkRequestOptions(settings, request, signal),
    );
    yield* chatStream(chunks as AsyncIterable<ChatChunk>, settings, warnings);
  },
};

const RESPONSES: Protocol = {
  async generate(client, request, settings, signal) {
    const { body, warnings } = responsesRequest(request, settings);
    // `responses.create` post-processes the answer and stumbles over one that is none.
    const answer = await client.post<unknown>('/responses', { body, ...sdkRequestOptions(settings, request, signal) });
    return responsesResult(answer, settings, warnings);
  },
  async *stream(client, request, settings, signal) {
    const { body, warnings } = responsesRequest(request, settings);
    const events = await client.responses.create(
      { ...body, stream: true },
      sdkRequestOptions(settings, request, signal),
    );
    yield* responsesStream(events as AsyncIterable<ResponsesEvent>, settings, warnings);
  },
};
