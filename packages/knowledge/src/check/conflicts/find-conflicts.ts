import type { Knowledge, KnowledgeProblem } from '../../model/knowledge.ts';
import { conflictingDefinitions } from './conflicting-definitions.ts';
import { conflictingPolicies } from './matching-policies.ts';
import { nearQueries } from './near-queries.ts';
import { oppositeRules } from './opposite-rules.ts';
import { sharedSynonyms } from './shared-synonyms.ts';
import { statementsOf } from './statements.ts';

/**
 * Contradictions in what is written, found without a model and without the database: a term with two definitions, ways
 * of comparing text that exclude each other, a synonym of two things, two statements for one question, rules of
 * opposite sense. Prose is read as English by its words, so a warning says what to look at, not what is wrong.
 */
export function findConflicts(knowledge: Knowledge): KnowledgeProblem[] {
  const statements = statementsOf(knowledge);
  return [
    ...conflictingDefinitions(statements, knowledge),
    ...conflictingPolicies(statements, knowledge.settings),
    ...oppositeRules(statements),
    ...sharedSynonyms(knowledge.models),
    ...nearQueries(knowledge.verifiedQueries),
  ];
}
