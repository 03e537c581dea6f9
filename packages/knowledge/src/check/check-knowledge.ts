import { createCallContext, systemRuntime } from '@askema/core';
import { bindKnowledge } from '../bind/bind-knowledge.ts';
import type { BoundKnowledge } from '../bind/bound-knowledge.ts';
import { createProblemList } from '../bind/problem-list.ts';
import { usableKnowledge } from '../folder/usable-knowledge.ts';
import { entryKey, errorsByEntry } from '../model/entries.ts';
import type { Knowledge, KnowledgeProblem } from '../model/knowledge.ts';
import { listEntries } from '../model/list-entries.ts';
import { isProposal, type Standing } from '../model/standing.ts';
import { checkAlgebra } from './check-algebra.ts';
import { checkDatasets } from './check-datasets.ts';
import { checkFilters } from './check-filters.ts';
import { type CheckHost, createRunner, runnerFor, type StatementRunner } from './check-host.ts';
import { checkJoins, checkKeys } from './check-keys.ts';
import { checkMetrics } from './check-metrics.ts';
import { checkQueries } from './check-queries.ts';
import { checkUnused } from './check-unused.ts';
import { checkValues } from './check-values.ts';
import { findConflicts } from './conflicts/find-conflicts.ts';
import type { CheckKnowledgeOptions, KnowledgeCheck } from './knowledge-check.ts';
import { asOneWorld, ofPerson, withoutProposals } from './one-world.ts';
import { settleEntries } from './settle-entries.ts';

/** Codes of what the readers of files say as well, as far as one file shows it. */
const SAID_BY_READERS: ReadonlySet<string> = new Set(['duplicate-name', 'dialect-twice', 'join-columns']);
/** What an earlier check found is found again, or no longer holds. */
const OF_AN_EARLIER_CHECK = 'check-failed';

/**
 * Holds knowledge against a database, by its form and by running it: sources, keys, joins, values, filters, metrics
 * alone and by fields, verified queries. It only reads, one statement after the other, within caps; what these leave
 * out stands in `skipped`. What is accepted is checked without the proposals, and these as if they were accepted; those of
 * one person without those of another.
 *
 * Rejects with `ABORTED`, and with `DATABASE_*` where the database is gone; other failures are findings.
 */
export async function checkKnowledge(options: CheckKnowledgeOptions): Promise<KnowledgeCheck> {
  const { adapter, signal, by } = options;
  const context = createCallContext({ path: 'knowledge-check', ...(signal !== undefined && { signal }) });
  const catalog = options.catalog ?? (await adapter.introspect({ context }));
  const bind = (knowledge: Knowledge): BoundKnowledge =>
    bindKnowledge(knowledge, { catalog, dialect: adapter.dialect });
  const loaded = options.knowledge.problems.filter(({ code }) => code !== OF_AN_EARLIER_CHECK);
  const knowledge: Knowledge = { ...options.knowledge, problems: loaded };
  const runner = createRunner(options);

  const accepted = bind(withoutProposals(knowledge));
  const ofAccepted = [...accepted.problems, ...(await runAll(runner, accepted, (standing) => !isProposal(standing)))];
  const proposals = await checkProposals(runner, knowledge, bind);

  const findings = [
    ...loaded,
    ...notSaidBefore(proposals === undefined ? ofAccepted : withNeeds(ofAccepted, proposals.shared), loaded),
    ...notSaidBefore(proposals?.findings ?? [], loaded),
    ...findConflicts(proposals?.all ?? knowledge),
  ];
  const at = new Date((options.now ?? systemRuntime().clock.now)()).toISOString();
  const first = settleEntries(knowledge, findings, { at, by });
  const whole = [...findings, ...needsFailed(bind, first)];
  return {
    fingerprint: catalog.fingerprint,
    findings: whole,
    statements: runner.statements,
    skipped: runner.skipped,
    ...(whole.length === findings.length ? first : settleEntries(knowledge, whole, { at, by })),
  };
}

/** What the entries that are wanted do not keep. */
async function runAll(
  runner: StatementRunner,
  bound: BoundKnowledge,
  isWanted: (standing: Standing) => boolean,
): Promise<readonly KnowledgeProblem[]> {
  const found = createProblemList();
  const host: CheckHost = {
    bound,
    isWanted,
    parser: runner.parser,
    signal: runner.signal,
    run: runner.run,
    skip: runner.skip,
    report(subject, remark) {
      if (isWanted(subject.standing)) found.add(subject, remark);
    },
  };
  checkAlgebra(host);
  checkUnused(host);
  await checkDatasets(host);
  await checkKeys(host);
  await checkJoins(host);
  await checkValues(host);
  await checkFilters(host);
  await checkMetrics(host);
  await checkQueries(host);
  return found.problems;
}

async function checkProposals(
  runner: StatementRunner,
  knowledge: Knowledge,
  bind: (knowledge: Knowledge) => BoundKnowledge,
): Promise<
  | {
      readonly findings: readonly KnowledgeProblem[];
      /** With what is proposed to everybody. */
      readonly shared: BoundKnowledge;
      /** With everything that is proposed. */
      readonly all: Knowledge;
    }
  | undefined
> {
  const proposed = listEntries(knowledge).filter(({ standing }) => isProposal(standing));
  if (proposed.length === 0) return undefined;
  const shared = bind(asOneWorld(ofPerson(knowledge, undefined)).knowledge);
  const findings: KnowledgeProblem[] = [];
  for (const [by, entries] of Map.groupBy(proposed, ({ standing }) => standing.by)) {
    const places = new Set(entries.map(({ standing }) => standing.place));
    const world = asOneWorld(ofPerson(knowledge, by));
    const bound = by === undefined ? shared : bind(world.knowledge);
    const said = [...bound.problems, ...world.notes].filter(({ place }) => places.has(place));
    const own = by === undefined ? runner : runnerFor(by, runner);
    findings.push(...said, ...(await runAll(own, bound, (one) => isProposal(one) && one.by === by)));
  }
  return { findings, shared, all: asOneWorld(knowledge).knowledge };
}

function notSaidBefore(
  problems: readonly KnowledgeProblem[],
  before: readonly KnowledgeProblem[],
): readonly KnowledgeProblem[] {
  const said = errorsByEntry(before);
  return problems.filter(({ code, entry, place }) => !(SAID_BY_READERS.has(code) && said.has(entryKey(entry, place))));
}

/** What is accepted and would hold if the proposals were accepted as well. */
function withNeeds(problems: readonly KnowledgeProblem[], all: BoundKnowledge): readonly KnowledgeProblem[] {
  const remaining = new Set(all.problems.map(({ entry }) => entry));
  return problems.map((problem) => {
    const isNeed = /^(unknown-(metric|dataset|field)|depends-on-broken)$/.test(problem.code);
    if (!isNeed || remaining.has(problem.entry)) return problem;
    return { ...problem, code: 'needs-proposal', advice: 'What it needs is only proposed. Accept that first.' };
  });
}

/** What holds by itself and needs what failed when it was run. */
function needsFailed(
  bind: (knowledge: Knowledge) => BoundKnowledge,
  settled: Pick<KnowledgeCheck, 'entries' | 'knowledge'>,
): readonly KnowledgeProblem[] {
  const { knowledge } = usableKnowledge(settled.knowledge);
  const accepted = new Set(settled.entries.flatMap(({ id, state }) => (state === 'accepted' ? [id] : [])));
  return bind(knowledge).problems.flatMap((problem) => {
    if (problem.severity !== 'error' || problem.entry === undefined || !accepted.has(problem.entry)) return [];
    const advice = 'What it needs failed in this check: mend that first.';
    return [{ ...problem, code: 'depends-on-broken', advice }];
  });
}
