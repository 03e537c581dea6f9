import type { LanguageModel, ModelRequest } from '@askema/core';
import { describe, expect, test } from 'vitest';
import { loopbackModelServer } from '../loopback/index.ts';
import { ANSWER_CASES } from './answer-cases.ts';
import { mayFail } from './describe-model.ts';
import { FAILURE_CASES } from './failure-cases.ts';
import type { ModelCase } from './model-bench.ts';
import { STREAM_CASES } from './stream-cases.ts';
import { TOOL_CASES } from './tool-cases.ts';

test('an expected failure that passes fails; one that fails passes; others are as they are', async () => {
  await expect(mayFail('text', 'no reason', async () => {})).rejects.toThrow(/"text" passes.*no reason/);
  await mayFail('text', 'cannot', () => Promise.reject(new Error('no')));
  await expect(mayFail('text', undefined, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await mayFail('text', undefined, async () => {});
});

/**
 * Talks to the server, but badly: no deadline, no signal, no error handling, no streams, guesses where it does not
 * know.
 */
function carelessModel(origin: string): LanguageModel {
  return {
    contract: 1,
    provider: 'careless',
    modelId: 'm',
    capabilities: {},
    async generate(request: ModelRequest) {
      const messages = request.messages.map(({ role }) => ({ role, content: 'x' }));
      const response = await fetch(`${origin}/v1/chat/completions`, {
        method: 'POST',
        body: JSON.stringify({ model: 'm', messages }),
      });
      const body = (await response.json()) as { choices?: { message?: { content?: string } }[] };
      return {
        content: [{ type: 'text', text: body.choices?.[0]?.message?.content ?? '' }],
        finishReason: { unified: 'stop', raw: undefined },
        usage: { inputTokens: 0, outputTokens: 0 },
        warnings: [],
      };
    },
  };
}

describe('a careless model fails every case', () => {
  const cases = Object.entries<ModelCase>({ ...ANSWER_CASES, ...TOOL_CASES, ...STREAM_CASES, ...FAILURE_CASES });
  // These would wait for an abort or a deadline that a careless model does not know.
  const hanging = new Set(['abort', 'deadline']);

  test.each(cases.filter(([id]) => !hanging.has(id)))('%s', async (_id, run) => {
    await using server = await loopbackModelServer();
    const create = () => carelessModel(server.origin);
    await expect(run({ server, create, model: create() })).rejects.toThrow();
  });
});
