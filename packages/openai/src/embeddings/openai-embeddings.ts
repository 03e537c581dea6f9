import {
  type CallContext,
  checkWhole,
  type Embedded,
  type EmbeddingModel,
  embedInBatches,
  lazyClient,
  runCall,
  sdkRequestOptions,
  userMessage,
} from '@askema/core';
import { clientSource } from '../load-client.ts';
import { openAiSettings } from '../openai-settings.ts';
import { readEmbeddings } from './embedding-answer.ts';
import type { OpenAiEmbeddingsClient, OpenAiEmbeddingsOptions } from './embeddings-options.ts';

/** The API takes no longer list (CreateEmbeddingRequest of OpenAI's OpenAPI document). */
const MAX_TEXTS = 2_048;

/**
 * An embedding model of OpenAI, or of any server that speaks its protocol (Ollama, vLLM, LM Studio, llama.cpp,
 * gateways), over the official SDK, which is loaded at the first call. `embed` sends several requests, one after the
 * other, where the texts do not fit into one: at most `batchSize` texts and 100,000 characters each. The vectors come in
 * the order of the texts and have one length. An empty text has the zero vector, which is like nothing. It never
 * retries: wrap it in `withEmbeddingRetry`.
 *
 * Throws `CONFIG_INVALID` for an invalid base URL, model, time limit, `dimensions` or `batchSize`. `embed` rejects with
 * `MODEL_OUTPUT_INVALID` (a vector is missing, is no vector, or has another length), and as {@link openai} does.
 */
export function openaiEmbeddings(options: OpenAiEmbeddingsOptions): EmbeddingModel {
  const settings = openAiSettings(options, process.env);
  const batchSize = checkWhole('batchSize', options.batchSize ?? MAX_TEXTS, 1, MAX_TEXTS);
  const dimensions = options.dimensions === undefined ? undefined : checkWhole('dimensions', options.dimensions);
  const clientOf = lazyClient<OpenAiEmbeddingsClient>({ client: options.client, ...clientSource(options, settings) });

  const embedBatch = async (input: readonly string[], context: CallContext): Promise<Embedded> => {
    const { client, site } = await clientOf();
    const shape = dimensions === undefined ? {} : { dimensions };
    // What the key of the request is made from.
    const request = { messages: [userMessage(JSON.stringify({ input, ...shape }))], sample: 0, context };
    return runCall(site, request, async (signal) => {
      const answer: unknown = await client.embeddings.create(
        { model: settings.model, input: [...input], encoding_format: 'float', ...shape },
        sdkRequestOptions(settings, request, signal),
      );
      return readEmbeddings(answer, { ...settings, texts: input.length, dimensions });
    });
  };

  return {
    provider: settings.provider,
    modelId: settings.model,
    dimensions,
    embed: (texts, context) =>
      embedInBatches(texts, {
        name: `${settings.provider}:${settings.model}`,
        batchSize,
        embed: (batch) => embedBatch(batch, context),
      }),
  };
}
