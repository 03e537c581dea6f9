import { iterateEvents } from '@askema/core';
import type { Tool, ToolContext, ToolReply } from '../contract.ts';

/** A step that a tool began; the first of a call has the name of the tool. */
export interface ToolStep {
  readonly state: 'working';
  readonly step: string;
}

/** Calls a tool: gives each step that begins, and in the end the reply. Whoever leaves early stops the call. */
export async function* stepsOfCall(
  tool: Tool,
  input: unknown,
  { signal, ...context }: ToolContext,
): AsyncGenerator<ToolStep, ToolReply<unknown>, undefined> {
  const left = new AbortController();
  const signals = signal === undefined ? [left.signal] : [left.signal, signal];
  const run = iterateEvents((onEvent) => tool.call(input, { ...context, signal: AbortSignal.any(signals), onEvent }));
  try {
    yield { state: 'working', step: tool.name };
    for await (const event of run) if (event.type === 'step-started') yield { state: 'working', step: event.step };
    return await run.result;
  } finally {
    left.abort();
  }
}
