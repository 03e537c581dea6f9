import {
  APICallError,
  type InferUITools,
  isStepCount,
  JSONParseError,
  RetryError,
  ToolLoopAgent,
  TypeValidationError,
  type UIMessage,
} from 'ai';
import { model, tools } from './store.ts';

export const agent = new ToolLoopAgent({
  id: 'store-agent',
  model,
  tools,
  instructions: [
    'You answer questions about a store. Use `ask` for each of them, and SQL of your own only where it cannot help.',
    'The page shows the rows of each tool. Say in a few sentences what they mean; do not list them again.',
    'If a tool asks back, put its question and its choices to the person and stop.',
    'Where they go on without choosing, take the first choice, and say so.',
    'Write plain text, without Markdown.',
  ].join('\n'),
  stopWhen: isStepCount(8),
  onError: ({ error }) => console.error(reasonOf(error)),
  telemetry: { functionId: 'store-agent', recordInputs: false, recordOutputs: false },
});

/** A message as the page shows it, with the tools' names, inputs and outputs. */
export type AgentMessage = UIMessage<unknown, never, InferUITools<typeof tools>>;

/** For the log. What a server says may repeat the key and the prompt, or be an answer: its status is enough. */
function reasonOf(error: unknown): string {
  if (RetryError.isInstance(error)) return reasonOf(error.lastError);
  if (JSONParseError.isInstance(error) || TypeValidationError.isInstance(error))
    return "The model's server gave an answer that cannot be read.";
  const status = APICallError.isInstance(error) ? error.statusCode : undefined;
  return status === undefined ? String(error) : `The model's server answered ${status}.`;
}
