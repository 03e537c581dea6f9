import { assistantMessage, type JsonSchema, systemMessage, textOf, userMessage } from '@askema/core';
import { expect } from 'vitest';
import { answering, type ModelCase, requestOf, withoutVendor } from './model-bench.ts';

const SCHEMA: JsonSchema = {
  type: 'object',
  properties: { sql: { type: 'string' }, sure: { type: 'boolean' } },
  required: ['sql', 'sure'],
  additionalProperties: false,
};

/** What a model answers when nothing goes wrong. */
export const ANSWER_CASES = {
  /** A plain text comes back with its finish reason and the vendor's own word for it. */
  async text({ server, model }) {
    server.reply(answering({ text: 'Twelve.' }));
    const result = await model.generate(requestOf());
    expect(result.content.map(withoutVendor)).toEqual([{ type: 'text', text: 'Twelve.' }]);
    expect(result.finishReason.unified).toBe('stop');
    expect(result.finishReason.raw).toEqual(expect.any(String));
    expect(server.requests[0]?.model).toBe(model.modelId);
    expect(server.requests[0]?.turns).toMatchObject([{ role: 'user', text: 'How many customers are there?' }]);
  },

  /** Instructions go where the protocol wants them. */
  async system({ server, model }) {
    server.reply(answering({ text: 'SELECT 1' }));
    await model.generate(requestOf({ messages: [systemMessage('You write SQL.'), userMessage('Hello')] }));
    expect(server.requests[0]?.system).toBe('You write SQL.');
    expect(server.requests[0]?.turns.map(({ role, text }) => [role, text])).toEqual([['user', 'Hello']]);
  },

  /** A conversation keeps its order and its roles. */
  async 'multi-turn'({ server, model }) {
    server.reply(answering({ text: 'c' }));
    const messages = [userMessage('a'), assistantMessage('b'), userMessage('And now?')];
    await model.generate(requestOf({ messages }));
    expect(server.requests[0]?.turns.map(({ role, text }) => [role, text])).toEqual([
      ['user', 'a'],
      ['assistant', 'b'],
      ['user', 'And now?'],
    ]);
  },

  /** Text in many scripts arrives as it was sent, both ways. */
  async unicode({ server, model }) {
    const text = 'Zażółć 東京 🦊👩‍👩‍👧 \u0000-free "quoted" \\ ünïcode';
    server.reply(answering({ text }, { pieceBytes: 3 }));
    const result = await model.generate(requestOf({ messages: [userMessage(text)] }));
    expect(textOf(result.content)).toBe(text);
    expect(server.requests[0]?.turns[0]?.text).toBe(text);
  },

  /** The provider's native structured output is asked for, and the answer is its JSON. */
  async 'structured-output'({ server, model }) {
    const json = '{"sql":"SELECT 1","sure":true}';
    server.reply(answering({ text: json }));
    const result = await model.generate(requestOf({ output: { name: 'askema.test answer', schema: SCHEMA } }));
    expect(textOf(result.content)).toBe(json);
    expect(result.finishReason.unified).toBe('stop');
    expect(server.requests[0]?.outputSchema).toMatchObject({ ...SCHEMA });
  },

  /** An answer that hits the limit says so. */
  async 'stop-reasons'({ server, model }) {
    server.reply(answering({ text: 'SELECT', finish: 'length' }), answering({ text: 'S', finish: 'content-filter' }));
    const cut = await model.generate(requestOf({ maxOutputTokens: 64 }));
    expect(cut.finishReason.unified).toBe('length');
    expect(textOf(cut.content)).toBe('SELECT');
    expect(server.requests[0]?.settings.maxOutputTokens).toBe(64);
    const filtered = await model.generate(requestOf());
    expect(['content-filter', 'refusal']).toContain(filtered.finishReason.unified);
  },

  /** A refusal is a result, no error and no ordinary answer. */
  async refusal({ server, model }) {
    server.reply(answering({ text: 'I cannot help with that.', finish: 'refusal' }));
    const result = await model.generate(requestOf());
    expect(result.finishReason.unified).toBe('refusal');
  },

  /** Every count is passed on; the cached part is a part of the input. */
  async usage({ server, model }) {
    const usage = { inputTokens: 100, outputTokens: 20, cachedInputTokens: 64, reasoningTokens: 8 };
    server.reply(answering({ text: 'Twelve.', usage }));
    expect((await model.generate(requestOf())).usage).toMatchObject(usage);
  },

  /** A count that the server does not give is unknown, not 0. */
  async 'unknown-usage'({ server, model }) {
    server.reply(answering({ text: 'Twelve.' }));
    const { usage } = await model.generate(requestOf());
    expect(Object.values(usage).filter((count) => count !== undefined)).toEqual([]);
  },

  /** A setting is sent, or a warning names it: none is lost silently. */
  async settings({ server, model }) {
    server.reply(answering({ text: 'Twelve.' }));
    const asked = { temperature: 0.5, topP: 0.9, stop: ['END'], seed: 7 };
    const { warnings } = await model.generate(requestOf({ ...asked, maxOutputTokens: 99 }));
    const sent = server.requests[0]?.settings;
    expect(sent?.maxOutputTokens).toBe(99);
    for (const name of ['temperature', 'topP', 'stop', 'seed'] as const) {
      const told = warnings.some((warning) => (name === 'topP' ? /top_?p/i : new RegExp(name)).test(warning));
      expect([name, told ? 'told' : sent?.[name]]).toEqual([name, told ? 'told' : asked[name]]);
    }
  },

  /** Provider options go into the body as they are. */
  async 'provider-options'({ server, model }) {
    server.reply(answering({ text: 'Twelve.' }));
    const own = { metadata: { user_id: 'u-1' } };
    await model.generate(
      requestOf({ providerOptions: { [model.provider]: own, other: { metadata: { user_id: 'no' } } } }),
    );
    expect(server.requests[0]?.body).toMatchObject(own);
  },
} satisfies Record<string, ModelCase>;
