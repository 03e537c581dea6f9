import type { LanguageModel, Message } from '@askema/core';

/** A model that answers the task of the plain flow with the SQL of a function, and keeps no requests. */
export function scriptedModel(sqlOf: (messages: readonly Message[]) => string | Promise<string>): LanguageModel {
  return {
    contract: 1,
    provider: 'scripted',
    modelId: 'scripted',
    capabilities: { structuredOutput: true, tools: true },
    async generate({ messages }) {
      const json = {
        outcome: 'sql',
        sql: await sqlOf(messages),
        explanation: 'As it was asked.',
        not_understood: [],
        expand: [],
      };
      return {
        content: [{ type: 'text', text: JSON.stringify(json) }],
        finishReason: { unified: 'stop', raw: undefined },
        usage: { inputTokens: 1_500, outputTokens: 80, cachedInputTokens: 0, reasoningTokens: 0 } as never,
        warnings: [],
        modelId: 'scripted',
      };
    },
  };
}
