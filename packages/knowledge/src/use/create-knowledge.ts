import type { Catalog, DatabaseKnowledge, Dialect, KnowledgeSource } from '@askema/core';
import { bindKnowledge } from '../bind/bind-knowledge.ts';
import type { BoundKnowledge } from '../bind/bound-knowledge.ts';
import { metricBases } from '../bind/knowledge-bases.ts';
import { expandMetricCalls } from '../compile/expand-metrics.ts';
import { usableKnowledge } from '../folder/usable-knowledge.ts';
import type { Knowledge } from '../model/knowledge.ts';
import { answerFromKnowledge } from '../solve/answer-from-knowledge.ts';
import { checkStatement } from './check-statement.ts';
import { fittingKnowledge } from './fitting-knowledge.ts';
import { selectForPrompt } from './select-for-prompt.ts';
import { whyDeclined } from './why-declined.ts';
import { withDeclaredKeys } from './with-declared-keys.ts';

/**
 * Knowledge for the flows of text2sql: `createText2Sql({ adapter, model, knowledge: createKnowledge(knowledge) })`.
 * Only what is accepted and did not fail its last check is used. Definitions that do not fit the database are left out;
 * `checkKnowledge` tells which.
 */
export function createKnowledge(knowledge: Knowledge): KnowledgeSource {
  const usable = usableKnowledge(knowledge).knowledge;
  const known = new WeakMap<Catalog, Map<Dialect, DatabaseKnowledge>>();
  return {
    on(catalog, dialect) {
      const ofCatalog = known.get(catalog) ?? new Map<Dialect, DatabaseKnowledge>();
      known.set(catalog, ofCatalog);
      const one = ofCatalog.get(dialect) ?? ofDatabase(bindKnowledge(usable, { catalog, dialect }));
      ofCatalog.set(dialect, one);
      return one;
    },
  };
}

function ofDatabase(bound: BoundKnowledge): DatabaseKnowledge {
  const fitting = fittingKnowledge(bound);
  return {
    catalog: withDeclaredKeys(bound),
    answer(question) {
      const { output, assumptions = [], basedOn = [] } = answerFromKnowledge(question, bound);
      if (output.outcome !== 'sql') return undefined;
      const { sql, explanation } = output;
      return { sql, explanation, assumptions: assumptions.map(({ text }) => text), basedOn };
    },
    declines: (question) => whyDeclined(question, bound),
    select: (question, options) => selectForPrompt(question, fitting, bound, options),
    expand(sql) {
      const { sql: expanded, parts } = expandMetricCalls(sql, bound);
      return {
        sql: expanded,
        parts: parts.map((part) => ({ sql: part.sql, basedOn: metricBases(part.metrics, bound) })),
      };
    },
    check: (statement) => checkStatement(statement, bound),
  };
}
