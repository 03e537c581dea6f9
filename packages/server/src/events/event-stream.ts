import { publicError } from '../errors/public-error.ts';

/** One event of a stream, as HTML Living Standard, section 9.2, has them. */
export interface ServerEvent {
  readonly event: string;
  readonly data: object;
}

export const EVENT_STREAM = 'text/event-stream';
export const JSON_LINES = 'application/x-ndjson';

/** How often a comment is sent, so that no proxy takes a question that is still worked on for a dead connection. */
const PING_MS = 15_000;

export interface StreamParts {
  readonly requestId: string;
  /** Called when the reader has gone before the end. */
  readonly onLeft: () => void;
}

/**
 * Server-sent events. Nothing is made before it is read, so a slow reader holds up only itself. What breaks it off is
 * told as an event `error`.
 */
export function eventStream(events: AsyncIterator<ServerEvent, void>, parts: StreamParts): Response {
  let id = 0;
  const write = ({ event, data }: ServerEvent): string => {
    id += 1;
    return `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
  };
  const failed = (thrown: unknown): string =>
    write({ event: 'error', data: { error: publicError(thrown, parts.requestId) } });
  return streamed(events, { ...parts, type: EVENT_STREAM, write, failed, ping: ': still here\n\n' });
}

/** Lines of JSON. What breaks it off is told in a last line of the type `error`. */
export function jsonLines(lines: AsyncIterator<object, void>, parts: StreamParts): Response {
  const write = (line: object): string => `${JSON.stringify(line)}\n`;
  const failed = (thrown: unknown): string => write({ type: 'error', error: publicError(thrown, parts.requestId) });
  return streamed(lines, { ...parts, type: JSON_LINES, write, failed, ping: undefined });
}

interface Written<T> extends StreamParts {
  readonly type: string;
  readonly write: (item: T) => string;
  readonly failed: (thrown: unknown) => string;
  readonly ping: string | undefined;
}

function streamed<T>(items: AsyncIterator<T, void>, { type, write, failed, ping, onLeft }: Written<T>): Response {
  const encoder = new TextEncoder();
  let next: Promise<IteratorResult<T, void>> | undefined;
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          next ??= items.next();
          const item = ping === undefined ? await next : await orAfter(next, PING_MS);
          if (item === undefined) return controller.enqueue(encoder.encode(ping));
          next = undefined;
          if (item.done === true) return controller.close();
          controller.enqueue(encoder.encode(write(item.value)));
        } catch (thrown) {
          controller.enqueue(encoder.encode(failed(thrown)));
          controller.close();
        }
      },
      async cancel() {
        onLeft();
        // What it waits for ends because of that; only then does it hear that nobody reads.
        await next?.catch(() => undefined);
        await items.return?.();
      },
    },
    { highWaterMark: 0 },
  );
  // Nginx holds back what it takes for a page, and a proxy that compresses waits until it has enough.
  const headers = { 'content-type': type, 'cache-control': 'no-store, no-transform', 'x-accel-buffering': 'no' };
  return new Response(body, { headers });
}

/** What a promise gives; undefined where it takes longer. */
async function orAfter<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
    timer.unref();
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
