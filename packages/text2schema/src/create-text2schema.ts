import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import {
  AskemaError,
  countTokensRoughly,
  createRunLife,
  type Flow,
  type LiveRun,
  memoryJournal,
  type RunEnd,
  systemRuntime,
} from '@askema/core';
import { schemaAgent } from './agent/schema-agent.ts';
import { testedAgent } from './agent/tested/tested-agent.ts';
import { baselineFlow } from './baselines/baseline-flow.ts';
import { checkArtefacts, checkOptions } from './check-options.ts';
import type { DesignDeps } from './design-deps.ts';
import { createDesignState, type DesignSettings, type DesignState } from './design-state.ts';
import { readRequirement } from './intake/read-requirement.ts';
import type { DesignOutcome } from './model/index.ts';
import { outcomeOf, outcomeTypeOf } from './outcome/outcome-of.ts';
import { roleSolvers } from './role-solvers.ts';
import type { Spent } from './spending.ts';
import type { DesignOptions, Text2Schema, Text2SchemaOptions } from './text2schema-options.ts';

const DEFAULTS = { maxRounds: 15, maxInnerRounds: 6, maxRequirementTokens: 12_000 } as const;

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
 * @throws AskemaError `CONFIG_INVALID` for options that contradict each other, and numbers out of range.
 */
export function createText2Schema(options: Text2SchemaOptions): Text2Schema {
  checkOptions(options);
  const strategy = options.strategy ?? 'schema-agent';
  const settings = settingsOf(options);
  const { scratch, onQuestion, onPhase } = options;
  const solversOfRun = roleSolvers(options);
  const maxTokens = options.maxRequirementTokens ?? DEFAULTS.maxRequirementTokens;
  const countTokens = options.countTokens ?? countTokensRoughly;
  const runtime = systemRuntime(options.runtime);
  const life = createRunLife<DesignState, DesignDeps>({
    flow: flowOf(options, settings),
    // A run that stops to ask has to be remembered until it is answered.
    journal: options.journal ?? (settings.stopOnContradiction ? memoryJournal() : undefined),
    runtime,
    owner: 'createText2Schema',
    outcomeOf: outcomeTypeOf,
    checkSame: checkSameRequirement,
  });

  /**
   * Runs a design to its outcome. Whatever goes wrong on the way is in the outcome, with all that was made until then.
   */
  const toOutcome = async (
    runId: string,
    { signal, tags, onEvent }: DesignOptions,
    start: (run: LiveRun<DesignState, DesignDeps>) => Promise<RunEnd<DesignState>>,
  ): Promise<DesignOutcome> => {
    const open = new Set<Spent>();
    const end = await start({
      runId,
      signal,
      tags,
      listeners: [options.onEvent, onEvent],
      open: () => ({ solvers: solversOfRun(), scratch, onQuestion, onPhase, open }),
    });
    const elapsedMs = runtime.clock.now() - end.startedAt;
    return structuredClone(outcomeOf({ ...end, unrecorded: [...open], elapsedMs }));
  };

  return {
    async design(text, design = {}) {
      const requirement = readRequirement(text, { maxTokens, countTokens });
      checkArtefacts(strategy, design.artefacts);
      const state = createDesignState({ requirement, strategy, settings, artefacts: design.artefacts });
      const isNamed = design.runId !== undefined;
      return toOutcome(design.runId ?? `design-${randomUUID()}`, design, (run) => life.begin(state, run, { isNamed }));
    },

    async resume(runId, { answers, ...resume } = {}) {
      const answer = answers?.map((each) => each ?? null);
      return toOutcome(runId, resume, (run) => life.resume(run, { answer }));
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
    asks: options.onQuestion !== undefined || options.stopOnContradiction === true,
    preset: options.preset ?? 'tested',
    mutationCheck: switches.mutationCheck ?? true,
  };
}

function flowOf(options: Text2SchemaOptions, settings: DesignSettings): Flow<DesignState, DesignDeps, string> {
  const { strategy = 'schema-agent', administrator } = options;
  if (strategy !== 'schema-agent') return baselineFlow(strategy);
  if (settings.preset === 'tested') return testedAgent({ settings });
  return schemaAgent({
    settings,
    maxInnerRounds: options.maxInnerRounds ?? DEFAULTS.maxInnerRounds,
    hasAdministrator: administrator !== undefined && administrator !== 'forward',
  });
}

function checkSameRequirement(recorded: Readonly<DesignState>, state: Readonly<DesignState>, runId: string): void {
  const hasOthers = Object.keys(state.artefacts).length > 0 && !isDeepStrictEqual(state.artefacts, recorded.artefacts);
  if (state.requirement === recorded.requirement && !hasOthers) return;
  throw new AskemaError(
    'INPUT_INVALID',
    `Run \`${runId}\` is there already, with ${hasOthers ? 'other artefacts' : 'another requirement'}: ${JSON.stringify(recorded.requirement.slice(0, 200))}. Use another run id.`,
  );
}
