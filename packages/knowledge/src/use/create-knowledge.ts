import type { Catalog, DatabaseKnowledge, Dialect, KnowledgeQuestion, KnowledgeSource } from '@askema/core';
import { bindKnowledge } from '../bind/bind-knowledge.ts';
import type { BoundKnowledge } from '../bind/bound-knowledge.ts';
import { metricBases } from '../bind/knowledge-bases.ts';
import { expandMetricCalls } from '../compile/expand-metrics.ts';
import { takeProposals } from '../folder/take-proposals.ts';
import { usableKnowledge } from '../folder/usable-knowledge.ts';
import type { Knowledge } from '../model/knowledge.ts';
import { answerFromKnowledge } from '../solve/answer-from-knowledge.ts';
import { queriesAsking } from '../verified/find-verified.ts';
import { checkStatement } from './check-statement.ts';
import { fittingKnowledge } from './fitting-knowledge.ts';
import { selectForPrompt } from './select-for-prompt.ts';
import { whyDeclined } from './why-declined.ts';
import { withDeclaredKeys } from './with-declared-keys.ts';

export interface CreateKnowledgeOptions {
  /**
   * For measurements, where an example is no test of itself: a verified query neither answers its own question nor is
   * shown for it. Default: false.
   */
  readonly leaveOutAsked?: boolean | undefined;
  /**
   * The name of a person whose own proposals are used as well, before anybody accepts them, in the place of what they
   * would replace; `loadKnowledge` with the same option reads them. `basedOn` then says `proposed`. Default: nobody.
   */
  readonly proposalsOf?: string | undefined;
}

/**
 * Knowledge for the flows of text2sql: `createText2Sql({ adapter, model, knowledge: createKnowledge(knowledge) })`.
 * Only what is accepted and did not fail its last check is used. Definitions that do not fit the database are left out;
 * `checkKnowledge` tells which.
 */
export function createKnowledge(
  knowledge: Knowledge,
  { leaveOutAsked = false, proposalsOf }: CreateKnowledgeOptions = {},
): KnowledgeSource {
  const tried = proposalsOf === undefined ? knowledge : takeProposals(knowledge, ({ by }) => by === proposalsOf);
  const usable = usableKnowledge(tried).knowledge;
  const known = new WeakMap<Catalog, Map<Dialect, DatabaseKnowledge>>();
  return {
    on(catalog, dialect) {
      const ofCatalog = known.get(catalog) ?? new Map<Dialect, DatabaseKnowledge>();
      known.set(catalog, ofCatalog);
      const one = ofCatalog.get(dialect) ?? ofDatabase(bindKnowledge(usable, { catalog, dialect }), leaveOutAsked);
      ofCatalog.set(dialect, one);
      return one;
    },
  };
}

function ofDatabase(whole: BoundKnowledge, leaveOutAsked: boolean): DatabaseKnowledge {
  const wholeFitting = fittingKnowledge(whole);
  const forQuestion = (asked: KnowledgeQuestion): BoundKnowledge =>
    leaveOutAsked ? withoutAsked(asked, whole) : whole;
  return {
    catalog: withDeclaredKeys(whole),
    answer(question) {
      const { output, assumptions = [], basedOn = [] } = answerFromKnowledge(question, forQuestion(question));
      if (output.outcome !== 'sql') return undefined;
      const { sql, explanation } = output;
      return { sql, explanation, assumptions: assumptions.map(({ text }) => text), basedOn };
    },
    declines: (question) => whyDeclined(question, forQuestion(question)),
    select(question, options) {
      const bound = forQuestion(question);
      const fitting = bound === whole ? wholeFitting : fittingKnowledge(bound);
      return selectForPrompt(question, fitting, bound, options);
    },
    expand(sql) {
      const { sql: expanded, parts } = expandMetricCalls(sql, whole);
      return {
        sql: expanded,
        parts: parts.map((part) => ({ sql: part.sql, basedOn: metricBases(part.metrics, whole) })),
      };
    },
    check: (statement) => checkStatement(statement, whole),
  };
}

function withoutAsked({ question, values }: KnowledgeQuestion, bound: BoundKnowledge): BoundKnowledge {
  const { knowledge } = bound;
  const asked = queriesAsking(question, knowledge, { values, bound });
  if (asked.size === 0) return bound;
  const verifiedQueries = knowledge.verifiedQueries.filter((query) => !asked.has(query));
  return { ...bound, knowledge: { ...knowledge, verifiedQueries } };
}
