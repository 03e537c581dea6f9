import { Hono } from 'hono';
import type { AskemaServer, ServerOptions } from './contract.ts';

/** One `fetch` handler for all databases. */
export function createServer(_options: ServerOptions): AskemaServer {
  const app = new Hono();
  app.get('/health', (context) => context.json({ status: 'ok' }));
  return {
    fetch: async (request) => app.fetch(request),
    drain: async () => undefined,
    close: async () => undefined,
  };
}
