import type { TraitRow } from '@askema/core';

/** What a model accepts, where that differs from model to model. */
export interface AnthropicTraits {
  /** Thinks before it answers unless it is told not to. Undefined: unknown. */
  readonly reasoning: boolean | undefined;
  /** Which of `temperature` and `top_p` are accepted: both, one of the two, or none. */
  readonly sampling: 'both' | 'one' | 'none';
  /** Whether a tool call can be forced. */
  readonly forcedTools: boolean;
  /**
   * How an answer is held to a JSON Schema: natively (`output_config.format`), by a tool that must be called, or only
   * by asking for it in the instructions.
   */
  readonly structuredOutput: 'native' | 'tool' | 'instructions';
  /** `max_tokens` when nobody says: the protocol wants one. */
  readonly maxOutputTokens: number;
}

/** A model that no row names: most likely another vendor's, behind a compatible server. */
export const DEFAULT_ANTHROPIC_TRAITS: AnthropicTraits = {
  reasoning: undefined,
  sampling: 'both',
  forcedTools: true,
  structuredOutput: 'instructions',
  maxOutputTokens: 16_000,
};

const THINKING_MODEL: Partial<AnthropicTraits> = { reasoning: true, sampling: 'none', structuredOutput: 'native' };

const OPUS_5_5 = 'https://platform.claude.com/docs/en/models/opus-5-5/migration-guide';
const MIGRATION = 'https://platform.claude.com/docs/en/about-claude/models/migration-guide';
const STRUCTURED = 'https://platform.claude.com/docs/en/build-with-claude/structured-outputs';
const MODELS = 'https://platform.claude.com/docs/en/about-claude/models/overview';

/** Platforms put their own prefix before the name: `us.anthropic.claude-…`. */
const claude = (rest: string) => `(?:[a-z]+\\.)*claude-(?:${rest})`;

/** By model name; the first match decides. Override single traits with the `traits` option of `anthropic()`. */
export const ANTHROPIC_MODEL_TRAITS: readonly TraitRow<AnthropicTraits>[] = [
  {
    pattern: claude('3-5'),
    traits: { reasoning: false, structuredOutput: 'tool', maxOutputTokens: 8_192 },
    source: MODELS,
  },
  { pattern: claude('3-7'), traits: { reasoning: false, structuredOutput: 'tool' }, source: MODELS },
  {
    pattern: claude('3-|2|instant'),
    traits: { reasoning: false, structuredOutput: 'tool', maxOutputTokens: 4_096 },
    source: MODELS,
  },
  {
    pattern: claude('(opus|sonnet|haiku)-4-[56](?!\\d)'),
    traits: { reasoning: false, sampling: 'one', structuredOutput: 'native' },
    source: `${MIGRATION} (temperature or top_p, not both), ${STRUCTURED}`,
  },
  {
    pattern: claude('opus-4-1(?!\\d)'),
    traits: { reasoning: false, sampling: 'one', structuredOutput: 'tool' },
    source: MIGRATION,
  },
  {
    pattern: claude('(opus|sonnet)-4(?:-(?:0|2025\\d+))?(?![-\\d])'),
    traits: { reasoning: false, structuredOutput: 'tool' },
    source: MIGRATION,
  },
  {
    pattern: claude(
      '(fable|mythos)-5(?!-[1-9](?!\\d))|mythos-preview|(opus|sonnet|haiku)-5(?!-[1-9](?!\\d))|opus-4-[78]',
    ),
    traits: THINKING_MODEL,
    source: `${MIGRATION} (sampling parameters are rejected from Opus 4.7 on)`,
  },
  {
    pattern: claude(''),
    traits: { ...THINKING_MODEL, forcedTools: false },
    source: `${OPUS_5_5} (forced tool use is rejected by Fable 5.1, by the 5.5 models and, we assume, by what follows)`,
  },
];
