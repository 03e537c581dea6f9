export type { OpenAiEmbeddingsClient, OpenAiEmbeddingsOptions } from './embeddings/embeddings-options.ts';
export { openaiEmbeddings } from './embeddings/openai-embeddings.ts';
export { OPENAI_MODEL_TRAITS, type OpenAiTraits } from './model-traits.ts';
export { type OpenAiModel, openai } from './openai.ts';
export type { OpenAiApi, OpenAiClient, OpenAiOptions, OpenAiServerOptions } from './openai-options.ts';
