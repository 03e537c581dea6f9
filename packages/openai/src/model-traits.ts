import type { TraitRow } from '@askema/core';

/** What a model or its server accepts, where that differs from model to model. */
export interface OpenAiTraits {
  /** Thinks before it answers. Undefined: unknown. */
  readonly reasoning: boolean | undefined;
  /** When `temperature` and `top_p` are accepted; `effort-none`: only with reasoning effort `none`. */
  readonly sampling: 'always' | 'effort-none' | 'never';
  /** Whether chat completions take `stop`. The responses API has none. */
  readonly stop: boolean;
  /** The field that limits the output of chat completions. */
  readonly tokenLimit: 'max_tokens' | 'max_completion_tokens';
  /** The role that instructions go by. */
  readonly instructionRole: 'system' | 'developer';
  /** When chat completions take tools. */
  readonly chatTools: 'always' | 'effort-none' | 'never';
  /** Whether answers can be held to a JSON Schema. Undefined: unknown, so it is tried. */
  readonly structuredOutput: boolean | undefined;
}

/**
 * A model that no row names: most likely an open one behind a compatible server, where the older field names are
 * safest.
 */
export const DEFAULT_OPENAI_TRAITS: OpenAiTraits = {
  reasoning: undefined,
  sampling: 'always',
  stop: true,
  tokenLimit: 'max_tokens',
  instructionRole: 'system',
  chatTools: 'always',
  structuredOutput: undefined,
};

const CHAT_MODEL: Partial<OpenAiTraits> = {
  reasoning: false,
  tokenLimit: 'max_completion_tokens',
  structuredOutput: true,
};
const REASONING_MODEL: Partial<OpenAiTraits> = {
  reasoning: true,
  sampling: 'effort-none',
  tokenLimit: 'max_completion_tokens',
  instructionRole: 'developer',
  structuredOutput: true,
};

const REASONING_GUIDE = 'https://developers.openai.com/api/docs/guides/reasoning';
const LATEST_MODEL_GUIDE = 'https://developers.openai.com/api/docs/guides/latest-model';
const DEPLOYMENT_CHECKLIST = 'https://developers.openai.com/api/docs/guides/deployment-checklist';
const STRUCTURED_OUTPUTS = 'https://developers.openai.com/api/docs/guides/structured-outputs';
const CHAT_REFERENCE = 'https://developers.openai.com/api/docs/api-reference/chat/create';

/** By model name; the first match decides. Override single traits with the `traits` option of `openai()`. */
export const OPENAI_MODEL_TRAITS: readonly TraitRow<OpenAiTraits>[] = [
  {
    pattern: 'gpt-oss',
    traits: { reasoning: true },
    source: 'An open model: served by compatible servers, which take sampling settings and `max_tokens`.',
  },
  {
    pattern: 'o[34]',
    traits: { ...REASONING_MODEL, sampling: 'never', stop: false },
    source: `${CHAT_REFERENCE} (stop), ${REASONING_GUIDE}`,
  },
  { pattern: 'o\\d|codex-mini', traits: { ...REASONING_MODEL, sampling: 'never' }, source: REASONING_GUIDE },
  { pattern: 'gpt-5-chat', traits: CHAT_MODEL, source: `${LATEST_MODEL_GUIDE} (no reasoning model)` },
  {
    pattern: 'gpt-5(?!\\.)',
    traits: { ...REASONING_MODEL, sampling: 'never' },
    source: `${LATEST_MODEL_GUIDE} (effort none came with gpt-5.1)`,
  },
  {
    pattern: 'gpt-6(\\.\\d+)?-astra|gpt-6\\.1-sol',
    traits: { ...REASONING_MODEL, chatTools: 'never' },
    source: DEPLOYMENT_CHECKLIST,
  },
  {
    pattern: 'gpt-5\\.6|gpt-6-(sol|luna)',
    traits: { ...REASONING_MODEL, chatTools: 'effort-none' },
    source: DEPLOYMENT_CHECKLIST,
  },
  { pattern: 'gpt-(5\\.|[6-9]|\\d\\d)', traits: REASONING_MODEL, source: DEPLOYMENT_CHECKLIST },
  {
    pattern: 'gpt-4o-2024-05-13|chatgpt-4o|gpt-4(?![.o])|gpt-3\\.5',
    traits: { ...CHAT_MODEL, structuredOutput: false },
    source: `${STRUCTURED_OUTPUTS} (from gpt-4o-2024-08-06 on)`,
  },
  { pattern: 'gpt-4', traits: CHAT_MODEL, source: `${CHAT_REFERENCE} (max_tokens is deprecated)` },
];
