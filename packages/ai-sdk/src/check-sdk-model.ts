import { AskemaError, isLanguageModel } from '@askema/core';

/** What takes a model with these members, and how one is made. Models of speech have both methods, but no URLs. */
const KINDS = {
  language: {
    taker: 'fromAiSdk',
    members: ['doGenerate', 'doStream', 'supportedUrls'],
    ofProvider: 'languageModel',
    example: "openai('gpt-5-mini')",
  },
  embedding: {
    taker: 'embedFromAiSdk',
    members: ['doEmbed'],
    ofProvider: 'embeddingModel',
    example: "openai.embedding('text-embedding-3-small')",
  },
} as const;
const VERSIONS: readonly unknown[] = ['v3', 'v4'];

export type SdkModelKind = keyof typeof KINDS;
type Shape = Readonly<Record<string, unknown>>;

/** Throws `CONFIG_INVALID` for what is no such model of the AI SDK, or one of another version. */
export function checkSdkModel(model: unknown, kind: SdkModelKind): void {
  const { taker } = KINDS[kind];
  const shape = (model ?? {}) as Shape;
  const { modelId, specificationVersion: version } = shape;
  const isKnown = VERSIONS.includes(version);
  // Old models lack members of today's.
  const isOld = typeof modelId === 'string' && version !== undefined && !isKnown;
  if (!isOld && !isOfKind(shape, kind))
    throw new AskemaError(
      'CONFIG_INVALID',
      `\`${taker}\` takes a model of the AI SDK, and got ${instead(model, kind)}`,
    );
  if (!isKnown)
    throw new AskemaError(
      'CONFIG_INVALID',
      `${nameOf(shape)} speaks version ${String(version)} of the AI SDK's specification; \`${taker}\` takes v3 and v4. Install the provider's package for AI SDK 6 or 7.`,
    );
}

function isOfKind(shape: Shape, kind: SdkModelKind): boolean {
  return KINDS[kind].members.every((member) => shape[member] !== undefined);
}

/** What stands where the model belongs, and what to do about it. */
function instead(model: unknown, kind: SdkModelKind): string {
  const { ofProvider, example, members } = KINDS[kind];
  const make = `Make the model with a provider, like \`${example}\` of @ai-sdk/openai`;
  if (typeof model === 'string') {
    const name = `'${model}'`;
    const gateway = kind === 'language' ? `gateway(${name})` : `gateway.${ofProvider}(${name})`;
    return `the name ${name}. ${make}, or with the gateway of the package \`ai\`: \`${gateway}\`.`;
  }
  if (model instanceof Promise) return 'a promise. Await it first.';
  const shape = (model ?? {}) as Shape;
  if (isLanguageModel(shape))
    return 'a model of Askema, or an agent. A model of Askema is used as it is; instead of an agent, give its model.';
  const other = kind === 'language' ? 'embedding' : 'language';
  if (isOfKind(shape, other)) return `${nameOf(shape)}. Give this model to \`${KINDS[other].taker}\`.`;
  if (typeof shape[ofProvider] === 'function')
    return `a provider. Ask it for a model by its name, like \`provider.${ofProvider}('…')\`.`;
  const missing = members.filter((member) => shape[member] === undefined);
  const lacking = missing.map((member) => `\`${member}\``).join(', ');
  const what = typeof shape.modelId === 'string' ? `${nameOf(shape)}, which is no ${kind} model` : 'something else';
  return `${what}: it lacks ${lacking}. ${make}.`;
}

function nameOf({ provider, modelId }: Shape): string {
  return `${String(provider)}:${String(modelId)}`;
}
