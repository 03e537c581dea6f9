/**
 * Askema below /api/askema of an Express application that has routes and a login of its own.
 * Usage: node examples/servers/express.ts [PORT]
 */
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import express from 'express';
import { askema } from './askema.ts';
import { logIn } from './sessions.ts';

const app = express();
// Before any body parser: Askema reads bodies itself.
app.all('/api/askema/*path', getRequestListener(askema.fetch));
app.use(express.json());
app.get('/hello', (_request, response) => {
  response.send('Hello from the application');
});
app.post('/login', (request, response) => {
  const cookie = logIn(String(request.body?.name), String(request.body?.password));
  if (cookie !== undefined) response.setHeader('set-cookie', cookie);
  response.status(cookie === undefined ? 403 : 204).end();
});

const http = app.listen(Number(process.argv[2] ?? 3000), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(http.address() as AddressInfo).port}`);
});

process.once('SIGTERM', async () => {
  await askema.drain();
  await askema.close();
  http.close();
});
