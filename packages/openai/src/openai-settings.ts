import { AskemaError, checkServerSettings, chooseApiKey, type ModelCapabilities, traitsOf } from '@askema/core';
import { DEFAULT_OPENAI_TRAITS, OPENAI_MODEL_TRAITS, type OpenAiTraits } from './model-traits.ts';
import { DEFAULT_TIMEOUT_MS, type OpenAiApi, type OpenAiOptions, type OpenAiServerOptions } from './openai-options.ts';

const OPENAI_URL = 'https://api.openai.com/v1';
/** Servers without keys get this: the SDK refuses to send none. */
const PLACEHOLDER_KEY = 'none';

/** The options with every default filled in. */
export interface OpenAiSettings {
  readonly model: string;
  readonly provider: string;
  readonly url: string;
  readonly api: OpenAiApi;
  readonly timeoutMs: number;
  readonly traits: OpenAiTraits;
  readonly capabilities: ModelCapabilities;
  /** Whether the server is OpenAI's own. */
  readonly vendor: boolean;
}

/** Whatever the client is used for. */
type SettingsOptions = Omit<OpenAiOptions, 'client'> & { readonly client?: { readonly baseURL: string } | undefined };

type Environment = Readonly<Record<string, string | undefined>>;

/** Fills in the defaults. Throws `CONFIG_INVALID` for an invalid base URL, model or time limit. */
export function openAiSettings(options: SettingsOptions, environment: Environment): OpenAiSettings {
  const url = options.client?.baseURL ?? options.baseURL ?? (environment.OPENAI_BASE_URL || OPENAI_URL);
  const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  checkServerSettings({ model: options.model, url, timeoutMs }, 'http://127.0.0.1:11434/v1');
  const { hostname } = new URL(url);
  const vendor = hostname === 'openai.com' || hostname.endsWith('.openai.com');
  const api = options.api ?? (vendor ? 'responses' : 'chat');
  const traits = traitsOf(options.model, OPENAI_MODEL_TRAITS, DEFAULT_OPENAI_TRAITS, options.traits);
  return {
    model: options.model,
    provider: options.provider ?? 'openai',
    url,
    api,
    timeoutMs,
    traits,
    vendor,
    capabilities: options.capabilities ?? {
      structuredOutput: traits.structuredOutput,
      tools: takesTools(traits, { api, vendor }),
      reasoning: traits.reasoning,
    },
  };
}

/**
 * Of OpenAI's own models it is known; a compatible server has to be tried. With effort `none` alone, it depends on the
 * request.
 */
function takesTools(
  { chatTools }: OpenAiTraits,
  { api, vendor }: Pick<OpenAiSettings, 'api' | 'vendor'>,
): boolean | undefined {
  if (api === 'chat' && chatTools === 'never') return false;
  return vendor && (api === 'responses' || chatTools === 'always') ? true : undefined;
}

/** The key to send. Throws `MODEL_AUTHENTICATION` when OpenAI itself is called without one. */
export function openAiKey(options: OpenAiServerOptions, settings: OpenAiSettings, environment: Environment): string {
  const environmentKey = environment.OPENAI_API_KEY;
  const key = chooseApiKey(options, { url: settings.url, isVendor: settings.vendor, environmentKey });
  if (key !== undefined) return key;
  if (!settings.vendor) return PLACEHOLDER_KEY;
  throw new AskemaError(
    'MODEL_AUTHENTICATION',
    `${settings.provider}:${settings.model} needs an API key. Set OPENAI_API_KEY, or pass \`apiKey\`; for a server of your own pass \`baseURL\`.`,
  );
}
