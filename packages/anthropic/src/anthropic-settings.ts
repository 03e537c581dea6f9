import { AskemaError, checkServerSettings, chooseApiKey, type ModelCapabilities, traitsOf } from '@askema/core';
import { type AnthropicOptions, DEFAULT_TIMEOUT_MS } from './anthropic-options.ts';
import { ANTHROPIC_MODEL_TRAITS, type AnthropicTraits, DEFAULT_ANTHROPIC_TRAITS } from './model-traits.ts';

const ANTHROPIC_URL = 'https://api.anthropic.com';
/** Servers without keys get this: the SDK would look for credentials elsewhere. */
const PLACEHOLDER_KEY = 'none';

/** The options with every default filled in. */
export interface AnthropicSettings {
  readonly model: string;
  readonly provider: string;
  readonly url: string;
  readonly timeoutMs: number;
  readonly maxOutputTokens: number;
  readonly traits: AnthropicTraits;
  readonly capabilities: ModelCapabilities;
  /** Ends of prefixes are marked, so that the vendor keeps them. */
  readonly promptCaching: boolean;
  /** Whether the server is Anthropic's own. */
  readonly vendor: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Fills in the defaults. Throws `CONFIG_INVALID` for an invalid base URL, model or time limit. */
export function anthropicSettings(options: AnthropicOptions, environment: Environment): AnthropicSettings {
  const url = options.client?.baseURL ?? options.baseURL ?? (environment.ANTHROPIC_BASE_URL || ANTHROPIC_URL);
  const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  checkServerSettings({ model: options.model, url, timeoutMs }, ANTHROPIC_URL);
  const { hostname } = new URL(url);
  const traits = traitsOf(options.model, ANTHROPIC_MODEL_TRAITS, DEFAULT_ANTHROPIC_TRAITS, options.traits);
  const vendor = hostname === 'anthropic.com' || hostname.endsWith('.anthropic.com');
  return {
    model: options.model,
    provider: options.provider ?? 'anthropic',
    url,
    timeoutMs,
    maxOutputTokens: options.maxOutputTokens ?? traits.maxOutputTokens,
    traits,
    vendor,
    promptCaching: options.promptCaching ?? vendor,
    capabilities: options.capabilities ?? {
      structuredOutput: traits.structuredOutput !== 'instructions',
      tools: true,
      reasoning: traits.reasoning,
    },
  };
}

/** The key to send. Throws `MODEL_AUTHENTICATION` when Anthropic itself is called without one. */
export function anthropicKey(options: AnthropicOptions, settings: AnthropicSettings, environment: Environment): string {
  const environmentKey = environment.ANTHROPIC_API_KEY;
  const key = chooseApiKey(options, { url: settings.url, isVendor: settings.vendor, environmentKey });
  if (key !== undefined) return key;
  if (!settings.vendor) return PLACEHOLDER_KEY;
  throw new AskemaError(
    'MODEL_AUTHENTICATION',
    `${settings.provider}:${settings.model} needs an API key. Set ANTHROPIC_API_KEY, or pass \`apiKey\`; for other credentials pass a \`client\`.`,
  );
}
