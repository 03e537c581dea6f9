import type { CandidateCluster } from './cluster-candidates.ts';
import type { VoteCandidate } from './vote-candidate.ts';
import type { TieBreak } from './vote-options.ts';

/** Statements more alike than this count as one: they agree because they are the same, which says less. */
const SAME_STRUCTURE = 0.9;

/** Scores closer than this are equal: they differ by the order of additions only. */
export const SCORE_EPSILON = 1e-9;

/**
 * Of clusters with equal support, those that the tie-breaks leave: one, or several that nothing separates. Also says
 * which tie-break was the last that separated any.
 */
export function breakTie(
  tied: readonly CandidateCluster[],
  all: readonly VoteCandidate[],
  tieBreaks: readonly TieBreak[],
): { readonly left: readonly CandidateCluster[]; readonly by: TieBreak | undefined } {
  let left = tied;
  let by: TieBreak | undefined;
  for (const tieBreak of tieBreaks) {
    if (left.length <= 1) break;
    const score = scorer(tieBreak, all);
    const scores = left.map(score);
    const best = Math.max(...scores);
    const kept = left.filter((_, position) => (scores[position] ?? 0) >= best - SCORE_EPSILON);
    if (kept.length < left.length) by = tieBreak;
    left = kept;
  }
  return { left, by };
}

function scorer(tieBreak: TieBreak, all: readonly VoteCandidate[]): (cluster: CandidateCluster) => number {
  switch (tieBreak) {
    case 'independent-statements':
      return independentStatements;
    case 'statement-consensus': {
      const features = all.map(({ sql }) => statementFeatures(sql));
      return (cluster) => mean(cluster.members.map(({ candidate }) => consensus(candidate.sql, features)));
    }
    case 'endings':
      return (cluster) => mean(cluster.members.map(({ candidate }) => endingScore(candidate)));
  }
}

function independentStatements(cluster: CandidateCluster): number {
  const kinds: ReadonlySet<string>[] = [];
  for (const { candidate } of cluster.members) {
    const features = statementFeatures(candidate.sql);
    if (!kinds.some((kind) => featureLikeness(kind, features) > SAME_STRUCTURE)) kinds.push(features);
  }
  return kinds.length;
}

/** How near a statement is to all statements of the vote, itself among them. */
function consensus(sql: string, all: readonly ReadonlySet<string>[]): number {
  const own = statementFeatures(sql);
  return mean(all.map((other) => featureLikeness(own, other)));
}

function endingScore({ ending }: VoteCandidate): number {
  return (ending?.selfConsistent === true ? 1 : 0) - (ending?.repairs ?? 0) - 0.1 * (ending?.iterations ?? 0);
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Tokens of a statement beyond this say nothing more about which relations and literals it uses. */
const MAX_TOKENS = 20_000;

/** Words that every statement has; they tell nothing apart. */
const COMMON = new Set(
  'select from where and or as on join inner left right outer full group by order having limit with in is not null case when then else end asc desc'.split(
    ' ',
  ),
);

/**
 * A comment, a text, a quoted name, a word or a number; anything else is skipped. Each alternative takes what it has
 * begun.
 */
const TOKEN =
  /--[^\n]*|\/\*[^*]*(?:\*(?!\/)[^*]*)*\*?\/?|'[^']*'?|"([^"]*)"?|`([^`]*)`?|([\p{L}_][\p{L}\p{N}_$]*)|(\d+(?:\.\d+)?)/gu;

/**
 * What a statement is made of, as a set: names and functions in lower case, texts and numbers as written, comments and
 * common keywords left out. A rough view that needs no dialect; it only ranks statements by likeness and never decides
 * what runs.
 */
export function statementFeatures(sql: string): ReadonlySet<string> {
  const features = new Set<string>();
  let tokens = 0;
  for (const match of sql.matchAll(TOKEN)) {
    tokens += 1;
    if (tokens > MAX_TOKENS) break;
    const [text, quoted, backticked, word, number] = match;
    const name = quoted ?? backticked ?? word;
    if (name !== undefined) {
      const folded = name.toLowerCase();
      if (folded.length > 2 && !COMMON.has(folded)) features.add(folded);
    } else if (number !== undefined) features.add(number);
    else if (text.startsWith("'")) features.add(text.toLowerCase());
  }
  return features;
}

/** The share of features that two statements have in common (Jaccard), in [0, 1]. */
export function featureLikeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 && b.size === 0) return 1;
  let shared = 0;
  for (const feature of a) if (b.has(feature)) shared += 1;
  return shared / (a.size + b.size - shared);
}
