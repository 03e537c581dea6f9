/**
 * Askema below /api/askema of a Hono application that has routes and a login of its own.
 * Usage: node examples/servers/hono.ts [PORT]
 */
import { type HttpBindings, serve } from '@hono/node-server';
import { Hono } from 'hono';
import { askema } from './askema.ts';
import { logIn } from './sessions.ts';

const app = new Hono<{ Bindings: HttpBindings }>();
app.get('/hello', (context) => context.text('Hello from the application'));
app.post('/login', async (context) => {
  const { name, password } = await context.req.json();
  const cookie = logIn(String(name), String(password));
  return cookie === undefined ? context.body(null, 403) : context.body(null, 204, { 'set-cookie': cookie });
});
app.all('/api/askema/*', (context) => askema.fetch(context.req.raw, context.env));

const options = { fetch: app.fetch, hostname: '127.0.0.1', port: Number(process.argv[2] ?? 3000) };
const http = serve(options, ({ port }) => console.log(`http://127.0.0.1:${port}`));

process.once('SIGTERM', async () => {
  await askema.drain();
  await askema.close();
  http.close();
});
