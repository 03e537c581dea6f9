import { createCallContext, systemRuntime } from '@askema/core';
import { bindKnowledge } from '../bind/bind-knowledge.ts';
import type { BoundKnowledge } from '../bind/bound-knowledge.ts';
import { createProblemList } from '../bind/problem-list.ts';
import { usableKnowledge } from '../folder/usable-knowledge.ts';
import type { Knowledge, KnowledgeProblem } from '../model/knowledge.ts';
import { checkAlgebra } from './check-algebra.ts';
import { checkDatasets } from './check-datasets.ts';
import { checkFilters } from './check-filters.ts';
import { openHost } from './check-host.ts';
import { checkJoins, checkKeys } from './check-keys.ts';
import { checkMetrics } from './check-metrics.ts';
import { checkQueries } from './check-queries.ts';
import { checkUnused } from './check-unused.ts';
import { checkValues } from './check-values.ts';
import { findConflicts } from './conflicts/find-conflicts.ts';
import type { CheckKnowledgeOptions, KnowledgeCheck } from './knowledge-check.ts';
import { asOneWorld, withoutProposals } from './one-world.ts';
import { settleEntries } from './settle-entries.ts';

/** Codes of what the readers of files say as well, as far as one file shows it. */
const SAID_BY_READERS: ReadonlySet<string> = new Set(['duplicate-name', 'dialect-twice', 'join-columns']);
/** What an earlier check found is found again, or no longer holds. */
const OF_AN_EARLIER_CHECK = 'check-failed';

/**
 * Holds knowledge against a database, by its form and by running it: sources, keys, joins, values, filters, metrics
 * alone and by fields, verified queries. It only reads, one statement after the other, within caps; what these leave
 * out stands in `skipped`. Proposals are checked as if they were accepted.
 *
 * Rejects with `ABORTED` and `DATABASE_CLOSED`; other failures are findings.
 */
export async function checkKnowledge(options: CheckKnowledgeOptions): Promise<KnowledgeCheck> {
  const { adapter, signal, by } = options;
  const context = createCallContext({ path: 'knowledge-check', ...(signal !== undefined && { signal }) });
  const catalog = options.catalog ?? (await adapter.introspect({ context }));
  const loaded = options.knowledge.problems.filter(({ code }) => code !== OF_AN_EARLIER_CHECK);
  const { knowledge, notes } = asOneWorld(options.knowledge);
  const bound = bindKnowledge(knowledge, { catalog, dialect: adapter.dialect });
  const ran = createProblemList();
  const host = openHost(bound, (subject, remark) => ran.add(subject, remark), options);

  checkAlgebra(host);
  checkUnused(host);
  await checkDatasets(host);
  await checkKeys(host);
  await checkJoins(host);
  await checkValues(host);
  await checkFilters(host);
  await checkMetrics(host);
  await checkQueries(host, knowledge.verifiedQueries);

  const findings = [
    ...loaded,
    ...notSaidBefore(bound.problems, loaded),
    ...needsProposals(bound, knowledge),
    ...notes,
    ...findConflicts(knowledge),
    ...ran.problems,
  ];
  const at = new Date((options.now ?? systemRuntime().clock.now)()).toISOString();
  const first = settleEntries(options.knowledge, findings, { at, by });
  const all = [...findings, ...needsFailed(bound, first)];
  return {
    fingerprint: catalog.fingerprint,
    findings: all,
    statements: host.statements,
    skipped: host.skipped,
    ...(all.length === findings.length ? first : settleEntries(options.knowledge, all, { at, by })),
  };
}

/** What holds by itself and needs what failed when it was run. */
function needsFailed(
  { catalog, dialect }: BoundKnowledge,
  settled: Pick<KnowledgeCheck, 'entries' | 'knowledge'>,
): readonly KnowledgeProblem[] {
  const { knowledge } = usableKnowledge(settled.knowledge);
  const accepted = new Set(settled.entries.flatMap(({ id, state }) => (state === 'accepted' ? [id] : [])));
  return bindKnowledge(knowledge, { catalog, dialect }).problems.flatMap((problem) => {
    if (problem.severity !== 'error' || problem.entry === undefined || !accepted.has(problem.entry)) return [];
    const advice = 'What it needs failed in this check: mend that first.';
    return [{ ...problem, code: 'depends-on-broken', advice }];
  });
}

function notSaidBefore(
  problems: readonly KnowledgeProblem[],
  before: readonly KnowledgeProblem[],
): readonly KnowledgeProblem[] {
  const key = ({ entry, place }: KnowledgeProblem): string => `${entry}\n${place.file}`;
  const said = new Set(before.filter(({ severity }) => severity === 'error').map(key));
  return problems.filter((problem) => !(SAID_BY_READERS.has(problem.code) && said.has(key(problem))));
}

/** What is accepted and holds only together with a proposal. */
function needsProposals(whole: BoundKnowledge, knowledge: Knowledge): readonly KnowledgeProblem[] {
  const accepted = withoutProposals(knowledge);
  if (accepted.models.every((model, at) => isSame(model, knowledge.models[at]))) return [];
  const { catalog, dialect } = whole;
  const known = new Set(whole.problems.map(({ entry, code }) => `${entry}\n${code}`));
  return bindKnowledge(accepted, { catalog, dialect }).problems.flatMap((problem) => {
    if (known.has(`${problem.entry}\n${problem.code}`)) return [];
    const advice = 'What it needs is proposed and not accepted yet. Accept that first.';
    return [{ ...problem, code: 'needs-proposal', advice }];
  });
}

type Model = Knowledge['models'][number];

function isSame(one: Model, other: Model | undefined): boolean {
  const lists = ['datasets', 'relationships', 'metrics', 'filters'] as const;
  return one.name === other?.name && lists.every((list) => one[list].length === other[list].length);
}
