import { serveStatic } from '@hono/node-server/serve-static';
import { httpInstrumentationMiddleware } from '@hono/otel';
import { convertToModelMessages, createUIMessageStreamResponse, safeValidateUIMessages, toUIMessageStream } from 'ai';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { csrf } from 'hono/csrf';
import { secureHeaders } from 'hono/secure-headers';
import { z } from 'zod';
import { agent } from './agent.ts';

/** What the page sends: the conversation so far. It may hold replies of tools, with their rows. */
const BODY = z.object({ messages: z.array(z.unknown()).min(1).max(200) });
const MAX_BODY_BYTES = 4 * 1024 * 1024;

export const app = new Hono();

app.use(httpInstrumentationMiddleware());
app.use(
  secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'"],
      connectSrc: ["'self'"],
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
    },
  }),
);
app.use('/*', serveStatic({ root: new URL('../public', import.meta.url).pathname }));

// Put your login before this line: whoever reaches it may ask, at your cost.
app.post('/api/chat', csrf(), bodyLimit({ maxSize: MAX_BODY_BYTES }), async ({ req, text }) => {
  const body = BODY.safeParse(await req.json().catch(() => undefined));
  const chat = await safeValidateUIMessages({ messages: body.data?.messages });
  if (!chat.success) return text('Send { "messages": [ … ] }, as the chat of the AI SDK does.', 400);
  const { stream } = await agent.stream({
    // A call that was stopped has no reply, and models refuse to go on without one: it is left out.
    messages: await convertToModelMessages(chat.data, { tools: agent.tools, ignoreIncompleteToolCalls: true }),
    // Whoever leaves stops the model, the tools, and the statement in the database.
    abortSignal: req.raw.signal,
  });
  return createUIMessageStreamResponse({
    stream: toUIMessageStream({
      stream,
      tools: agent.tools,
      originalMessages: chat.data,
      onError: () => 'The model could not answer. The log of the server says why.',
    }),
  });
});
