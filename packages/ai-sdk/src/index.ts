export { type AiSdkEmbeddingOptions, embedFromAiSdk } from './embedding/embed-from-ai-sdk.ts';
export { type AiSdkModel, type AiSdkOptions, fromAiSdk } from './from-ai-sdk.ts';
export type { AiSdkEmbeddingModel, AiSdkLanguageModel, AiSdkProviderOptions } from './sdk-model.ts';
