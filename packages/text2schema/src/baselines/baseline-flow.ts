import {
  type ChatToolCall,
  createFlow,
  defineStep,
  end,
  type Flow,
  type JsonValue,
  type Solver,
  type StepContext,
  solveWithTools,
  type Task,
} from '@askema/core';
import { type DesignDeps, showPhase, withMeter } from '../design-deps.ts';
import { addWarnings, type DesignState } from '../design-state.ts';
import { editedDesign } from '../mapping/check-design.ts';
import { designOfNamed } from '../mapping/index.ts';
import type { DesignFinding, LogicalDesign, NamedSchema, StrategyName } from '../model/index.ts';
import { addSpent } from '../spending.ts';
import {
  type BaselineInput,
  type BaselineOutput,
  chainOfThoughtTask,
  DESIGN_TOOLS,
  fewShotTask,
  guidedTask,
  oneShotTask,
  singleAgentTask,
} from '../tasks/index.ts';
import { namedSchemaText } from '../texts/index.ts';

/**
 * The strategies that ask one model for the whole schema: those of the paper (SchemaAgent, section 5.4), and two of our
 * own.
 */
export type BaselineName = Exclude<StrategyName, 'schema-agent'>;

interface Answer {
  readonly schema: NamedSchema;
  readonly thinking: string;
  readonly design: LogicalDesign;
  readonly toolCalls: readonly ChatToolCall[];
}

const TASKS: Readonly<Record<Exclude<BaselineName, 'single-agent'>, Task<BaselineInput, BaselineOutput>>> = {
  'one-shot': oneShotTask,
  'chain-of-thought': chainOfThoughtTask,
  'few-shot': fewShotTask,
  guided: guidedTask,
};

/**
 * A baseline as a flow of one step, over the state that SchemaAgent has. What is wrong with its schema becomes
 * warnings.
 */
export function baselineFlow(name: BaselineName): Flow<DesignState, DesignDeps, string> {
  const step = defineStep<DesignState, DesignDeps>()({
    name: 'design',
    prep: ({ parts }): BaselineInput => ({ requirement: parts[0] ?? '' }),
    exec: (input, context) =>
      withMeter(context, context.deps.solvers.main, (solver) => answerOf(name, input, solver, context)),
    post: (state, _input, { value, spent }) => {
      addSpent(state.spent, spent);
      const { design, schema, thinking, toolCalls } = value;
      addWarnings(state, design.findings.map(warningOf));
      state.artefacts = { ...state.artefacts, design };
      const conceptual = { entitySets: [], relationshipSets: [] };
      state.candidates = [{ conceptual, design, testReport: undefined }];
      state.chat.messages.push({
        number: state.chat.messages.length + 1,
        chat: name,
        round: 1,
        from: name,
        to: 'all',
        text: namedSchemaText(schema),
        data: { thinking, schema } as unknown as JsonValue,
        kind: 'end',
        ...(toolCalls.length === 0 ? {} : { toolCalls }),
      });
    },
  });
  return createFlow<DesignState, DesignDeps>({ name }).step(step, { default: end }).build();
}

async function answerOf(
  name: BaselineName,
  input: BaselineInput,
  solver: Solver,
  context: StepContext<DesignDeps>,
): Promise<Answer> {
  const { value, toolCalls } =
    name === 'single-agent'
      ? await solveWithTools(solver, singleAgentTask, input, DESIGN_TOOLS, {}, context)
      : { ...(await solver.solve(TASKS[name], input, context)), toolCalls: [] };
  const { schema, thinking } = value;
  const design = designOfNamed(schema);
  const shown = await showPhase(context, 'logical', { design });
  const edited = shown.design ?? design;
  const isSame = JSON.stringify(edited) === JSON.stringify(design);
  return { schema, thinking, toolCalls, design: isSame ? design : editedDesign(edited) };
}

function warningOf({ severity, code, subject, message }: DesignFinding): string {
  return `${severity} ${code}${subject === '' ? '' : ` (${subject})`}: ${message}`;
}
