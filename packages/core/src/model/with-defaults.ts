import type { LanguageModel, ModelRequest } from './language-model.ts';
import { wrapModel } from './wrap-model.ts';

/** Settings of a request that may stand for all requests. */
export type ModelDefaults = Partial<
  Pick<ModelRequest, 'temperature' | 'topP' | 'maxOutputTokens' | 'stop' | 'seed' | 'toolChoice' | 'providerOptions'>
>;

/**
 * Fills in what a request leaves open. What a request says itself wins; provider options are merged key by key.
 */
export function withDefaults(model: LanguageModel, defaults: ModelDefaults): LanguageModel {
  const fill = (request: ModelRequest): ModelRequest => {
    const said = Object.fromEntries(Object.entries(request).filter(([, value]) => value !== undefined));
    const providerOptions = mergeProviderOptions(defaults.providerOptions, request.providerOptions);
    // A tool choice without tools is refused by vendors.
    const toolChoice = request.toolChoice ?? (request.tools === undefined ? undefined : defaults.toolChoice);
    return { ...defaults, ...(said as unknown as ModelRequest), toolChoice, providerOptions };
  };
  return wrapModel(model, {
    generate: (request) => model.generate(fill(request)),
    stream: (request, inner) => inner(fill(request)),
  });
}

function mergeProviderOptions(
  defaults: ModelRequest['providerOptions'],
  said: ModelRequest['providerOptions'],
): ModelRequest['providerOptions'] {
  if (defaults === undefined || said === undefined) return said ?? defaults;
  const providers = [...new Set([...Object.keys(defaults), ...Object.keys(said)])];
  return Object.fromEntries(providers.map((provider) => [provider, { ...defaults[provider], ...said[provider] }]));
}
