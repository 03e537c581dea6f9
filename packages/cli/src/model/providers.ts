/** A provider that the command knows by name. */
export interface Provider {
  /** In front of the colon in `--model`. */
  readonly name: string;
  readonly title: string;
  /** Holds the key; never shown. */
  readonly keyVariable?: string | undefined;
  /** Names another server of the same protocol. */
  readonly urlVariable?: string | undefined;
  /** Taken when only the provider is named. */
  readonly defaultModel?: string | undefined;
}

/**
 * The providers of the command line, in the order in which they are looked for. The default models are the vendors'
 * everyday tiers: https://developers.openai.com/api/docs/models,
 * https://platform.claude.com/docs/en/about-claude/models/overview.
 */
export const PROVIDERS = [
  {
    name: 'openai',
    title: 'OpenAI, and every server that speaks its protocol',
    keyVariable: 'OPENAI_API_KEY',
    urlVariable: 'OPENAI_BASE_URL',
    defaultModel: 'gpt-6.1-sol',
  },
  {
    name: 'openai-chat',
    title: 'the same, always by chat completions',
    keyVariable: 'OPENAI_API_KEY',
    urlVariable: 'OPENAI_BASE_URL',
    defaultModel: 'gpt-6.1-sol',
  },
  {
    name: 'openai-responses',
    title: 'the same, always by the responses API',
    keyVariable: 'OPENAI_API_KEY',
    urlVariable: 'OPENAI_BASE_URL',
    defaultModel: 'gpt-6.1-sol',
  },
  {
    name: 'anthropic',
    title: 'Anthropic',
    keyVariable: 'ANTHROPIC_API_KEY',
    urlVariable: 'ANTHROPIC_BASE_URL',
    defaultModel: 'claude-sonnet-5-5',
  },
  { name: 'ollama', title: 'Ollama, on this machine', urlVariable: 'OLLAMA_HOST' },
  { name: 'lexical', title: 'built in, without a model: simple questions only' },
] as const satisfies readonly Provider[];

export type ProviderName = (typeof PROVIDERS)[number]['name'];

/** Providers that are taken without being named, when their key is set; first come, first served. */
export const PROVIDERS_FOUND_BY_KEY = ['openai', 'anthropic'] as const satisfies readonly ProviderName[];

/**
 * Kinds of local models by how well they write SQL, best first, as regular expression sources over the model's name.
 */
export const OLLAMA_PREFERENCES: readonly string[] = [
  'coder|sqlcoder|codestral|devstral|starcoder|codellama',
  'qwen|gpt-oss|deepseek|glm|kimi|minimax',
  'llama|mistral|mixtral|gemma|phi|granite|nemotron|command',
];

/** Local models that answer no questions. */
export const OLLAMA_UNSUITABLE = 'embed|minilm|bge-|rerank|whisper|moondream|llava';

/** The provider of this name. */
export function providerNamed(name: ProviderName): Provider {
  return PROVIDERS.find((provider) => provider.name === name) as Provider;
}
