import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import {
  AskemaError,
  countTokensRoughly,
  decodeValue,
  type EventSink,
  type Flow,
  type Journal,
  memoryJournal,
  type RunOptions,
  systemRuntime,
  toAskemaError,
} from '@askema/core';
import { schemaAgent } from './agent/schema-agent.ts';
import { baselineFlow } from './baselines/baseline-flow.ts';
import { checkArtefacts, checkOptions } from './check-options.ts';
import type { DesignDeps } from './design-deps.ts';
import { createDesignState, type DesignSettings, type DesignState } from './design-state.ts';
import { readRequirement } from './intake/read-requirement.ts';
import { runDesign } from './outcome/run-design.ts';
import { roleSolvers } from './role-solvers.ts';
import type { DesignOptions, Text2Schema, Text2SchemaOptions } from './text2schema-options.ts';

const DEFAULTS = { maxRounds: 15, maxInnerRounds: 6, maxRequirementTokens: 12_000 } as const;

type StartFlow = (
  deps: DesignDeps,
  options: Required<Pick<RunOptions<DesignState>, 'onEvent' | 'onState'>>,
) => ReturnType<Flow<DesignState, DesignDeps, string>['run']>;

/**
 * Puts a model and a strategy together:
 *
 * ```ts
 * const scratch = () => {
 *   const file = join(mkdtempSync(join(tmpdir(), 'design-')), 'scratch.sqlite');
 *   writeFileSync(file, '');
 *   return sqlite({ file, access: 'write' });
 * };
 * const text2schema = createText2Schema({ model: openai({ model: 'gpt-5-mini' }), scratch });
 * const outcome = await text2schema.design('Students enrol in courses …');
 * if (outcome.type === 'designed') console.log(outcome.schema, outcome.accepted);
 * ```
 *
 * @throws AskemaError `CONFIG_INVALID` for options that contradict each other, `INPUT_INVALID` for numbers out of range.
 */
export function createText2Schema(options: Text2SchemaOptions): Text2Schema {
  checkOptions(options);
  const strategy = options.strategy ?? 'schema-agent';
  const settings = settingsOf(options);
  const runtime = systemRuntime(options.runtime);
  const depsOfRun = depsSource(options);
  const flow = flowOf(options, settings);
  // A run that stops to ask has to be remembered until it is answered.
  const journal = options.journal ?? (settings.stopOnContradiction ? memoryJournal() : undefined);
  const maxTokens = options.maxRequirementTokens ?? DEFAULTS.maxRequirementTokens;
  const countTokens = options.countTokens ?? countTokensRoughly;

  const run = (
    runId: string,
    state: DesignState,
    onEvent: EventSink | undefined,
    start: StartFlow,
  ): ReturnType<typeof runDesign> => {
    const deps = depsOfRun();
    const listeners = [options.onEvent, onEvent];
    return runDesign({ deps, runId, state, runtime, listeners, start: (listening) => start(deps, listening) });
  };

  const resumeFrom = (
    runId: string,
    state: DesignState,
    from: Journal,
    { signal, tags, onEvent }: DesignOptions,
    answers: readonly (string | undefined)[] | undefined,
  ) => {
    const answer = answers?.map((each) => each ?? null);
    return run(runId, state, onEvent, (deps, listening) =>
      flow.resume(runId, deps, { signal, tags, runtime, journal: from, answer, ...listening }),
    );
  };

  return {
    async design(text, design = {}) {
      const requirement = readRequirement(text, { maxTokens, countTokens });
      checkArtefacts(strategy, design.artefacts);
      const runId = design.runId ?? `design-${randomUUID()}`;
      const state = createDesignState({ requirement, strategy, settings, artefacts: design.artefacts });
      const { signal, tags, onEvent } = design;
      if (journal !== undefined && design.runId !== undefined) {
        const begun = await beginning(journal, runId).catch((thrown: unknown) => toAskemaError(thrown));
        if (begun instanceof Error) return run(runId, state, onEvent, () => Promise.reject(begun));
        if (begun !== undefined) {
          checkSameRequirement(state, begun, runId);
          return resumeFrom(runId, begun, journal, design, undefined);
        }
      }
      return run(runId, state, onEvent, (deps, listening) =>
        flow.run(state, deps, { signal, tags, runtime, runId, journal, ...listening }),
      );
    },

    async resume(runId, { answers, ...resume } = {}) {
      if (journal === undefined)
        throw new AskemaError('CONFIG_INVALID', 'There is no journal to resume from; pass one to createText2Schema.');
      const state = await beginning(journal, runId);
      if (state === undefined) throw new AskemaError('INPUT_INVALID', `The journal has no run \`${runId}\`.`);
      return resumeFrom(runId, state, journal, resume, answers);
    },
  };
}

function settingsOf({ switches = {}, ...options }: Text2SchemaOptions): DesignSettings {
  return {
    maxRounds: options.maxRounds ?? DEFAULTS.maxRounds,
    productManager: switches.productManager ?? true,
    reviewer: switches.reviewer ?? true,
    tests: switches.tests ?? true,
    errorRoutes: switches.errorRoutes ?? true,
    explicitConstraints: options.explicitConstraints ?? false,
    stopOnContradiction: options.stopOnContradiction ?? false,
  };
}

function flowOf(options: Text2SchemaOptions, settings: DesignSettings): Flow<DesignState, DesignDeps, string> {
  const { strategy = 'schema-agent', administrator } = options;
  if (strategy !== 'schema-agent') return baselineFlow(strategy);
  return schemaAgent({
    settings,
    maxInnerRounds: options.maxInnerRounds ?? DEFAULTS.maxInnerRounds,
    hasAdministrator: administrator !== undefined && administrator !== 'forward',
  });
}

/** What the steps work with; a budget of limits is new for each run. */
function depsSource(options: Text2SchemaOptions): () => DesignDeps {
  const solversOfRun = roleSolvers(options);
  const { scratch, onQuestion, onPhase } = options;
  return () => ({ solvers: solversOfRun(), scratch, onQuestion, onPhase, open: new Set() });
}

/** The state with which a recorded run began. */
async function beginning(journal: Journal, runId: string): Promise<DesignState | undefined> {
  const [first] = await journal.read(runId);
  return first?.kind === 'run' ? (decodeValue(first.state) as DesignState) : undefined;
}

function checkSameRequirement(state: DesignState, recorded: DesignState, runId: string): void {
  const hasOthers = Object.keys(state.artefacts).length > 0 && !isDeepStrictEqual(state.artefacts, recorded.artefacts);
  if (state.requirement === recorded.requirement && !hasOthers) return;
  throw new AskemaError(
    'INPUT_INVALID',
    `Run \`${runId}\` is there already, with ${hasOthers ? 'other artefacts' : 'another requirement'}: ${JSON.stringify(recorded.requirement.slice(0, 200))}. Use another run id.`,
  );
}
