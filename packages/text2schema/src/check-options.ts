import {
  AskemaError,
  checkChoice,
  checkNumber,
  checkWhole,
  isLanguageModel,
  type LanguageModel,
  type Solver,
} from '@askema/core';
import { artefactProblems } from './intake/artefact-problems.ts';
import {
  type DesignArtefacts,
  PRESET_NAMES,
  ROLE_IDS,
  type SchemaRole,
  STRATEGY_NAMES,
  type StrategyName,
} from './model/index.ts';
import {
  CONCEPTUAL_MODEL_TASK_ID,
  COUNTER_EXAMPLES_TASK_ID,
  DRAFT_TASK_ID,
  LOGICAL_DESIGN_TASK_ID,
  REPORT_TASK_ID,
  REQUIREMENT_TESTS_TASK_ID,
  REVIEW_TASK_ID,
  TEST_PLAN_TASK_ID,
  TEST_REPORT_TASK_ID,
} from './tasks/index.ts';
import type { Text2SchemaOptions } from './text2schema-options.ts';

/** The least that each number may be. */
const NUMBERS = {
  maxRounds: 1,
  maxInnerRounds: 1,
  maxAttempts: 1,
  maxRequirementTokens: 200,
} as const satisfies Partial<Record<keyof Text2SchemaOptions, number>>;

/**
 * Checks what the types cannot.
 *
 * @throws AskemaError `CONFIG_INVALID` for numbers out of range, and options that do not go together.
 */
export function checkOptions(options: Text2SchemaOptions): void {
  checkSolver('model', options.model);
  for (const [role, model] of Object.entries(options.models ?? {}))
    if (model !== undefined) checkSolver(`models.${role}`, model);
  if (options.administrator !== undefined && options.administrator !== 'forward')
    checkSolver('administrator', options.administrator);
  if (options.strategy !== undefined) checkChoice('strategy', options.strategy, STRATEGY_NAMES);
  if (options.preset !== undefined) checkChoice('preset', options.preset, PRESET_NAMES);
  const { strategy = 'schema-agent', preset = 'tested', administrator = 'forward' } = options;
  if (strategy === 'schema-agent' && preset === 'tested' && administrator !== 'forward')
    throw new AskemaError(
      'CONFIG_INVALID',
      "`administrator` belongs to `preset: 'paper'`: in `tested`, code decides who speaks next. Leave it out, or take that preset.",
    );
  checkSupported(options);
  for (const [name, least] of Object.entries(NUMBERS)) {
    const value = options[name as keyof typeof NUMBERS];
    if (value !== undefined) checkWhole(name, value, least);
  }
  if (options.temperature !== undefined) checkNumber('temperature', options.temperature, 0, 2);
  if (options.topP !== undefined) checkNumber('topP', options.topP, 0, 1);
}

/** What each role is asked. */
const ROLE_TASKS: Readonly<Record<SchemaRole, string>> = {
  'product-manager': REPORT_TASK_ID,
  'conceptual-designer': CONCEPTUAL_MODEL_TASK_ID,
  'conceptual-reviewer': REVIEW_TASK_ID,
  'logical-designer': LOGICAL_DESIGN_TASK_ID,
  'qa-engineer': TEST_PLAN_TASK_ID,
  'test-executor': TEST_REPORT_TASK_ID,
};

/** The same in the preset `tested`; the test executor is code there. */
const TESTED_TASKS: Readonly<Partial<Record<SchemaRole, string>>> = {
  'product-manager': REPORT_TASK_ID,
  'logical-designer': DRAFT_TASK_ID,
  'qa-engineer': REQUIREMENT_TESTS_TASK_ID,
  'conceptual-reviewer': COUNTER_EXAMPLES_TASK_ID,
};

/** A solver that answers other tasks is told of now, not after the first turn. */
function checkSupported({ model, models = {}, strategy = 'schema-agent', preset }: Text2SchemaOptions): void {
  const tasks = preset === 'paper' ? ROLE_TASKS : TESTED_TASKS;
  const asked: readonly (readonly [LanguageModel | Solver, string])[] =
    strategy === 'schema-agent'
      ? ROLE_IDS.flatMap((role) => {
          const task = tasks[role];
          return task === undefined ? [] : [[models[role] ?? model, task] as const];
        })
      : [[model, `text2schema.${strategy}`]];
  for (const [solver, task] of asked) {
    if (isLanguageModel(solver) || solver.supports(task)) continue;
    throw new AskemaError(
      'CONFIG_INVALID',
      `${solver.name} cannot answer \`${task}\`, which this strategy asks. Pass a language model, or a solver of the tasks \`text2schema.*\`.`,
    );
  }
}

/** @throws AskemaError `INPUT_INVALID` for artefacts that have another form, and where the strategy has no phases. */
export function checkArtefacts(strategy: StrategyName, artefacts: DesignArtefacts | undefined): void {
  const given = Object.entries(artefacts ?? {}).filter(([, part]) => part !== undefined);
  if (given.length === 0) return;
  if (strategy !== 'schema-agent') {
    throw new AskemaError(
      'INPUT_INVALID',
      `\`artefacts\` are given, but the strategy \`${strategy}\` has no phases to go on behind. Use \`schema-agent\`, or leave them out.`,
    );
  }
  for (const [name, part] of given) {
    const problems = artefactProblems(name as keyof DesignArtefacts, part);
    if (problems.length > 0) {
      const where = `\`artefacts.${name}\``;
      throw new AskemaError(
        'INPUT_INVALID',
        `${where} cannot be worked with: ${problems.join('; ')}. Mend it, or leave it out.`,
      );
    }
  }
}

function checkSolver(name: string, model: LanguageModel | Solver): void {
  if (isLanguageModel(model) || typeof (model as Partial<Solver> | undefined)?.solve === 'function') return;
  throw new AskemaError(
    'CONFIG_INVALID',
    `\`${name}\` is neither a language model nor a solver; see @askema/openai, or give a model of the AI SDK to \`fromAiSdk\` of @askema/ai-sdk.`,
  );
}
