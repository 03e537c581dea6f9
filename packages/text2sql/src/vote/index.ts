export type { VoteDoubt } from './candidate-weight.ts';
export * from './decide-vote.ts';
export * from './describe-difference.ts';
export { enoughVotes } from './enough-votes.ts';
export { questionConformity } from './question-conformity.ts';
export type { CandidateConformity, VoteCandidate } from './vote-candidate.ts';
export * from './vote-confidence.ts';
export type { TieBreak, VoteFactors, VoteOptions, VotePreset, VoteRules } from './vote-options.ts';
export { VOTE_PRESETS } from './vote-options.ts';
