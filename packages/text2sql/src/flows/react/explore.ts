import {
  defineStep,
  fence,
  type Message,
  type SerializedError,
  type StepContext,
  type ToolResultPart,
  userMessage,
} from '@askema/core';
import { viewResultOf } from '../../steps/view-result.ts';
import type { AgentCall, ReactDeps, ReactSlice, ReactState } from './react-state.ts';

/** What became of one call of the agent, as it is told. */
export interface ShownResult {
  readonly text: string;
  readonly isError: boolean;
  readonly wasSent: boolean;
  /** The statement that ran. */
  readonly sql?: string | undefined;
}

/**
 * Runs what the agent wants to see, always as statements that read, and shows it results that are cut to 100 rows and
 * 5,000 characters.
 */
export const explore = defineStep<ReactState, ReactDeps>()({
  name: 'explore',
  prep: (state) => state.flow.pending,
  exec: (calls, context): Promise<readonly ShownResult[]> => exploreAll(calls, context),
  post: (state, calls, explored) => {
    state.executions += explored.filter((one) => one.wasSent).length;
    for (const [position, call] of calls.entries()) {
      const good = explored[position]?.isError === false ? explored[position].sql : undefined;
      if (call.type === 'execute' && good !== undefined) state.flow.lastGoodSql = good;
    }
    answerCalls(state.flow, (_call, position) => explored[position] ?? { text: '', isError: true });
  },
});

/** After a final statement that failed: tells the agent why, so that it can go on. */
export const reportFailure = defineStep<ReactState, ReactDeps>()({
  name: 'report-failure',
  prep: (state) => ({ error: state.executionError }),
  exec: async () => null,
  post: (state, { error }) => {
    const text = `The final statement failed:\n${fence('error', errorText(error))}`;
    answerCalls(state.flow, (call) =>
      call.type === 'terminate' ? { text, isError: true } : { text: 'Not run, because you terminated.', isError: true },
    );
    state.executionError = null;
  },
});

async function exploreAll(
  calls: readonly AgentCall[],
  context: StepContext<ReactDeps>,
): Promise<readonly ShownResult[]> {
  const explored: ShownResult[] = [];
  for (const call of calls) {
    if (call.type === 'execute') explored.push(await look(call.sql, context));
    else {
      const text = call.type === 'invalid' ? call.problem : 'Not run.';
      explored.push({ text, isError: true, wasSent: false });
    }
  }
  return explored;
}

async function look(sql: string, context: StepContext<ReactDeps>): Promise<ShownResult> {
  if (sql === '') return { text: 'There is no statement to run.', isError: true, wasSent: false };
  const viewed = await viewResultOf(sql, context);
  return viewed.type === 'view'
    ? { text: fence('result', viewed.view), isError: false, wasSent: true, sql: viewed.sql }
    : { text: fence('error', errorText(viewed.error.toJSON())), isError: true, wasSent: true };
}

function errorText(error: SerializedError | null): string {
  if (error === null) return 'It failed.';
  const { nearestNames } = error.details;
  const near =
    nearestNames === undefined || nearestNames.length === 0 ? '' : `\nNear names: ${nearestNames.join(', ')}`;
  return `${error.message}${near}`;
}

/** Gives every pending call its result: providers refuse a conversation in which one is missing. */
function answerCalls(
  agent: ReactSlice,
  resultOf: (call: AgentCall, position: number) => { readonly text: string; readonly isError: boolean },
): void {
  const results: ToolResultPart[] = [];
  const said: Message[] = [];
  for (const [position, call] of agent.pending.entries()) {
    const { text, isError } = resultOf(call, position);
    if (call.id === undefined) said.push(userMessage(text));
    else results.push({ type: 'tool-result', toolCallId: call.id, name: call.name, text, isError });
  }
  const answers: Message[] = results.length === 0 ? said : [{ role: 'tool', content: results }, ...said];
  agent.messages = [...agent.messages, ...answers];
  agent.pending = [];
}
