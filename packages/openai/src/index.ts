export { OPENAI_MODEL_TRAITS, type OpenAiTraits } from './model-traits.ts';
export { type OpenAiModel, openai } from './openai.ts';
export type { OpenAiApi, OpenAiClient, OpenAiOptions } from './openai-options.ts';
