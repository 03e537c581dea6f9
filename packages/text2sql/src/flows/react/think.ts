import {
  AskemaError,
  assistantMessage,
  defineStep,
  type GenerateSqlOutput,
  type Message,
  modelName,
  type StepContext,
  type ToolCallPart,
  userMessage,
} from '@askema/core';
import { cleanSql } from '../../prompts/clean-sql.ts';
import {
  NOTHING_SPENT,
  type QuestionData,
  readQuestion,
  recordSpent,
  type Spent,
  sqlInput,
  withWarnings,
} from '../../question/question-input.ts';
import { acceptOutput } from '../../steps/accept-output.ts';
import { callModel, requireModel } from '../../steps/call-model.ts';
import { type ChosenReading, chosenReading } from '../../steps/chosen-reading.ts';
import type { AgentCall, ReactDeps, ReactState } from './react-state.ts';
import {
  EXECUTE_SQL,
  executeSqlArguments,
  REACT_TOOLS,
  reactPrompt,
  TERMINATE,
  terminateArguments,
} from './tasks/react-turn.ts';

/** What a turn starts from. */
export interface ThinkInput {
  readonly asked: QuestionData;
  readonly messages: readonly Message[];
  readonly turns: number;
  readonly maxTurns: number;
  /** What was chosen when the question was asked back: the answer, without a turn. */
  readonly chosen: ChosenReading | undefined;
}

/** One turn of the agent: what it said, and what it wants done. */
export interface AgentTurn {
  /** What the conversation gains: the prompt at the first turn, a reminder, the answer. */
  readonly messages: readonly Message[];
  readonly calls: readonly AgentCall[];
  /** The answer, when it terminates. */
  readonly answer?: GenerateSqlOutput | undefined;
  readonly spent: Spent;
}

/** Tool calls of one turn that are carried out. */
const MAX_CALLS_PER_TURN = 4;

const LAST_TURN = `This is your last turn. Call \`${TERMINATE}\` now, with the best statement that you have.`;
const NO_CALL = `Call \`${EXECUTE_SQL}\` to look at the database, or \`${TERMINATE}\` to answer.`;

/**
 * A turn of the agent of the `react` flow. Ends the flow as `exhausted` when `maxTurns` are used up, and as `declined`
 * when the model terminates without a statement. A reading that was chosen before is the answer, and no model is asked.
 */
export const think = defineStep<ReactState, ReactDeps>()({
  name: 'think',
  actions: ['explore', 'answer', 'declined', 'exhausted'],
  prep: (state): ThinkInput => ({
    asked: readQuestion(state),
    messages: state.flow.messages,
    turns: state.flow.turns,
    maxTurns: state.flow.maxTurns,
    chosen: chosenReading(state),
  }),
  exec: (input, context): Promise<AgentTurn | null> => takeTurn(input, context),
  post: (state, _input, turn) => {
    const { flow: agent } = state;
    if (turn === null) {
      const message = `The agent used its ${agent.turns} turns without an answer; allow more with \`maxTurns\`.`;
      state.generatedSql = agent.lastGoodSql;
      state.verdict = { type: 'budgetExceeded', error: new AskemaError('BUDGET_EXCEEDED', message).toJSON() };
      return 'exhausted';
    }
    recordSpent(state, turn.spent);
    agent.messages = [...agent.messages, ...turn.messages];
    agent.turns += turn.spent.calls > 0 ? 1 : 0;
    agent.pending = turn.calls;
    if (turn.answer === undefined) return 'explore';
    return acceptOutput(state, turn.answer) === 'declined' ? 'declined' : 'answer';
  },
});

async function takeTurn(input: ThinkInput, context: StepContext<ReactDeps>): Promise<AgentTurn | null> {
  const { deps } = context;
  if (input.chosen !== undefined) return turnOf(input.chosen, deps.solver.name);
  const left = input.maxTurns - input.turns;
  if (left <= 0) return null;
  const model = requireModel(deps, 'react');
  const ask = async (begun: readonly Message[]): Promise<AgentTurn> => {
    const added = left === 1 ? [...begun, userMessage(LAST_TURN)] : begun;
    const messages = [...input.messages, ...added];
    const turn = model.capabilities.tools === false ? sayTurn(messages, context) : callTurn(messages, context);
    const { messages: said, ...rest } = await turn;
    return { ...rest, messages: [...added, ...said] };
  };
  if (input.messages.length > 0) return ask([]);
  const prompt = await sqlInput(input.asked, deps, context);
  const { answer, warnings } = await deps.fitSchema(prompt, context, (fitted) => ask(reactPrompt(fitted)));
  return { ...answer, spent: withWarnings(answer.spent, warnings) };
}

function turnOf({ sql, meaning, solvedBy }: ChosenReading, solver: string): AgentTurn {
  const answer: GenerateSqlOutput = { outcome: 'sql', sql, explanation: meaning, not_understood: [] };
  return { messages: [], calls: [], answer, spent: { ...NOTHING_SPENT, solvedBy: solvedBy ?? solver } };
}

/** With native tool calls. */
async function callTurn(messages: readonly Message[], context: StepContext<ReactDeps>): Promise<AgentTurn> {
  const model = requireModel(context.deps, 'react');
  const result = await callModel(model, { messages, tools: REACT_TOOLS }, context);
  const parts = result.content.filter((part) => part.type === 'tool-call');
  const spent: Spent = {
    usage: result.usage,
    calls: 1,
    solvedBy: result.answeredBy ?? modelName(model),
    warnings: result.warnings,
  };
  // An answer without content is no message that a provider would take back.
  const said: Message[] = result.content.length === 0 ? [] : [{ role: 'assistant', content: result.content }];
  if (parts.length === 0) return { messages: [...said, userMessage(NO_CALL)], calls: [], spent };
  const read = parts.map(readCall);
  const answer = read.flatMap((call) => call.answer ?? [])[0];
  return { messages: said, calls: read.map(({ call }) => call), answer, spent };
}

function readCall(part: ToolCallPart, position: number): { call: AgentCall; answer?: GenerateSqlOutput | undefined } {
  const { id, name } = part;
  const invalid = (problem: string): { call: AgentCall } => ({ call: { id, name, type: 'invalid', problem } });
  if (part.invalidArguments !== undefined) return invalid('The arguments are no valid JSON.');
  if (name === TERMINATE) {
    const parsed = terminateArguments.safeParse(part.arguments);
    if (!parsed.success) return invalid(`The arguments do not fit: ${parsed.error.issues.map(describe).join('; ')}`);
    return { call: { id, name, type: 'terminate' }, answer: parsed.data };
  }
  if (name !== EXECUTE_SQL) return invalid(`There is no tool of this name. ${NO_CALL}`);
  if (position >= MAX_CALLS_PER_TURN) return invalid(`Only ${MAX_CALLS_PER_TURN} statements are run in one turn.`);
  const parsed = executeSqlArguments.safeParse(part.arguments);
  if (!parsed.success) return invalid(`The arguments do not fit: ${parsed.error.issues.map(describe).join('; ')}`);
  return { call: { id, name, type: 'execute', sql: cleanSql(parsed.data.sql) } };
}

function describe(issue: { readonly path: readonly PropertyKey[]; readonly message: string }): string {
  return `${issue.path.map(String).join('.') || 'arguments'}: ${issue.message}`;
}

/** With structured text, for models that say they have no tools. */
async function sayTurn(messages: readonly Message[], context: StepContext<ReactDeps>): Promise<AgentTurn> {
  const { solver, own } = context.deps;
  const { value, ...spent } = await solver.solve(own.tasks.reactTurn, { messages }, context);
  const said = [assistantMessage(JSON.stringify(value))];
  if (value.action === EXECUTE_SQL) {
    const call: AgentCall = { id: undefined, name: EXECUTE_SQL, type: 'execute', sql: cleanSql(value.sql) };
    return { messages: said, calls: [call], spent };
  }
  const { outcome, sql, explanation, not_understood, other_readings } = value;
  const call: AgentCall = { id: undefined, name: TERMINATE, type: 'terminate' };
  return {
    messages: said,
    calls: [call],
    answer: { outcome, sql, explanation, not_understood, other_readings },
    spent,
  };
}
