import type { Readable, Writable } from 'node:stream';
import type { McpServerFactory } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';

export interface McpStdioOptions {
  readonly stdin: Readable;
  /** Nothing else may be written to it. */
  readonly stdout: Writable;
  /** Ends the connection. */
  readonly signal: AbortSignal;
  readonly onError?: ((error: Error) => void) | undefined;
}

/** Serves one client over its pipes; resolves when the client has gone, or the signal fires. */
export async function serveMcpStdio(factory: McpServerFactory, options: McpStdioOptions): Promise<void> {
  const { stdin, stdout, signal, onError } = options;
  const { promise: gone, resolve } = Promise.withResolvers<void>();
  const handle = serveStdio(factory, {
    transport: new StdioServerTransport(stdin, stdout),
    ...(onError === undefined ? {} : { onerror: onError }),
  });
  for (const event of ['end', 'close', 'error']) stdin.once(event, resolve);
  signal.addEventListener('abort', () => resolve(), { once: true });
  if (signal.aborted) resolve();
  await gone;
  await handle.close();
}
