import { AskemaError, type LanguageModel, type Solver, withRetry } from '@askema/core';
import { type Environment, readVariable } from '../process/host.ts';
import { ollamaUrl } from './ollama.ts';
import { type Provider, type ProviderName, providerNamed } from './providers.ts';

/** Servers of one's own often want no key, and the SDK wants one. */
const NO_KEY = 'none';

/**
 * Makes the model of a provider with what the environment says; a failed call that may succeed later is repeated. Only the package of
 * that provider is loaded. `wrap` stands inside of the repetition: it sees each try.
 *
 * @throws AskemaError `CONFIG_INVALID` when the key is missing.
 */
export async function makeProviderModel(
  provider: ProviderName,
  model: string | undefined,
  env: Environment,
  wrap: (model: LanguageModel) => LanguageModel = (made) => made,
): Promise<LanguageModel | Solver> {
  switch (provider) {
    case 'openai':
    case 'openai-chat':
    case 'openai-responses': {
      const { openai } = await import('@askema/openai');
      // Without a protocol in the name: responses for OpenAI itself, chat completions for every other server.
      const api = provider === 'openai' ? undefined : provider === 'openai-chat' ? 'chat' : 'responses';
      return withRetry(wrap(openai({ ...credentials(provider, model, env), api })));
    }
    case 'anthropic': {
      const { anthropic } = await import('@askema/anthropic');
      return withRetry(wrap(anthropic(credentials(provider, model, env))));
    }
    case 'ollama': {
      const { openai } = await import('@askema/openai');
      const baseURL = `${ollamaUrl(env)}/v1`;
      return withRetry(
        wrap(openai({ model: model as string, baseURL, apiKey: NO_KEY, provider: 'ollama', api: 'chat' })),
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

function credentials(name: ProviderName, model: string | undefined, env: Environment): Credentials {
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
