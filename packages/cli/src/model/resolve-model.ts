import {
  AskemaError,
  didYouMean,
  isLanguageModel,
  type LanguageModel,
  nearestNames,
  type Solver,
  withRetry,
} from '@askema/core';
import { callEntry, isModelLike, type LoadedConfig } from '../config/load-config.ts';
import { type Environment, readVariable } from '../process/host.ts';
import { ollamaUrl, type ProbeOptions, probeOllama } from './ollama.ts';
import { PROVIDERS, PROVIDERS_FOUND_BY_KEY, type Provider, type ProviderName, providerNamed } from './providers.ts';
import type { Unsent } from './unsent.ts';

/** The model that answers, and how it was found. */
export interface ModelChoice {
  readonly model: LanguageModel | Solver;
  /** `openai:gpt-…`, `lexical`, or what the model calls itself. */
  readonly label: string;
  /** How it was found, for people: `--model`, `OPENAI_API_KEY is set`. */
  readonly origin: string;
  /** True when nothing was found and the built-in solver answers. */
  readonly isFallback: boolean;
}

export interface ModelSearch extends ProbeOptions {
  /** The value of `--model`. */
  readonly flag?: string | undefined;
  readonly loaded: LoadedConfig;
  readonly env: Environment;
  /**
   * Goes around the model, such as a rate limit: inside of the retries of providers, around models of the
   * configuration.
   */
  readonly wrap?: ((model: LanguageModel) => LanguageModel) | undefined;
  /** Nothing is sent, and this keeps what would be. */
  readonly unsent?: Unsent | undefined;
}

/** A model that was named, before it is made. */
interface NamedModel {
  readonly name: string;
  readonly origin: string;
}

/**
 * Finds the model: `--model`, ASKEMA_MODEL, `defaults.model` of the configuration, OPENAI_API_KEY, ANTHROPIC_API_KEY, a
 * local Ollama, and else the built-in lexical solver.
 *
 * @throws AskemaError `INPUT_INVALID` for an unknown name (with the nearest ones), `CONFIG_INVALID` when a key is
 * missing or an entry of the configuration is no model, `MODEL_UNAVAILABLE` when a local server is named and does not
 * answer.
 */
export async function resolveModel(search: ModelSearch): Promise<ModelChoice> {
  const named = namedModel(search);
  if (named !== undefined) return makeNamed(named.name, named.origin, search, 0);
  for (const provider of PROVIDERS_FOUND_BY_KEY) {
    const variable = providerNamed(provider).keyVariable as string;
    if (readVariable(search.env, variable) !== undefined) {
      return makeFromProvider(provider, undefined, `${variable} is set`, search);
    }
  }
  const probe = await probeOllama(search.env, search);
  const local = probe.models[0];
  if (local !== undefined) return makeFromProvider('ollama', local.name, `Ollama at ${probe.url}`, search);
  const fallback = await makeFromProvider('lexical', undefined, 'nothing else was found', search);
  return { ...fallback, isFallback: true };
}

/** The model that the user named, in the order of precedence; undefined when none was. */
function namedModel(search: Pick<ModelSearch, 'flag' | 'env' | 'loaded'>): NamedModel | undefined {
  if (search.flag !== undefined) return { name: search.flag, origin: '--model' };
  const variable = readVariable(search.env, 'ASKEMA_MODEL');
  if (variable !== undefined) return { name: variable, origin: 'ASKEMA_MODEL' };
  const preset = search.loaded.config.defaults?.model;
  return preset === undefined ? undefined : { name: preset, origin: `defaults.model of ${search.loaded.file}` };
}

async function makeNamed(name: string, origin: string, search: ModelSearch, depth: number): Promise<ModelChoice> {
  const { config, file } = search.loaded;
  const entry = Object.hasOwn(config.models ?? {}, name) ? config.models?.[name] : undefined;
  if (typeof entry === 'string') {
    if (depth > 8) throw new AskemaError('CONFIG_INVALID', `${file}: \`models.${name}\` leads back to itself.`);
    return makeNamed(entry, `${origin}, \`${name}\` of ${file}`, search, depth + 1);
  }
  if (entry !== undefined) {
    const model = typeof entry === 'function' ? await callEntry(file, `models.${name}`, entry) : entry;
    if (!isModelLike(model)) {
      throw new AskemaError(
        'CONFIG_INVALID',
        `${file}: \`models.${name}\` returned neither a model nor a solver. A model of the AI SDK goes through \`fromAiSdk\` of @askema/ai-sdk.`,
      );
    }
    return {
      model: isLanguageModel(model) ? (search.unsent?.hold(model) ?? wrapperOf(search)(model)) : model,
      label: labelOf(model),
      origin: `${origin}, \`${name}\` of ${file}`,
      isFallback: false,
    };
  }
  const [provider = '', model] = splitName(name);
  const known = PROVIDERS.find((each) => each.name === provider);
  if (known === undefined) throw unknownModel(name, origin, Object.keys(config.models ?? {}));
  return makeFromProvider(known.name, model, origin, search);
}

/** At the first colon: names of local models contain others (`ollama:qwen3:8b`). */
export function splitName(name: string): [provider: string, model: string | undefined] {
  const colon = name.indexOf(':');
  if (colon === -1) return [name.trim(), undefined];
  return [name.slice(0, colon).trim(), name.slice(colon + 1).trim() || undefined];
}

function unknownModel(name: string, origin: string, configured: readonly string[]): AskemaError {
  const [provider, model] = splitName(name);
  const providers = PROVIDERS.map((each) => each.name);
  const near = nearestNames(provider, [...providers, ...configured]);
  const hint = near.length > 0 ? didYouMean(provider, [...providers, ...configured]) : '';
  const wanted =
    model === undefined ? `no model or provider is called \`${provider}\`` : `no provider is called \`${provider}\``;
  return new AskemaError(
    'INPUT_INVALID',
    `${origin} ${JSON.stringify(name)}: ${wanted}. ${hint || 'Write provider:model.'} Providers: ${providers.join(', ')}.${
      configured.length > 0 ? ` In the configuration: ${configured.join(', ')}.` : ''
    }`,
    { details: { nearestNames: near } },
  );
}

async function makeFromProvider(
  provider: ProviderName,
  model: string | undefined,
  origin: string,
  search: ModelSearch,
): Promise<ModelChoice> {
  const name = provider === 'ollama' ? (model ?? (await firstLocalModel(search))) : model;
  const made = await makeProviderModel(provider, name, search);
  return { model: made, label: labelOf(made), origin, isFallback: false };
}

async function firstLocalModel(search: ModelSearch): Promise<string> {
  const probe = await probeOllama(search.env, search);
  const first = probe.models[0];
  if (first !== undefined) return first.name;
  throw new AskemaError(
    'MODEL_UNAVAILABLE',
    probe.isReachable
      ? `Ollama at ${probe.url} has no model that answers questions; get one with \`ollama pull qwen3\`.`
      : `No Ollama answers at ${probe.url}; start it with \`ollama serve\`, or set OLLAMA_HOST.`,
  );
}

/** Each try is a span of its own, without what `wrap` has it wait for. */
function wrapperOf({ loaded, wrap }: ModelSearch): (model: LanguageModel) => LanguageModel {
  return (model) => {
    const traced = loaded.config.tracing?.model(model) ?? model;
    return wrap?.(traced) ?? traced;
  };
}

function labelOf(model: LanguageModel | Solver): string {
  return isLanguageModel(model) ? `${model.provider}:${model.modelId}` : model.name;
}

/** Servers of one's own often want no key, and the SDK wants one. */
export const NO_KEY = 'none';

/**
 * Makes the model of a provider with what the environment says; a failed call that may succeed later is repeated. Only
 * the package of that provider is loaded. `wrap` stands inside of the repetition: it sees each try.
 *
 * @throws AskemaError `CONFIG_INVALID` when the key is missing.
 */
async function makeProviderModel(
  provider: ProviderName,
  model: string | undefined,
  search: ModelSearch,
): Promise<LanguageModel | Solver> {
  const { env, unsent } = search;
  const wrap = wrapperOf(search);
  const transport = unsent === undefined ? {} : { fetch: unsent.fetch };
  switch (provider) {
    case 'openai':
    case 'openai-chat':
    case 'openai-responses': {
      const { openai } = await import('@askema/openai');
      // Without a protocol in the name: responses for OpenAI itself, chat completions for every other server.
      const api = provider === 'openai' ? undefined : provider === 'openai-chat' ? 'chat' : 'responses';
      return withRetry(wrap(openai({ ...credentials(provider, model, env), ...transport, api })));
    }
    case 'anthropic': {
      const { anthropic } = await import('@askema/anthropic');
      return withRetry(wrap(anthropic({ ...credentials(provider, model, env), ...transport })));
    }
    case 'ollama': {
      const { openai } = await import('@askema/openai');
      const baseURL = `${ollamaUrl(env)}/v1`;
      return withRetry(
        wrap(
          openai({ model: model as string, baseURL, apiKey: NO_KEY, provider: 'ollama', api: 'chat', ...transport }),
        ),
      );
    }
    case 'lexical': {
      if (model !== undefined) {
        throw new AskemaError(
          'INPUT_INVALID',
          `\`lexical\` is built in and takes no model name; leave out \`:${model}\`.`,
        );
      }
      const { lexical } = await import('@askema/lexical');
      return lexical();
    }
  }
}

interface Credentials {
  readonly model: string;
  readonly apiKey: string;
  readonly baseURL?: string | undefined;
}

/**
 * Key, model and address of a provider, from the environment.
 *
 * @throws AskemaError `CONFIG_INVALID` when the key is missing.
 */
export function credentials(name: ProviderName, model: string | undefined, env: Environment): Credentials {
  const provider: Provider = providerNamed(name);
  const baseURL = provider.urlVariable === undefined ? undefined : readVariable(env, provider.urlVariable);
  const apiKey = provider.keyVariable === undefined ? NO_KEY : readVariable(env, provider.keyVariable);
  if (apiKey === undefined && baseURL === undefined) {
    throw new AskemaError(
      'CONFIG_INVALID',
      `\`${name}\` needs a key: set ${provider.keyVariable}, or ${provider.urlVariable} for a server that needs none.`,
    );
  }
  return {
    model: model ?? (provider.defaultModel as string),
    apiKey: apiKey ?? NO_KEY,
    ...(baseURL === undefined ? {} : { baseURL }),
  };
}
