export { type AnthropicModel, anthropic } from './anthropic.ts';
export type { AnthropicClient, AnthropicOptions } from './anthropic-options.ts';
export { ANTHROPIC_MODEL_TRAITS, type AnthropicTraits } from './model-traits.ts';
