/** A part of the stream of UI messages of the AI SDK. */
export interface Chunk {
  readonly type: string;
  readonly delta?: string;
  readonly preliminary?: boolean;
  readonly toolName?: string;
  readonly output?: {
    readonly state: 'working' | 'done';
    readonly step?: string;
    readonly structured?: {
      readonly type?: string;
      readonly result?: { readonly columns: readonly { readonly name: string }[]; readonly rows: unknown };
      readonly error?: { readonly code: string };
    };
    readonly isError?: boolean;
  };
  readonly errorText?: string;
}

/** The trace that the requests of this client belong to. */
export interface ClientTrace {
  readonly traceId: string;
  readonly spanId: string;
}

/** A message of the conversation before. */
export interface Message {
  readonly id: string;
  readonly role: 'system' | 'user' | 'assistant';
  readonly parts: readonly object[];
}

/** A stream that waits for what it holds back itself would never end. */
const MAX_MS = 20_000;

/** Says something to the agent as the page does, and reads what it streams, part by part. */
export async function* say(
  origin: string,
  text: string,
  { traceId, spanId, before = [], signal }: ClientTrace & { before?: readonly Message[]; signal?: AbortSignal },
): AsyncGenerator<Chunk, void, undefined> {
  const response = await fetch(`${origin}/api/chat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', traceparent: `00-${traceId}-${spanId}-01` },
    body: JSON.stringify({ messages: [...before, { id: 'last', role: 'user', parts: [{ type: 'text', text }] }] }),
    signal: AbortSignal.any([AbortSignal.timeout(MAX_MS), ...(signal === undefined ? [] : [signal])]),
  });
  if (response.status !== 200 || response.body === null)
    throw new Error(`the chat answered ${response.status}: ${await response.text()}`);
  let rest = '';
  for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
    const events = `${rest}${piece}`.split('\n\n');
    rest = events.pop() ?? '';
    for (const event of events) {
      const data = event.replace(/^data: /, '');
      if (data.startsWith('{')) yield JSON.parse(data) as Chunk;
    }
  }
}
