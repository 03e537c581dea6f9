import type { JsonValue } from '@askema/core';
import type { WireProtocol } from './loopback-reply.ts';

/** One message of a conversation, whatever the protocol. */
export interface WireTurn {
  readonly role: string;
  readonly text: string;
  readonly toolCalls: readonly { readonly id: string; readonly name: string; readonly arguments: JsonValue }[];
  readonly toolResults: readonly { readonly id: string; readonly text: string }[];
  /** What came back of the reasoning that the server sent, as it stands in the request. */
  readonly reasoning: readonly JsonValue[];
}

/** A request body read the same way for every protocol. */
export interface WireRequest {
  readonly model: string;
  readonly stream: boolean;
  readonly system: string;
  readonly turns: readonly WireTurn[];
  readonly tools: readonly { readonly name: string; readonly schema: JsonValue }[];
  /** Which tools the model may or must call, in the words of the protocol. */
  readonly toolChoice: JsonValue | undefined;
  /** The schema that answers are held to, natively. */
  readonly outputSchema: JsonValue | undefined;
  readonly settings: Readonly<
    Record<'temperature' | 'topP' | 'maxOutputTokens' | 'stop' | 'seed', JsonValue | undefined>
  >;
}

// Requests come from the provider under test; a field that is not there reads as undefined.
// biome-ignore lint/suspicious/noExplicitAny: a body of any shape
type Body = any;

/** Reads a body of the protocol, and the path where that names the model. */
export function readWireRequest(protocol: WireProtocol, body: Body, path: string): WireRequest {
  const read = {
    chat: readChat,
    responses: readResponses,
    messages: readMessages,
    'generate-content': readGenerateContent,
  }[protocol];
  return read(body, path);
}

function readChat(body: Body): WireRequest {
  const isSystem = (message: Body) => message.role === 'system' || message.role === 'developer';
  return {
    ...common(body),
    system: list(body.messages).filter(isSystem).map(contentText).join('\n'),
    turns: list(body.messages)
      .filter((message) => !isSystem(message))
      .map((message) => ({
        role: message.role,
        text: message.role === 'tool' ? '' : contentText(message),
        toolCalls: list(message.tool_calls).map((call) => ({
          id: call.id,
          name: call.function.name,
          arguments: parsed(call.function.arguments),
        })),
        toolResults: message.role === 'tool' ? [{ id: message.tool_call_id, text: contentText(message) }] : [],
        reasoning: [message.reasoning_content, message.reasoning].filter((value) => value !== undefined),
      })),
    tools: list(body.tools).map((tool) => ({ name: tool.function.name, schema: tool.function.parameters })),
    outputSchema: body.response_format?.json_schema?.schema,
    settings: settings(body, body.max_completion_tokens ?? body.max_tokens, body.stop, body.seed),
  };
}

function readResponses(body: Body): WireRequest {
  const items: Body[] = typeof body.input === 'string' ? [{ role: 'user', content: body.input }] : list(body.input);
  const isSystem = (item: Body) => item.role === 'system' || item.role === 'developer';
  return {
    ...common(body),
    system: [body.instructions, ...items.filter(isSystem).map(contentText)].filter(Boolean).join('\n'),
    turns: items
      .filter((item) => !isSystem(item))
      .map((item) => ({
        role: item.role ?? (item.type === 'function_call_output' ? 'tool' : 'assistant'),
        text: contentText(item),
        toolCalls:
          item.type === 'function_call'
            ? [{ id: item.call_id, name: item.name, arguments: parsed(item.arguments) }]
            : [],
        toolResults: item.type === 'function_call_output' ? [{ id: item.call_id, text: item.output }] : [],
        reasoning: item.type === 'reasoning' ? [item] : [],
      })),
    tools: list(body.tools).map((tool) => ({ name: tool.name, schema: tool.parameters })),
    outputSchema: body.text?.format?.schema,
    settings: settings(body, body.max_output_tokens, undefined, undefined),
  };
}

function readMessages(body: Body): WireRequest {
  return {
    ...common(body),
    system: contentText({ content: body.system }),
    turns: list(body.messages).map((message) => {
      const blocks: Body[] = typeof message.content === 'string' ? [] : list(message.content);
      const ofType = (...types: string[]) => blocks.filter((block) => types.includes(block.type));
      return {
        role: message.role,
        text: contentText(message),
        toolCalls: ofType('tool_use').map(({ id, name, input }) => ({ id, name, arguments: input })),
        toolResults: ofType('tool_result').map((block) => ({ id: block.tool_use_id, text: contentText(block) })),
        reasoning: ofType('thinking', 'redacted_thinking'),
      };
    }),
    tools: list(body.tools).map((tool) => ({ name: tool.name, schema: tool.input_schema })),
    outputSchema: body.output_config?.format?.schema,
    settings: settings(body, body.max_tokens, body.stop_sequences, undefined),
  };
}

function readGenerateContent(body: Body, path: string): WireRequest {
  const { temperature, topP, maxOutputTokens, stopSequences, seed, responseJsonSchema } = body.generationConfig ?? {};
  const [, model = '', method] = /([^/]*):(\w+)$/.exec(path) ?? [];
  return {
    model,
    stream: method === 'streamGenerateContent',
    system: contentText({ content: body.systemInstruction?.parts }),
    turns: list(body.contents).map(({ role, parts }) => ({
      role: role === 'model' ? 'assistant' : role,
      text: contentText({ content: list(parts).filter((part) => part.thought !== true) }),
      toolCalls: list(parts).flatMap(({ functionCall: call }) =>
        call === undefined ? [] : [{ id: call.id, name: call.name, arguments: call.args }],
      ),
      toolResults: list(parts).flatMap(({ functionResponse: result }) =>
        result === undefined ? [] : [{ id: result.id, text: result.response.content }],
      ),
      reasoning: list(parts).filter((part) => part.thoughtSignature !== undefined),
    })),
    tools: list(body.tools)
      .flatMap((tool) => list(tool.functionDeclarations))
      .map((tool) => ({ name: tool.name, schema: tool.parametersJsonSchema ?? tool.parameters })),
    toolChoice: body.toolConfig?.functionCallingConfig,
    outputSchema: responseJsonSchema,
    settings: { temperature, topP, maxOutputTokens, stop: stopSequences, seed },
  };
}

function common(body: Body): Pick<WireRequest, 'model' | 'stream' | 'toolChoice'> {
  return { model: body.model, stream: body.stream === true, toolChoice: body.tool_choice };
}

function settings(body: Body, maxOutputTokens: Body, stop: Body, seed: Body): WireRequest['settings'] {
  return { temperature: body.temperature, topP: body.top_p, maxOutputTokens, stop, seed };
}

function contentText({ content }: Body): string {
  if (typeof content === 'string') return content;
  return list(content)
    .map((part) => part.text ?? '')
    .join('');
}

function list(value: Body): Body[] {
  return Array.isArray(value) ? value : [];
}

function parsed(text: string): JsonValue {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
