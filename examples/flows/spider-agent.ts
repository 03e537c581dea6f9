/**
 * The loop of Spider-Agent (Lei et al., 2024, https://arxiv.org/abs/2411.07763): an agent thinks, runs a statement, is
 * shown the result, and so on until it answers (ReAct, Yao et al. 2022). Each turn is a structured output, so any model
 * can take part, with tools of its own or without. The prompt is our own.
 */
import {
  assistantMessage,
  checkWhole,
  createFlow,
  defineStep,
  defineTask,
  end,
  fence,
  userMessage,
} from '@askema/core';
import {
  cleanSql,
  executeSql,
  type FlowDeps,
  type FlowState,
  getSchema,
  type PromptInput,
  readQuestion,
  recordSpent,
  sqlInput,
  taskMessages,
  text2SqlFlow,
  viewResultOf,
} from '@askema/text2sql';
import * as z from 'zod';

export interface SpiderAgentOptions {
  /** Model calls; the statement of the last one is the answer. Default: 20. */
  readonly maxTurns?: number | undefined;
}

interface Turn {
  readonly thought: string;
  readonly sql: string;
  /** What the statement gave. */
  readonly shown: string;
}

interface SpiderAgentSlice {
  readonly maxTurns: number;
  turns: readonly Turn[];
  /** What the agent thinks now. */
  thought: string;
}
type State = FlowState<SpiderAgentSlice>;
type Deps = FlowDeps<object>;

const turnTask = defineTask({
  id: 'spider-agent.turn',
  version: 1,
  render: (input: PromptInput & Pick<SpiderAgentSlice, 'turns' | 'maxTurns'>) => [
    ...taskMessages(input, {
      job: `You answer the question in turns, ${input.maxTurns} at most. In a turn you say what you know and what you need to know, and then either run a statement to look at the data (\`run_sql\`; you are shown the beginning of its result), or give the statement whose result is the answer (\`answer\`). Look at how values are stored before you compare with them, and run what you mean to answer before you answer it.`,
    }),
    ...input.turns.flatMap(({ thought, sql, shown }) => [
      assistantMessage(JSON.stringify({ thought, action: 'run_sql', sql })),
      userMessage(fence('result', shown)),
    ]),
    ...(input.turns.length + 1 < input.maxTurns ? [] : [userMessage('This is your last turn: answer now.')]),
  ],
  output: z.object({
    thought: z.string().describe('What you know, and what you do next and why.'),
    action: z.enum(['run_sql', 'answer']),
    sql: z.string().describe('One statement that reads, without a trailing semicolon.'),
  }),
});

const step = defineStep<State, Deps>();

const think = step({
  name: 'think',
  actions: ['look', 'answer'],
  prep: (state) => ({ ...readQuestion(state), turns: state.flow.turns, maxTurns: state.flow.maxTurns }),
  exec: async (asked, context) =>
    context.deps.solver.solve(turnTask, await sqlInput(asked, context.deps, context), context),
  post: (state, { turns, maxTurns }, solved) => {
    recordSpent(state, solved);
    const { thought, action, sql } = solved.value;
    state.flow.thought = thought;
    state.explanation = thought.trim() || null;
    state.generatedSql = cleanSql(sql);
    // The last statement is the answer, whatever the agent calls it.
    return action === 'run_sql' && turns.length + 1 < maxTurns ? 'look' : 'answer';
  },
});

const look = step({
  name: 'look',
  prep: (state) => state.generatedSql ?? '',
  // Always for reading, cut to 100 rows and 5,000 characters.
  exec: async (sql, context) => {
    const viewed = await viewResultOf(sql, context);
    return viewed.type === 'view' ? viewed.view : viewed.error.message;
  },
  post: (state, sql, shown) => {
    state.executions += 1;
    state.flow.turns = [...state.flow.turns, { thought: state.flow.thought, sql, shown }];
  },
});

/** After an answer that failed: the agent is told, where a turn is left. */
const tell = step({
  name: 'tell',
  actions: ['again', 'failed'],
  exec: async () => null,
  post: (state) => {
    const { turns, maxTurns, thought } = state.flow;
    if (turns.length + 1 >= maxTurns) return 'failed';
    const shown = state.executionError?.message ?? 'It failed.';
    state.flow.turns = [...turns, { thought, sql: state.generatedSql ?? '', shown }];
    state.executionError = null;
    return 'again';
  },
});

const MAX_STEPS = 10_000; // `maxTurns` bounds the loop; this only has to be above it.

const steps = createFlow<State, Deps>({ name: 'spider-agent', maxSteps: MAX_STEPS })
  .step(getSchema, { default: 'think' })
  .step(think, { look: 'look', answer: 'execute-sql' })
  .step(look, { default: 'think' })
  .step(executeSql, { default: end, error_retry: 'tell', failed: end })
  .step(tell, { again: 'think', failed: end })
  .build();

/**
 * The flow. It only reads.
 *
 * @throws AskemaError `CONFIG_INVALID` for `maxTurns` below 1.
 */
export function spiderAgent({ maxTurns = 20 }: SpiderAgentOptions = {}) {
  checkWhole('spiderAgent.maxTurns', maxTurns);
  return text2SqlFlow({
    flow: steps,
    access: 'read',
    needs: 'model',
    begin: (): SpiderAgentSlice => ({ maxTurns, turns: [], thought: '' }),
    open: (): object => ({}),
    report: ({ flow }) => ({ bestSql: flow.turns.at(-1)?.sql }),
  });
}
