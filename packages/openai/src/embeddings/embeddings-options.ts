import type OpenAI from 'openai';
import type { OpenAiServerOptions } from '../openai-options.ts';

/** The parts of the SDK's client that are used. */
export type OpenAiEmbeddingsClient = Pick<OpenAI, 'baseURL' | 'embeddings'>;

export interface OpenAiEmbeddingsOptions extends OpenAiServerOptions {
  /** The length of the vectors, for models that can shorten them (text-embedding-3). Default: that of the model. */
  readonly dimensions?: number | undefined;
  /** Texts of one request, at most 2,048, which is the default. Some servers take fewer. */
  readonly batchSize?: number | undefined;
  /** A client of your own; `apiKey`, `baseURL`, `headers` and `fetch` then do not count. */
  readonly client?: OpenAiEmbeddingsClient | undefined;
}
