import { type Message, type ModelResult, type ToolDefinition, textOf, userMessage } from '@askema/core';
import { expect } from 'vitest';
import { answering, eventsOf, type ModelCase, requestOf, resultOf, withoutVendor } from './model-bench.ts';

const EXECUTE: ToolDefinition = {
  name: 'execute_sql',
  description: 'Runs a statement.',
  parameters: {
    type: 'object',
    properties: { sql: { type: 'string' } },
    required: ['sql'],
    additionalProperties: false,
  },
};
const CALL = { id: 'toolu_1', name: 'execute_sql', arguments: { sql: 'SELECT "ü"' } };

/** The next request of a tool loop: what was said, what the model answered, and the results of its calls. */
function continued(first: readonly Message[], { content }: ModelResult): Message[] {
  const results = content.flatMap((part) =>
    part.type === 'tool-call'
      ? [{ type: 'tool-result' as const, toolCallId: part.id, name: part.name, text: `result of ${part.id}` }]
      : [],
  );
  return [...first, { role: 'assistant', content }, { role: 'tool', content: results }];
}

/** Tools, and reasoning that must survive between their calls. */
export const TOOL_CASES = {
  /** The definition reaches the model, the call comes back parsed. */
  async 'tool-call'({ server, model }) {
    server.reply(answering({ text: 'Let me look.', toolCalls: [CALL] }));
    const result = await model.generate(requestOf({ tools: [EXECUTE] }));
    expect(server.requests[0]?.tools).toMatchObject([{ name: 'execute_sql', schema: EXECUTE.parameters }]);
    expect(result.content.map(withoutVendor)).toEqual([
      { type: 'text', text: 'Let me look.' },
      { type: 'tool-call', ...CALL },
    ]);
    expect(result.finishReason.unified).toBe('tool-calls');
  },

  /** Calls and results find each other in the next request, several at a time. */
  async 'tool-loop'({ server, model }) {
    const second = { ...CALL, id: 'toolu_2', arguments: {} };
    server.reply(answering({ toolCalls: [CALL, second] }), answering({ text: 'Twelve.' }));
    const messages = [userMessage('How many?')];
    const first = await model.generate(requestOf({ messages, tools: [EXECUTE] }));
    const next = await model.generate(requestOf({ messages: continued(messages, first), tools: [EXECUTE] }));
    expect(textOf(next.content)).toBe('Twelve.');
    const turns = server.requests[1]?.turns ?? [];
    expect(turns.flatMap((turn) => turn.toolCalls)).toEqual([CALL, second]);
    expect(turns.flatMap((turn) => turn.toolResults)).toEqual([
      { id: 'toolu_1', text: 'result of toolu_1' },
      { id: 'toolu_2', text: 'result of toolu_2' },
    ]);
  },

  /** A choice of tool is passed on, or a warning says that it was not. */
  async 'tool-choice'({ server, model }) {
    server.reply(answering({ toolCalls: [CALL] }), answering({ text: 'no tool' }));
    const forced = await model.generate(requestOf({ tools: [EXECUTE], toolChoice: { name: 'execute_sql' } }));
    const none = await model.generate(requestOf({ tools: [EXECUTE], toolChoice: 'none' }));
    const choices = server.requests.map(({ toolChoice }) => JSON.stringify(toolChoice));
    expect(choices[0] ?? forced.warnings.join()).toMatch(/execute_sql|tool/);
    expect(choices[1] ?? none.warnings.join()).toMatch(/none|tool/i);
  },

  /** Reasoning is kept apart from the text. */
  async reasoning({ server, model }) {
    server.reply(answering({ reasoning: 'Count the rows.', text: 'Twelve.' }));
    const result = await model.generate(requestOf());
    expect(textOf(result.content)).toBe('Twelve.');
    expect(result.content[0]).toMatchObject({ type: 'reasoning', text: 'Count the rows.' });
  },

  /**
   * Reasoning and what the vendor signed it with go back unchanged within a tool loop, also when it was streamed and
   * journalled.
   */
  async 'reasoning-round-trip'({ server, model }) {
    const answer = { reasoning: 'Count the rows.', toolCalls: [CALL] };
    for (const streamed of [false, true]) {
      server.reply(answering(answer), answering({ text: 'Twelve.' }));
      const messages = [userMessage('How many?')];
      const request = requestOf({ messages, tools: [EXECUTE] });
      const first = streamed ? resultOf(await eventsOf(model, request)) : await model.generate(request);
      const journalled = JSON.parse(JSON.stringify(first)) as ModelResult;
      await model.generate(requestOf({ messages: continued(messages, journalled), tools: [EXECUTE] }));
      const sent = server.requests.at(-1)?.turns.flatMap((turn) => turn.reasoning) ?? [];
      expect(sent).toHaveLength(1);
      expect(sent[0]).toEqual(SIGNED_REASONING[server.requests[0]?.protocol ?? 'chat']);
    }
  },
} satisfies Record<string, ModelCase>;

/** What the loopback server sends for the reasoning above, by protocol. */
const SIGNED_REASONING = {
  chat: 'Count the rows.',
  responses: {
    id: 'rs_1',
    type: 'reasoning',
    summary: [{ type: 'summary_text', text: 'Count the rows.' }],
    encrypted_content: 'encrypted:15',
  },
  messages: { type: 'thinking', thinking: 'Count the rows.', signature: 'signature:15' },
  'generate-content': {
    functionCall: { id: CALL.id, name: CALL.name, args: CALL.arguments },
    thoughtSignature: 'signature:15',
  },
};
