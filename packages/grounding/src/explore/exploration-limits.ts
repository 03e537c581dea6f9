import { checkChoice, checkNumber } from '@askema/core';

/**
 * Every limit of an exploration by probes (ReFoRCE, section 3.2.3, Algorithm 1). Infinity means that nothing is
 * limited.
 */
export interface ExplorationLimits {
  /**
   * Probes that an exploration should have at least; fewer are asked for again, or filled up with ready ones. 0: as
   * many as the question needs, and ready ones only where the model wrote none.
   */
  readonly minProbes: number;
  /** So often a model that gave fewer is asked for more of them. */
  readonly maxAsks: number;
  /** Of the first queue; further ones are not run. */
  readonly maxProbes: number;
  /** Results after which an exploration ends. */
  readonly maxResults: number;
  /** Corrected statements that are asked for, for one probe. */
  readonly maxCorrections: number;
  /** So many failed probes in a row end it … */
  readonly maxFailuresInARow: number;
  /** … when more than so many probes had an outcome. */
  readonly minOutcomes: number;
  /** Of a revised queue: it is taken when it has at least this share of the old one. */
  readonly revisedShare: number;
  /** Rows and bytes of one result in the prompt. */
  readonly viewRows: number;
  readonly viewBytes: number;
  /** Of all results in the prompt together. */
  readonly maxBytes: number;
  /** Model calls for corrections and revisions. */
  readonly maxModelCalls: number;
  /** All statements together; waiting for a model does not count. */
  readonly maxMs: number;
  /** Of one statement. */
  readonly statementTimeoutMs: number;
  /**
   * `class`: what is done about a failure depends on its error class (see `correctionsFor`), names with one likely
   * spelling are put right without a model, and the queue is revised only where the same mistake may stand in it.
   * `always`: each failure asks the model, each correction that runs asks it for the rest of the queue.
   */
  readonly repair: 'class' | 'always';
  /** What becomes of a probe with a CTE. The prompt asks for none either way. */
  readonly ctes: 'refuse' | 'run';
}

/** `askema` is ours; `paper` follows the text of ReFoRCE, `v5` the last code of its authors (their constants). */
export const EXPLORATION_PRESETS = {
  askema: {
    minProbes: 0,
    maxAsks: 1,
    // As many as results: whatever was written is run, unless failures, bytes or time end the exploration.
    maxProbes: 12,
    maxResults: 12,
    maxCorrections: 3,
    maxFailuresInARow: 3,
    minOutcomes: 3,
    revisedShare: 0.5,
    viewRows: 100,
    viewBytes: 5_000,
    maxBytes: 30_000,
    maxModelCalls: 6,
    maxMs: 120_000,
    statementTimeoutMs: 20_000,
    repair: 'class',
    // Models write some against the prompt; of those on record seven in eight ran and gave rows.
    ctes: 'run',
  },
  paper: {
    minProbes: 10,
    maxAsks: 3,
    maxProbes: Number.POSITIVE_INFINITY,
    maxResults: Number.POSITIVE_INFINITY,
    maxCorrections: 3,
    maxFailuresInARow: 5,
    minOutcomes: 5,
    revisedShare: 0.5,
    viewRows: 100,
    viewBytes: 5_000,
    maxBytes: Number.POSITIVE_INFINITY,
    maxModelCalls: Number.POSITIVE_INFINITY,
    maxMs: Number.POSITIVE_INFINITY,
    statementTimeoutMs: 60_000,
    repair: 'always',
    ctes: 'refuse',
  },
  v5: {
    minProbes: 3,
    maxAsks: 3,
    maxProbes: 10,
    maxResults: 10,
    maxCorrections: 3,
    maxFailuresInARow: 3,
    minOutcomes: 3,
    revisedShare: 0.5,
    viewRows: 100,
    viewBytes: 500,
    maxBytes: 100_000,
    maxModelCalls: 20,
    maxMs: Number.POSITIVE_INFINITY,
    statementTimeoutMs: 60_000,
    repair: 'always',
    ctes: 'run',
  },
} as const satisfies Readonly<Record<string, ExplorationLimits>>;

export type ExplorationPreset = keyof typeof EXPLORATION_PRESETS;

/** A preset, and what differs from it. */
export type ExplorationOptions = { readonly preset?: ExplorationPreset | undefined } & {
  readonly [Key in keyof ExplorationLimits]?: ExplorationLimits[Key] | undefined;
};

/** Limits that are no numbers. */
const WORDS: Readonly<Record<string, readonly string[]>> = { repair: ['class', 'always'], ctes: ['refuse', 'run'] };

/**
 * The limits of a preset (default: `askema`) with what differs from it.
 *
 * @throws AskemaError `CONFIG_INVALID` for an unknown preset, and for a limit that is no number from 0 on.
 */
export function explorationLimits({ preset = 'askema', ...options }: ExplorationOptions = {}): ExplorationLimits {
  checkChoice('preset', preset, Object.keys(EXPLORATION_PRESETS) as ExplorationPreset[]);
  const base: ExplorationLimits = EXPLORATION_PRESETS[preset];
  const given = Object.entries(options).filter(([key, value]) => value !== undefined && Object.hasOwn(base, key));
  for (const [key, value] of given) {
    const words = WORDS[key];
    if (words === undefined) checkNumber(key, value as number, 0, Number.POSITIVE_INFINITY);
    else checkChoice(key, value as string, words);
  }
  return { ...base, ...Object.fromEntries(given) };
}
