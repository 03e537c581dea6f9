import type { EventSink } from '@askema/core';
import type { ServerContext } from '@modelcontextprotocol/server';

/**
 * Tells the client which step runs, where it asked for progress. Only names of steps and counts leave: no rows, prompts
 * or SQL.
 */
export function progressOf({ mcpReq }: ServerContext): EventSink | undefined {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let progress = 0;
  let modelCalls = 0;
  const tell = (message: string): void => {
    progress += 1;
    const params = { progressToken, progress, message };
    // A client that has gone is told by the signal.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
  return (event) => {
    if (event.type === 'step-started') tell(event.step.replaceAll('-', ' '));
    if (event.type !== 'call' || event.call !== 'model-call' || event.data.sent === false) return;
    modelCalls += 1;
    tell(`${modelCalls} model ${modelCalls === 1 ? 'call' : 'calls'}`);
  };
}
