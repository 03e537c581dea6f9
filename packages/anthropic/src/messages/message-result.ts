import { AskemaError, type FinishReason, type JsonValue, type ModelResult, type Part } from '@askema/core';
import type { AnthropicSettings } from '../anthropic-settings.ts';
import { messageUsage } from '../usage.ts';
import type { AnswerBlock, MessageAnswer } from './message-answer.ts';
import type { OutputPlan } from './output-plan.ts';

const STOP_REASONS: Readonly<Record<string, FinishReason>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool-calls',
  refusal: 'refusal',
};

/** What the result is made with, beside the message. */
export interface ResultContext {
  readonly settings: AnthropicSettings;
  readonly plan: OutputPlan;
  readonly warnings: readonly string[];
}

/** A message as a result. Throws `MODEL_REQUEST_FAILED` when the answer is no message. */
export function messageResult(answer: unknown, { settings, plan, warnings }: ResultContext): ModelResult {
  const message = checked(answer, settings);
  const content = (message.content ?? []).map((block) => partOf(block, settings.provider, plan));
  return {
    content,
    finishReason: { unified: finishReason(message, content), raw: message.stop_reason ?? undefined },
    usage: messageUsage(message.usage),
    warnings: [...warnings, ...refusalDetails(message)],
    ...(message.id === undefined ? {} : { responseId: message.id }),
    ...(message.model === undefined ? {} : { modelId: message.model }),
  };
}

function checked(answer: unknown, settings: AnthropicSettings): MessageAnswer {
  const message = typeof answer === 'object' && answer !== null ? (answer as MessageAnswer) : {};
  if (Array.isArray(message.content)) return message;
  throw new AskemaError(
    'MODEL_REQUEST_FAILED',
    `The answer of ${settings.provider}:${settings.model} at ${settings.url} is no message: it has no \`content\`. Check \`baseURL\`; it ends before /v1.`,
  );
}

function partOf(block: AnswerBlock, provider: string, plan: OutputPlan): Part {
  const vendor = { provider, data: block as unknown as JsonValue };
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text ?? '' };
    case 'thinking':
      return { type: 'reasoning', text: block.thinking ?? '', vendor };
    case 'tool_use':
      return plan.way === 'tool' && block.name === plan.tool ? answerPart(block) : toolCallPart(block);
    default:
      return { type: 'vendor', vendor };
  }
}

/** The answer that came by a tool is the text of the result. */
function answerPart(block: AnswerBlock): Part {
  return { type: 'text', text: block.invalidInput ?? JSON.stringify(block.input ?? {}) };
}

function toolCallPart(block: AnswerBlock): Part {
  return {
    type: 'tool-call',
    id: block.id ?? '',
    name: block.name ?? '',
    ...(block.invalidInput === undefined
      ? { arguments: (block.input ?? {}) as JsonValue }
      : { invalidArguments: block.invalidInput }),
  };
}

function finishReason(message: MessageAnswer, content: readonly Part[]): FinishReason {
  const unified = STOP_REASONS[message.stop_reason ?? ''] ?? 'other';
  const calls = content.some((part) => part.type === 'tool-call');
  // An answer that came by a tool is no call; some servers call a call `end_turn`.
  if (unified === 'tool-calls' && !calls) return 'stop';
  return unified === 'stop' && calls ? 'tool-calls' : unified;
}

function refusalDetails({ stop_details: details }: MessageAnswer): string[] {
  if (!details?.category && !details?.explanation) return [];
  return [`The model refused: ${[details.category, details.explanation].filter(Boolean).join(': ')}`];
}
