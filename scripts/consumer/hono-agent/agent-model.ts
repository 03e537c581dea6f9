import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listenOnLoopback } from '../../../packages/testkit/src/model/loopback/listen-on-loopback.ts';
import type { LoopbackAnswer } from '../../../packages/testkit/src/model/loopback/loopback-reply.ts';
import { answerResponses, streamResponses } from '../../../packages/testkit/src/model/loopback/responses-wire.ts';
import { wireFailure } from '../../../packages/testkit/src/model/loopback/wire-failure.ts';
import { readWireRequest } from '../../../packages/testkit/src/model/loopback/wire-request.ts';

/** What the model does for the application's agent, one after the other. */
type AgentTurn =
  | { readonly call: string; readonly input: Readonly<Record<string, string>> }
  /** Goes on after the first half once `speakOn` is called. */
  | { readonly says: string }
  /** HTTP 401 that repeats the key. */
  | { readonly refuses: true };

export interface AgentModel {
  close(): Promise<void>;
  /** The address for `OPENAI_BASE_URL`. */
  readonly baseUrl: string;
  /** What the agent's model does from now on. */
  script(...turns: readonly AgentTurn[]): void;
  /** What Askema's model writes, as soon as `write` is called. */
  readonly write: (sql: string) => void;
  speakOn(): void;
  /** How often the agent's model was asked. */
  readonly asked: () => number;
  /** What it was sent last, as JSON. */
  readonly sent: () => string;
}

/**
 * A server on the loopback interface that speaks OpenAI's protocol for both models of the application: a request with
 * tools comes from the agent, one without from Askema. Each waits until the test has seen what comes before.
 */
export async function agentModel(): Promise<AgentModel> {
  const turns: AgentTurn[] = [];
  let written = Promise.withResolvers<string>();
  let spoken = Promise.withResolvers<void>();
  let asked = 0;
  let sent = '';

  const server = createServer(async (incoming, outgoing) => {
    // A client that goes away is part of the test.
    outgoing.on('error', () => {});
    const body = await bodyOf(incoming);
    const request = readWireRequest('responses', body, incoming.url ?? '');
    const reply = (answer: LoopbackAnswer) =>
      request.stream
        ? streamResponses(answer, request.model)
        : [JSON.stringify(answerResponses(answer, request.model))];
    const type = request.stream ? 'text/event-stream' : 'application/json';
    if (request.tools.length === 0) {
      const sql = await written.promise;
      outgoing.writeHead(200, { 'content-type': type }).end(reply({ text: planOf(sql) }).join(''));
      return;
    }
    asked += 1;
    sent = JSON.stringify(body);
    const turn = turns.shift();
    if (turn === undefined || 'refuses' in turn) return refuse(outgoing, incoming);
    outgoing.writeHead(200, { 'content-type': type });
    if ('call' in turn) {
      const toolCalls = [{ id: `call_${asked}`, name: turn.call, arguments: turn.input }];
      outgoing.end(reply({ toolCalls }).join(''));
      return;
    }
    const events = reply({ text: turn.says });
    const half = Math.ceil(events.length / 2);
    outgoing.write(events.slice(0, half).join(''));
    await spoken.promise;
    outgoing.end(events.slice(half).join(''));
  });
  const { origin, ...listening } = await listenOnLoopback(server);
  return {
    ...listening,
    baseUrl: `${origin}/v1`,
    script(...more) {
      turns.splice(0, turns.length, ...more);
      written = Promise.withResolvers();
      spoken = Promise.withResolvers();
    },
    write: (sql) => written.resolve(sql),
    speakOn: () => spoken.resolve(),
    asked: () => asked,
    sent: () => sent,
  };
}

/** In the form that Askema's prompt asks for. */
function planOf(sql: string): string {
  return JSON.stringify({
    ...{ outcome: 'sql', sql, explanation: '', not_understood: [], other_readings: [], would_agree: 'ten' },
  });
}

function refuse(outgoing: ServerResponse, incoming: IncomingMessage): void {
  const { status, body } = wireFailure('responses', 'wrong-key', `Wrong key: ${incoming.headers.authorization}`);
  outgoing.writeHead(status, { 'content-type': 'application/json' }).end(body);
}

async function bodyOf(incoming: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}
