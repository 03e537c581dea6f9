import { AskemaError, didYouMean, type EmbeddingModel, nearestNames, withEmbeddingRetry } from '@askema/core';
import type { EmbeddingsOfIndex } from '@askema/value-index';
import type { AskemaConfig, EmbeddingsEntry } from '../config/askema-config.ts';
import { callEntry, isEmbeddingsLike, type LoadedConfig } from '../config/load-config.ts';
import type { Environment } from '../process/host.ts';
import { ollamaUrl } from './ollama.ts';
import { credentials, NO_KEY, splitName } from './resolve-model.ts';

/** Providers that make embeddings. */
const PROVIDERS = ['openai', 'ollama'] as const;
type ProviderOfEmbeddings = (typeof PROVIDERS)[number];

/** Where embedding models are looked for. */
export interface EmbeddingsSearch {
  readonly loaded: LoadedConfig;
  readonly env: Environment;
}

/**
 * The embedding model of this name: one of `embeddings` of the configuration, or `openai:MODEL`, `ollama:MODEL`.
 *
 * @throws AskemaError `INPUT_INVALID` for an unknown name or one without a model, `CONFIG_INVALID` when a key is missing
 * or an entry of the configuration is no embedding model.
 */
export async function resolveEmbeddings(
  name: string,
  search: EmbeddingsSearch,
  origin = '--embeddings',
  depth = 0,
): Promise<EmbeddingModel> {
  const { config, file } = search.loaded;
  const entries = config.embeddings ?? {};
  const entry = Object.hasOwn(entries, name) ? entries[name] : undefined;
  if (typeof entry === 'string') {
    if (depth > 8) throw new AskemaError('CONFIG_INVALID', `${file}: \`embeddings.${name}\` leads back to itself.`);
    return resolveEmbeddings(entry, search, `${origin}, \`${name}\` of ${file}`, depth + 1);
  }
  if (entry !== undefined) return makeEntry(name, entry, search.loaded);
  const [provider, model] = splitName(name);
  const known = PROVIDERS.find((each) => each === provider);
  if (known === undefined || model === undefined)
    throw unknownEmbeddings(name, origin, known === undefined ? Object.keys(entries) : []);
  return makeFromProvider(known, model, search);
}

/**
 * The embedding model that made the vectors of an index: that of the configuration, or of a provider, with the same
 * name. Rejects as {@link resolveEmbeddings} does.
 */
export async function embeddingsOf(made: EmbeddingsOfIndex, search: EmbeddingsSearch): Promise<EmbeddingModel> {
  for (const [name, entry] of Object.entries(search.loaded.config.embeddings ?? {})) {
    if (typeof entry === 'string') continue;
    const model = await makeEntry(name, entry, search.loaded);
    const isOfLength = (model.dimensions ?? made.dimensions) === made.dimensions;
    if (`${model.provider}/${model.modelId}` === made.model && isOfLength) return model;
  }
  const slash = made.model.indexOf('/');
  return resolveEmbeddings(
    `${made.model.slice(0, slash)}:${made.model.slice(slash + 1)}`,
    { ...search, loaded: { ...search.loaded, config: { ...search.loaded.config, embeddings: {} } } },
    'The model of the index',
  );
}

async function makeEntry(
  name: string,
  entry: Exclude<EmbeddingsEntry, string>,
  { config, file }: LoadedConfig,
): Promise<EmbeddingModel> {
  const model = typeof entry === 'function' ? await callEntry(file, `embeddings.${name}`, entry) : entry;
  if (isEmbeddingsLike(model)) return traced(model, config);
  throw new AskemaError('CONFIG_INVALID', `${file}: \`embeddings.${name}\` returned no embedding model.`);
}

function unknownEmbeddings(name: string, origin: string, configured: readonly string[]): AskemaError {
  const [provider, model] = splitName(name);
  const names = [...PROVIDERS, ...configured];
  const isProvider = PROVIDERS.some((each) => each === provider);
  const problem = isProvider && model === undefined ? 'the model is missing' : `nothing of that name makes embeddings`;
  const hint = isProvider ? '' : didYouMean(provider, names);
  return new AskemaError(
    'INPUT_INVALID',
    `${origin} ${JSON.stringify(name)}: ${problem}. ${hint || 'Write provider:model, such as openai:text-embedding-3-small.'} Providers: ${PROVIDERS.join(', ')}.${
      configured.length > 0 ? ` In the configuration: ${configured.join(', ')}.` : ''
    }`,
    { details: { nearestNames: nearestNames(provider, names) } },
  );
}

async function makeFromProvider(
  provider: ProviderOfEmbeddings,
  model: string,
  { env, loaded }: EmbeddingsSearch,
): Promise<EmbeddingModel> {
  const { openaiEmbeddings } = await import('@askema/openai');
  const options =
    provider === 'openai'
      ? credentials('openai', model, env)
      : { model, baseURL: `${ollamaUrl(env)}/v1`, apiKey: NO_KEY, provider };
  // Each try is a span of its own.
  return withEmbeddingRetry(traced(openaiEmbeddings(options), loaded.config));
}

function traced(model: EmbeddingModel, { tracing }: AskemaConfig): EmbeddingModel {
  return tracing?.embeddings(model) ?? model;
}
