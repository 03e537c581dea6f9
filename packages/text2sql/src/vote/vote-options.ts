import { type AgreementKey, checkNumber } from '@askema/core';
import type { ImplausibleReason } from './result-profile.ts';

/** What separates clusters of equal support, tried in this order. */
export type TieBreak =
  /** More statements of different structure that agree. */
  | 'independent-statements'
  /** Statements that use the relations, columns and literals that most candidates use. */
  | 'statement-consensus'
  /** Fewer failed statements on the way, a self-consistent ending. */
  | 'endings';

/** The rules of a vote. All are data: a preset, and what differs from it. */
export interface VoteRules {
  /** When two results count as the same. */
  readonly key: AgreementKey;
  /** Of that key; undefined for its default. */
  readonly tolerance: number | undefined;
  /** Results with one of these have no vote. */
  readonly excluded: readonly ImplausibleReason[];
  /** When that leaves none: nobody wins, or all have their vote after all. */
  readonly whenAllExcluded: 'none' | 'count-all';
  /** What a vote is worth, in [0, 1]: 1, times each factor that applies. */
  readonly factors: VoteFactors;
  /**
   * What a vote of another cluster that agrees in part is worth to a cluster, at most; in [0, 0.5]. 0 counts whole
   * agreement only.
   */
  readonly partialSupport: number;
  readonly tieBreaks: readonly TieBreak[];
  /** `sure` is a confidence of at least this. */
  readonly sureFrom: number;
}

/** Factors of {@link VoteRules}; each in [0, 1], 1 for "does not matter". */
export interface VoteFactors {
  /** By what the result looks like; the smallest that applies. */
  readonly implausible: Readonly<Partial<Record<ImplausibleReason, number>>>;
  /** Another number of rows, or other columns, than the expected format says. */
  readonly wrongRows: number;
  readonly wrongColumns: number;
  /** A LIMIT that the question does not ask for. */
  readonly unaskedLimit: number;
  /** A statement that uses none of the question's literals; in between for some of them. */
  readonly missingLiterals: number;
  /** The model found the result implausible when it saw it. */
  readonly judgedImplausible: number;
}

export type VotePreset = 'paper' | 'v5' | 'askema';

/** Options of a vote. */
export interface VoteOptions {
  /** Default: `askema`. */
  readonly preset?: VotePreset | undefined;
  readonly rules?: { readonly [Key in keyof VoteRules]?: VoteRules[Key] | undefined } | undefined;
  /** All threads of the question, also those that brought no candidate. Default: the number of candidates. */
  readonly threads?: number | undefined;
}

const ALL_EQUAL: VoteFactors = {
  implausible: {},
  wrongRows: 1,
  wrongColumns: 1,
  unaskedLimit: 1,
  missingLiterals: 1,
  judgedImplausible: 1,
};

/**
 * - `paper`: the most frequent non-empty answer of 3 threads (section 3.2.5); a model settles what is tied.
 * - `v5`: the released code: the most frequent answer of 8 under the evaluator's comparison, without results that have
 *   a column of only zeros and empty texts; a tie is deferred.
 * - `askema`: whole results under the strict key; doubtful results count less; partial agreement of up to nine others
 *   never outweighs a vote, but decides where votes are equal; what is still tied is settled by the statements.
 */
export const VOTE_PRESETS: Readonly<Record<VotePreset, VoteRules>> = {
  paper: {
    key: 'strict',
    tolerance: undefined,
    excluded: ['no-columns', 'no-rows', 'all-blank'],
    whenAllExcluded: 'none',
    factors: ALL_EQUAL,
    partialSupport: 0,
    tieBreaks: [],
    sureFrom: 0.5,
  },
  v5: {
    key: 'official',
    tolerance: undefined,
    excluded: ['no-columns', 'no-rows', 'all-blank', 'null-column', 'blank-column'],
    whenAllExcluded: 'count-all',
    factors: ALL_EQUAL,
    partialSupport: 0,
    tieBreaks: [],
    sureFrom: 0.5,
  },
  askema: {
    key: 'strict',
    tolerance: undefined,
    excluded: ['no-columns', 'no-rows'],
    whenAllExcluded: 'count-all',
    factors: {
      implausible: { 'all-blank': 0.25, 'null-column': 0.5, 'blank-column': 0.5, 'repeated-rows': 0.5 },
      wrongRows: 0.5,
      wrongColumns: 0.5,
      unaskedLimit: 0.5,
      missingLiterals: 0.5,
      judgedImplausible: 0.5,
    },
    partialSupport: 0.1,
    tieBreaks: ['statement-consensus', 'independent-statements', 'endings'],
    sureFrom: 0.7,
  },
};

/**
 * The rules that options stand for.
 *
 * @throws AskemaError `CONFIG_INVALID` for numbers out of range.
 */
export function voteRules({ preset = 'askema', rules = {} }: VoteOptions = {}): VoteRules {
  const given = Object.fromEntries(Object.entries(rules).filter(([, value]) => value !== undefined));
  const merged: VoteRules = { ...VOTE_PRESETS[preset], ...given };
  const { factors, partialSupport, sureFrom } = merged;
  checkNumber('vote.rules.partialSupport', partialSupport, 0, 0.5);
  checkNumber('vote.rules.sureFrom', sureFrom, 0, 1);
  for (const [name, factor] of Object.entries({ ...factors, ...factors.implausible }))
    if (typeof factor === 'number') checkNumber(`vote.rules.factors.${name}`, factor, 0, 1);
  return merged;
}
