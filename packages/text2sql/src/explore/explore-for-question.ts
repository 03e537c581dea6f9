import { defineStep, type StepContext } from '@askema/core';
import {
  distinctProbes,
  EXPLORATION_PRESETS,
  type ExplorationLimits,
  type Probe,
  probeRules,
  runProbes,
  servicesOf,
} from '@askema/grounding';
import type { QuestionDeps } from '../question/question-deps.ts';
import { type QuestionData, readQuestion, recordCost, sqlInput } from '../question/question-input.ts';
import type { QuestionState } from '../question/question-state.ts';
import { EXPLORATION_TASKS, type Exploration, type ExplorationInput, type ProfileTaken } from './exploration.ts';
import { ask, cleanProbes, type ProbeHostInput, probeHost } from './probe-host.ts';
import { resolveRelevant } from './resolve-relevant.ts';
import type { ExplorationPromptInput } from './tasks/explore-columns.ts';

const NO_PROFILE: ProfileTaken = { text: '', attributes: [], nested: [], executions: 0, warnings: [] };

/** Kinds of ready probes that tell more than a profile does. */
const BEYOND_PROFILE: ReadonlySet<string> = new Set(['jsonFields', 'elements']);

/**
 * Profiles of what a question seems to be about, taken without any model. The result is journaled. Several explorations
 * of one question may share it.
 */
export function profileForQuestion(
  input: Pick<ExplorationInput, 'question' | 'evidence' | 'catalog' | 'values'>,
  context: StepContext<QuestionDeps>,
): Promise<ProfileTaken> {
  const { adapter } = context.deps;
  const about = [input.question, input.evidence ?? ''].join('\n');
  const take = async (): Promise<ProfileTaken> => {
    const { clock } = context.runtime;
    const mentioned = [...new Set((input.values ?? []).map(({ attribute }) => attribute))];
    const explored = await servicesOf(adapter).explorer.explore(input.catalog, about, { context, clock, mentioned });
    const nested = explored.attributes.filter((id) => explored.profiles[id]?.text?.holds === 'JSON');
    const { text, attributes, executions, warnings } = explored;
    return { text, attributes, nested, executions, warnings };
  };
  return context.memo('profile', take, { key: `${input.catalog.fingerprint} ${about}` });
}

/**
 * Explores the columns that a question may need (ReFoRCE, section 3.2.3): profiles without a model, then statements of
 * a model's choice, executed and corrected by Algorithm 1. What a statement or an answer of the model lacks is left out
 * with a warning.
 *
 * Rejects with `ABORTED`, `BUDGET_EXCEEDED`, and with errors of the model or the database that are no fault of a
 * statement.
 */
export async function exploreForQuestion(
  input: ExplorationInput,
  context: StepContext<QuestionDeps>,
): Promise<Exploration> {
  const { deps } = context;
  const limits = input.limits ?? EXPLORATION_PRESETS.askema;
  const profile = input.profile === false ? NO_PROFILE : (input.profile ?? (await profileForQuestion(input, context)));
  // What was taken before was counted there.
  const isTakenHere = input.profile === undefined;
  const host: ProbeHostInput = {
    prompt: promptOf(input, profile, context),
    limits,
    solver: input.solver ?? deps.solver,
    tasks: { ...EXPLORATION_TASKS, ...input.tasks },
    cost: { calls: 0, usage: {}, warnings: isTakenHere ? [...profile.warnings] : [] },
  };
  const written = await writeProbes(host, input.thread, context);
  const queue = fillUp(written.probes, profile, written.attributes, limits, input, context);
  const done = await runProbes(queue, probeRules(limits, deps.adapter.dialect), probeHost(host, context));
  const { calls, usage, warnings } = host.cost;
  return {
    thread: input.thread,
    relevant: written.relevant,
    findings: done.findings,
    notRun: done.notRun.map(({ purpose }) => purpose),
    profile: profile.text,
    stopped: queue.length === 0 ? undefined : done.reason,
    calls,
    usage,
    executions: (isTakenHere ? profile.executions : 0) + done.counts.executions,
    warnings,
  };
}

function promptOf(
  input: ExplorationInput,
  profile: ProfileTaken,
  { deps, runtime }: StepContext<QuestionDeps>,
): ExplorationPromptInput & { readonly dialect: QuestionDeps['adapter']['dialect'] } {
  return {
    question: input.question,
    catalog: input.catalog,
    dialect: deps.adapter.dialect,
    schemaText: input.schemaText,
    evidence: input.evidence ?? undefined,
    documents: input.documents ?? undefined,
    values: input.values ?? [],
    extraColumns: input.extraColumns,
    today: input.today ?? new Date(runtime.clock.now()).toISOString().slice(0, 10),
    allowWrite: false,
    profile: profile.text,
  };
}

type WrittenProbes = Pick<Exploration, 'relevant'> & {
  readonly probes: readonly Probe[];
  /** Ids of what is relevant. */
  readonly attributes: readonly string[];
};

/** Asks for relevant attributes and probes, and again as long as there are too few. */
async function writeProbes(
  host: ProbeHostInput,
  thread: number,
  context: StepContext<QuestionDeps>,
): Promise<WrittenProbes> {
  const { prompt, limits, solver, tasks, cost } = host;
  if (!solver.supports(tasks.exploreColumns.id)) return { relevant: [], probes: [], attributes: [] };
  const named: Parameters<typeof resolveRelevant>[0][number][] = [];
  let probes: readonly Probe[] = [];
  for (let asked = 0; asked <= limits.maxAsks; asked += 1) {
    const { minProbes } = limits;
    const maxProbes = Math.min(limits.maxProbes, limits.maxResults);
    const request = { ...prompt, thread, minProbes, maxProbes, earlier: probes };
    const { value } = await ask(host, tasks.exploreColumns, request, context);
    if (value === undefined) break;
    named.push(...value.relevant);
    const before = probes.length;
    probes = distinctProbes([...probes, ...cleanProbes(value.probes)]);
    if (probes.length >= minProbes || probes.length === before) break;
  }
  const { relevant, unknown } = resolveRelevant(named, prompt.catalog, prompt.dialect);
  if (unknown > 0)
    cost.warnings.push(`The exploration named ${unknown} relations or attributes that the catalog does not know.`);
  return { relevant, probes, attributes: relevant.flatMap(({ attributeIds }) => attributeIds) };
}

/**
 * Ready probes take the places that the model left empty, and stand alone where it wrote none: those that tell more than
 * the profile, and all where there is none.
 */
function fillUp(
  probes: readonly Probe[],
  profile: ProfileTaken,
  relevant: readonly string[],
  limits: ExplorationLimits,
  { catalog }: ExplorationInput,
  { deps }: StepContext<QuestionDeps>,
): readonly Probe[] {
  const least = probes.length === 0 ? Math.max(READY_PROBES, limits.minProbes) : limits.minProbes;
  const missing = Math.min(least, limits.maxProbes) - probes.length;
  if (missing <= 0) return probes;
  const attributes = relevant.length > 0 ? relevant : profile.attributes;
  const ready = servicesOf(deps.adapter)
    .explorer.probes(attributes, { catalog, nested: profile.nested })
    .filter(({ kind }) => profile.text === '' || BEYOND_PROFILE.has(kind));
  return distinctProbes([...probes, ...ready.slice(0, missing).map(({ sql, purpose }) => ({ sql, purpose }))]);
}

/** Ready probes where no model wrote any. */
const READY_PROBES = 10;

/** Where {@link exploreColumns} leaves its {@link Exploration} in `state.extras`. */
export const EXPLORATION_KEY = 'exploration';

/** Options of {@link exploreColumnsStep}. */
export interface ExploreColumnsOptions {
  readonly limits?: ExplorationLimits | undefined;
  readonly thread?: number | undefined;
}

/** A step that explores the columns a question may need, for flows of one's own; stands behind GetSchema. */
export function exploreColumnsStep({ limits, thread = 0 }: ExploreColumnsOptions = {}) {
  return defineStep<QuestionState, QuestionDeps>()({
    name: 'explore-columns',
    prep: readQuestion,
    exec: async (asked: QuestionData, context: StepContext<QuestionDeps>): Promise<Exploration> => {
      const input = await sqlInput(asked, context.deps, context);
      return exploreForQuestion({ ...input, thread, limits }, context);
    },
    post: (state, _asked, exploration) => {
      state.extras[EXPLORATION_KEY] = exploration;
      recordCost(state, exploration);
      state.executions += exploration.executions;
    },
  });
}

/** {@link exploreColumnsStep} with its defaults. */
export const exploreColumns = exploreColumnsStep();
