import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { AskemaError, type JsonValue } from '@askema/core';
import { answerChat, streamChat } from './chat-wire.ts';
import { answerGenerateContent, streamGenerateContent } from './generate-content-wire.ts';
import { listenOnLoopback } from './listen-on-loopback.ts';
import type { LoopbackAnswer, LoopbackReply, WireProtocol } from './loopback-reply.ts';
import { answerMessages, streamMessages } from './messages-wire.ts';
import { answerResponses, streamResponses } from './responses-wire.ts';
import { wireFailure, wireFailureEvent } from './wire-failure.ts';
import { readWireRequest, type WireRequest } from './wire-request.ts';

/** A request that reached the server. */
export interface LoopbackRequest extends WireRequest {
  readonly protocol: WireProtocol;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The body as it was sent. */
  readonly body: JsonValue;
  /**
   * Resolves when the exchange is over: `answered`, or `cut` when the connection closed before the answer was finished.
   */
  readonly ended: Promise<'answered' | 'cut'>;
}

export interface LoopbackModelServer extends AsyncDisposable {
  /** `http://127.0.0.1:port`; OpenAI's protocols are found below `/v1`. */
  readonly origin: string;
  readonly requests: readonly LoopbackRequest[];
  /** Adds to the script: one reply a request. A request without a reply is answered with HTTP 500. */
  reply(...replies: readonly LoopbackReply[]): void;
  /** The request with this 0-based index, as soon as it is there. */
  received(index: number): Promise<LoopbackRequest>;
  close(): Promise<void>;
}

const JSON_TYPE = { 'content-type': 'application/json' };

const PROTOCOLS: readonly (readonly [suffix: string, protocol: WireProtocol])[] = [
  ['/chat/completions', 'chat'],
  ['/responses', 'responses'],
  ['/messages', 'messages'],
  [':generateContent', 'generate-content'],
  [':streamGenerateContent', 'generate-content'],
];

/**
 * Starts a server on the loopback interface that answers from a script in the protocols that model servers speak:
 * by the path, and as a stream where the request asks for one. It needs no vendor's package.
 */
export async function loopbackModelServer(): Promise<LoopbackModelServer> {
  const script: LoopbackReply[] = [];
  const requests: LoopbackRequest[] = [];
  const waiting: (() => void)[] = [];
  const server = createServer((incoming, outgoing) => {
    // A client that goes away is what some tests are about.
    outgoing.on('error', () => {});
    void readRequest(incoming, outgoing).then(
      (request) => {
        const reply = script.shift();
        requests.push(request);
        for (const wake of waiting.splice(0)) wake();
        return send(outgoing, request, reply);
      },
      (error: Error) => outgoing.writeHead(404, JSON_TYPE).end(JSON.stringify({ error: { message: error.message } })),
    );
  });
  const listening = await listenOnLoopback(server);
  return {
    ...listening,
    requests,
    reply: (...replies) => void script.push(...replies),
    async received(index) {
      for (;;) {
        const request = requests[index];
        if (request !== undefined) return request;
        await new Promise<void>((wake) => waiting.push(wake));
      }
    },
  };
}

async function readRequest(incoming: IncomingMessage, outgoing: ServerResponse): Promise<LoopbackRequest> {
  const ended = new Promise<'answered' | 'cut'>((resolve) => {
    outgoing.on('close', () => resolve(outgoing.writableEnded ? 'answered' : 'cut'));
  });
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const path = incoming.url?.split('?')[0] ?? '';
  const protocol = PROTOCOLS.find(([suffix]) => path.endsWith(suffix))?.[1];
  if (protocol === undefined)
    throw new AskemaError('INPUT_INVALID', `The loopback model server does not know ${incoming.method} ${path}.`);
  const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as JsonValue;
  return { ...readWireRequest(protocol, body, path), protocol, path, headers: incoming.headers, body, ended };
}

async function send(
  outgoing: ServerResponse,
  request: LoopbackRequest,
  reply: LoopbackReply | undefined,
): Promise<void> {
  if (reply === undefined) {
    outgoing
      .writeHead(500, JSON_TYPE)
      .end('{"error":{"message":"The script of the loopback model server is at its end."}}');
  } else if (reply.kind === 'failure') {
    const { status, body } = wireFailure(request.protocol, reply.failure, reply.message);
    outgoing.writeHead(status, { ...JSON_TYPE, ...reply.headers }).end(body);
  } else if (reply.kind === 'body') {
    outgoing.writeHead(200, { 'content-type': reply.contentType ?? 'application/json' }).end(reply.body);
  } else if (reply.kind === 'drop') {
    outgoing.socket?.destroy();
  } else if (reply.kind === 'answer') {
    await sendAnswer(outgoing, request, reply);
  }
}

async function sendAnswer(
  outgoing: ServerResponse,
  request: LoopbackRequest,
  reply: Extract<LoopbackReply, { kind: 'answer' }>,
): Promise<void> {
  const answer = reportsUsage(request) ? reply.answer : { ...reply.answer, usage: undefined };
  const { body, events } = wireAnswer(request.protocol, answer, request.model);
  if (!request.stream) {
    outgoing.writeHead(200, JSON_TYPE);
    await writePieces(outgoing, body, reply.pieceBytes);
    outgoing.end();
    return;
  }
  outgoing.writeHead(200, { 'content-type': 'text/event-stream' });
  const half = events.slice(0, Math.ceil(events.length / 2)).join('');
  await writePieces(outgoing, reply.fault === undefined ? events.join('') : half, reply.pieceBytes);
  if (reply.fault === 'drop') outgoing.socket?.destroy();
  else if (reply.fault === 'error') outgoing.end(wireFailureEvent(request.protocol, 'server-error'));
  else if (reply.fault !== 'hang') outgoing.end();
}

/** Streams of chat completions count tokens only when they are asked to. */
function reportsUsage({ protocol, stream, body }: LoopbackRequest): boolean {
  const options = (body as { stream_options?: { include_usage?: boolean } }).stream_options;
  return protocol !== 'chat' || !stream || options?.include_usage === true;
}

/** Each piece is a chunk of its own on the wire, so that the client sees the cuts. */
async function writePieces(outgoing: ServerResponse, text: string, pieceBytes: number | undefined): Promise<void> {
  const bytes = Buffer.from(text, 'utf8');
  const size = pieceBytes ?? Math.max(1, bytes.length);
  for (let start = 0; start < bytes.length && !outgoing.destroyed; start += size)
    await new Promise<void>((resolve) => outgoing.write(bytes.subarray(start, start + size), () => resolve()));
}

/** The body of an answer, and its server-sent events, in the protocol's own words. */
function wireAnswer(
  protocol: WireProtocol,
  answer: LoopbackAnswer,
  model: string,
): { readonly body: string; readonly events: readonly string[] } {
  const write = {
    chat: { body: answerChat, events: streamChat },
    responses: { body: answerResponses, events: streamResponses },
    messages: { body: answerMessages, events: streamMessages },
    'generate-content': { body: answerGenerateContent, events: streamGenerateContent },
  }[protocol];
  return { body: JSON.stringify(write.body(answer, model)), events: write.events(answer, model) };
}
