import {
  AskemaError,
  addUsage,
  type CallContext,
  checkWhole,
  type EmbeddingModel,
  lazyClient,
  runCall,
  sdkRequestOptions,
  type Usage,
  userMessage,
} from '@askema/core';
import { clientSource } from '../load-client.ts';
import { openAiSettings } from '../openai-settings.ts';
import { type EmbeddedBatch, readEmbeddings } from './embedding-answer.ts';
import { embeddingBatches } from './embedding-batches.ts';
import type { OpenAiEmbeddingsClient, OpenAiEmbeddingsOptions } from './embeddings-options.ts';

/** The API takes no longer list (CreateEmbeddingRequest of OpenAI's OpenAPI document). */
const MAX_TEXTS = 2_048;

/** Sent in the place of an empty text, which servers refuse. */
const STAND_IN = '-';

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

  async function embedBatch(texts: readonly string[], context: CallContext): Promise<EmbeddedBatch> {
    const { client, site } = await clientOf();
    const input = texts.map((text) => (text.trim() === '' ? STAND_IN : text));
    const shape = dimensions === undefined ? {} : { dimensions };
    // What the key of the request is made from.
    const request = { messages: [userMessage(JSON.stringify({ input, ...shape }))], sample: 0, context };
    const embedded = await runCall(site, request, async (signal) => {
      const answer: unknown = await client.embeddings.create(
        { model: settings.model, input, encoding_format: 'float', ...shape },
        sdkRequestOptions(settings, request, signal),
      );
      return readEmbeddings(answer, { ...settings, texts: input.length, dimensions });
    });
    const vectors = embedded.vectors.map((vector, at) => (texts[at]?.trim() === '' ? vector.map(() => 0) : vector));
    return { vectors, usage: embedded.usage };
  }

  return {
    provider: settings.provider,
    modelId: settings.model,
    dimensions,
    async embed(texts, context) {
      const vectors: Float32Array[] = [];
      let usage: Usage = {};
      for (const batch of embeddingBatches(texts, batchSize)) {
        const embedded = await embedBatch(batch, context);
        const length = vectors[0]?.length ?? embedded.vectors[0]?.length;
        if (embedded.vectors[0]?.length !== length)
          throw new AskemaError(
            'MODEL_OUTPUT_INVALID',
            `${settings.provider}:${settings.model} gave vectors of length ${length}, and then of ${embedded.vectors[0]?.length}; all must have one length. Check which model the server runs.`,
          );
        vectors.push(...embedded.vectors);
        usage = addUsage(usage, embedded.usage);
      }
      return { vectors, usage };
    },
  };
}
