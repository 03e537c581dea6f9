import type { BoundKnowledge } from '../bind/bound-knowledge.ts';
import { expandNames } from '../bind/expand-names.ts';
import { expandMetrics } from '../compile/expand-metrics.ts';
import type { VerifiedQuery } from '../model/knowledge.ts';
import type { ParameterValues } from './match-question.ts';
import { writeParameters } from './write-parameters.ts';

/**
 * The statement of a verified query as the database runs it: values in the place of its holes, names of the model as
 * relations and columns, and metrics compiled.
 *
 * @throws AskemaError as `expandNames` and `expandMetrics` do.
 */
export function runnableStatement(query: VerifiedQuery, values: ParameterValues, bound: BoundKnowledge): string {
  const filled = writeParameters(query, values, bound.dialect);
  // Names first: what metrics are compiled to stands in names of the database.
  return expandMetrics(query.names === 'logical' ? expandNames(filled, bound) : filled, bound);
}
