import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { listenOnLoopback } from './listen-on-loopback.ts';
import type { LoopbackFailure } from './loopback-reply.ts';
import { wireFailure } from './wire-failure.ts';

/** A request for embeddings that reached the server. */
export interface LoopbackEmbeddingRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The body as it was sent. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly texts: readonly string[];
}

/** In the place of vectors: a failure, any body, or no answer at all. */
export type LoopbackEmbeddingReply =
  | { readonly kind: 'failure'; readonly failure: LoopbackFailure; readonly message?: string | undefined }
  | { readonly kind: 'body'; readonly body: unknown }
  | { readonly kind: 'hang' };

export interface LoopbackEmbeddingServer extends AsyncDisposable {
  /** `http://127.0.0.1:port`; the protocol is found below `/v1`. */
  readonly origin: string;
  readonly requests: readonly LoopbackEmbeddingRequest[];
  /** Answers the next requests, one each; later ones get vectors. */
  reply(...replies: readonly LoopbackEmbeddingReply[]): void;
  close(): Promise<void>;
}

/**
 * Starts a server on the loopback interface that speaks OpenAI's protocol of embeddings: the vector of each text is what
 * `vectorOf` says, the last text comes first, and each text counts as one token.
 */
export async function loopbackEmbeddingServer(
  vectorOf: (text: string) => readonly number[],
): Promise<LoopbackEmbeddingServer> {
  const requests: LoopbackEmbeddingRequest[] = [];
  const script: LoopbackEmbeddingReply[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Readonly<Record<string, unknown>>;
    const texts = [body.input].flat() as string[];
    requests.push({ path: incoming.url ?? '', headers: incoming.headers, body, texts });
    const reply = script.shift();
    if (reply?.kind === 'hang') return;
    if (reply?.kind === 'failure') {
      const failure = wireFailure('chat', reply.failure, reply.message);
      send(outgoing, failure.status, failure.body);
      return;
    }
    const data = texts.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text) })).reverse();
    const usage = { prompt_tokens: texts.length, total_tokens: texts.length };
    send(outgoing, 200, JSON.stringify(reply?.body ?? { object: 'list', model: body.model, data, usage }));
  });
  const listening = await listenOnLoopback(server);
  return {
    ...listening,
    requests,
    reply: (...replies) => void script.push(...replies),
  };
}

function send(outgoing: ServerResponse, status: number, body: string): void {
  outgoing.writeHead(status, { 'content-type': 'application/json' }).end(body);
}
