import { isAskemaError, redactSecrets } from '@askema/core';
import type { LoadedConfig } from '../config/load-config.ts';
import { type Environment, readVariable } from '../process/host.ts';
import { type OllamaProbe, type ProbeOptions, probeOllama } from './ollama.ts';
import { PROVIDERS, PROVIDERS_FOUND_BY_KEY, type Provider, providerNamed } from './providers.ts';
import { resolveModel } from './resolve-model.ts';

/** A place where a model is looked for, and whether something is there. Never the value of a key. */
interface ModelPlace {
  readonly place: string;
  readonly isSet: boolean;
  readonly state: string;
}

/** A name that `--model` takes. */
export interface ModelName {
  readonly name: string;
  readonly title: string;
  readonly isUsable: boolean;
  readonly state: string;
  readonly defaultModel?: string | undefined;
  /** Models that the provider was seen to have. */
  readonly models?: readonly string[] | undefined;
}

/** What `askema models` says. */
export interface ModelsReport {
  /** What would answer now; `error` when what is named cannot be had. */
  readonly chosen: { readonly model: string; readonly origin: string } | { readonly error: string };
  /** In the order of choice. */
  readonly places: readonly ModelPlace[];
  readonly names: readonly ModelName[];
}

/** Looks at the environment, the configuration and the local Ollama. No key is read out, no model is called. */
export async function reportModels(
  env: Environment,
  loaded: LoadedConfig,
  options: ProbeOptions = {},
): Promise<ModelsReport> {
  const probe = await probeOllama(env, options);
  return {
    chosen: await chosenModel(env, loaded, options),
    places: modelPlaces(env, loaded, probe),
    names: [...configuredNames(loaded), ...PROVIDERS.map((provider) => describeProvider(provider, env, probe))],
  };
}

async function chosenModel(
  env: Environment,
  loaded: LoadedConfig,
  options: ProbeOptions = {},
): Promise<ModelsReport['chosen']> {
  try {
    const choice = await resolveModel({ loaded, env, ...options });
    return { model: choice.label, origin: redactSecrets(choice.origin) };
  } catch (error) {
    if (!isAskemaError(error)) throw error;
    return { error: error.message };
  }
}

function modelPlaces(env: Environment, loaded: LoadedConfig, probe: OllamaProbe): ModelPlace[] {
  const variable = (name: string): ModelPlace => {
    const isSet = readVariable(env, name) !== undefined;
    return { place: name, isSet, state: isSet ? 'set' : 'not set' };
  };
  const preset = loaded.config.defaults?.model;
  return [
    { place: '--model', isSet: false, state: 'provider:model, or a name of the configuration' },
    variable('ASKEMA_MODEL'),
    {
      place: 'defaults.model of the configuration',
      isSet: preset !== undefined,
      state:
        loaded.file === undefined
          ? 'no askema.config.ts'
          : `${preset === undefined ? 'not' : preset} in ${loaded.file}`,
    },
    ...PROVIDERS_FOUND_BY_KEY.map((name) => variable(providerNamed(name).keyVariable as string)),
    { place: 'Ollama', isSet: probe.models.length > 0, state: ollamaState(probe) },
    { place: 'lexical', isSet: true, state: 'always there, reads simple questions only' },
  ];
}

function ollamaState(probe: OllamaProbe): string {
  const url = redactSecrets(probe.url);
  if (!probe.isReachable) return `does not answer at ${url}`;
  return probe.models.length > 0 ? `answers at ${url}` : `answers at ${url}, but has no suitable model`;
}

function configuredNames(loaded: LoadedConfig): ModelName[] {
  return Object.entries(loaded.config.models ?? {}).map(([name, entry]) => ({
    name,
    title: typeof entry === 'string' ? `another name for ${entry}` : 'a model of the configuration',
    isUsable: true,
    state: `in ${loaded.file}`,
  }));
}

function describeProvider(provider: Provider, env: Environment, probe: OllamaProbe): ModelName {
  const { name, title, keyVariable, urlVariable, defaultModel } = provider;
  if (name === 'lexical') return { name, title, isUsable: true, state: 'always there' };
  if (name === 'ollama') {
    const models = probe.models.map((model) => model.name);
    return { name, title, isUsable: models.length > 0, state: ollamaState(probe), models };
  }
  const set = [keyVariable, urlVariable].filter((each) => each !== undefined && readVariable(env, each) !== undefined);
  const state = set.length > 0 ? `${set.join(' and ')} set` : `needs ${keyVariable}`;
  return { name, title, isUsable: set.length > 0, state, defaultModel };
}
