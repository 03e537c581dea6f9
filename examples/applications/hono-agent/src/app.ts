import { serveStatic } from '@hono/node-server/serve-static';
import { httpInstrumentationMiddleware } from '@hono/otel';
import { convertToModelMessages, createUIMessageStreamResponse, safeValidateUIMessages, toUIMessageStream } from 'ai';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { csrf } from 'hono/csrf';
import { secureHeaders } from 'hono/secure-headers';
import { z } from 'zod';
import { type AgentMessage, agent } from './agent.ts';
import { takenOf } from './conversation.ts';

/** What the page sends: the conversation so far. It may hold replies of tools, with their rows. */
const BODY = z.object({ messages: z.array(z.unknown()).min(1).max(200) });
const MAX_BODY_BYTES = 4 * 1024 * 1024;

const HOSTS = (process.env.HOSTS ?? 'localhost,127.0.0.1').split(',');

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
// Any page can give this machine a name of its own, and then reads what it answers.
app.use(({ req, text }, next) =>
  HOSTS.includes(new URL(req.url).hostname) ? next() : Promise.resolve(text('HOSTS does not have this name.', 403)),
);
app.use('/*', serveStatic({ root: new URL('../public', import.meta.url).pathname }));

// Put your login before this line: whoever reaches it may ask, at your cost.
app.post('/api/chat', csrf(), bodyLimit({ maxSize: MAX_BODY_BYTES }), async ({ req, text }) => {
  const body = BODY.safeParse(await req.json().catch(() => undefined));
  const chat = await safeValidateUIMessages<AgentMessage>({ messages: body.data?.messages });
  const taken = chat.success ? takenOf(chat.data) : [];
  if (!chat.success || taken.length === 0)
    return text('Send { "messages": [ … ] }, as the chat of the AI SDK does.', 400);
  const { stream } = await agent.stream({
    messages: await convertToModelMessages(taken, { tools: agent.tools }),
    // Whoever leaves stops the model, the tools, and the statement in the database.
    abortSignal: req.raw.signal,
  });
  return createUIMessageStreamResponse({
    // Proxies end a stream that says nothing, and a statement may take its time.
    keepAliveMs: 15_000,
    stream: toUIMessageStream({
      stream,
      tools: agent.tools,
      originalMessages: chat.data,
      onError: () => 'The model could not answer. The log of the server says why.',
    }),
  });
});
