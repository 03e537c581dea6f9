import type { LoopbackAnswer } from './loopback-reply.ts';
import { deltasOf, serverSentEvent } from './server-sent-event.ts';

/** Gemini has no refusal of its own: it stops. */
const FINISH = { length: 'MAX_TOKENS', 'content-filter': 'SAFETY', refusal: 'PROHIBITED_CONTENT' } as const;

/** An answer of Gemini (https://ai.google.dev/api/generate-content#v1beta.GenerateContentResponse). */
export function answerGenerateContent(answer: LoopbackAnswer, model: string) {
  return response([...thoughts(answer), ...texts(answer), ...calls(answer)], model, answer);
}

/** The same in pieces, each of them a response; reason and counts stand in the last one. */
export function streamGenerateContent(answer: LoopbackAnswer, model: string): string[] {
  const pieces = [
    ...deltasOf(answer.reasoning ?? '').flatMap((reasoning) => thoughts({ reasoning })),
    ...deltasOf(answer.text ?? '').flatMap((text) => texts({ text })),
    ...calls(answer),
  ];
  return [...pieces.map((part) => response([part], model)), response([], model, answer)].map((event) =>
    serverSentEvent(event),
  );
}

/** With an answer it is the last response, or the only one. */
function response(parts: readonly object[], model: string, answer?: LoopbackAnswer) {
  const end = answer === undefined ? {} : { finishReason: answer.finish ? FINISH[answer.finish] : 'STOP' };
  return {
    candidates: [{ index: 0, content: { role: 'model', parts }, ...end }],
    ...(answer?.usage === undefined ? {} : { usageMetadata: counts(answer.usage) }),
    modelVersion: model,
    responseId: 'response-1',
  };
}

function thoughts({ reasoning }: LoopbackAnswer): object[] {
  return reasoning === undefined ? [] : [{ text: reasoning, thought: true }];
}

function texts({ text }: LoopbackAnswer): object[] {
  return text === undefined ? [] : [{ text }];
}

/** What was thought is signed at the first call (https://ai.google.dev/gemini-api/docs/thought-signatures). */
function calls({ toolCalls = [], reasoning }: LoopbackAnswer): object[] {
  return toolCalls.map(({ id, name, arguments: args }, index) => ({
    functionCall: { id, name, args },
    ...(index === 0 && reasoning !== undefined ? { thoughtSignature: `signature:${reasoning.length}` } : {}),
  }));
}

/** Thoughts are counted apart from the rest of the output. */
function counts(usage: NonNullable<LoopbackAnswer['usage']>) {
  const { inputTokens = 0, outputTokens = 0, cachedInputTokens, reasoningTokens } = usage;
  return {
    promptTokenCount: inputTokens,
    candidatesTokenCount: outputTokens - (reasoningTokens ?? 0),
    totalTokenCount: inputTokens + outputTokens,
    ...(cachedInputTokens === undefined ? {} : { cachedContentTokenCount: cachedInputTokens }),
    ...(reasoningTokens === undefined ? {} : { thoughtsTokenCount: reasoningTokens }),
  };
}
