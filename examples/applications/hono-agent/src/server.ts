/** Usage: npm start; PORT, STORE, MODEL and OTEL_EXPORTER_OTLP_ENDPOINT say what is not as in README.md. */
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { app } from './app.ts';
import { text2sql } from './store.ts';
import { stopTracing } from './tracing.ts';

const http = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: Number(process.env.PORT ?? 3000) }, () =>
  console.log(`http://127.0.0.1:${(http.address() as AddressInfo).port}`),
);

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, async () => {
    http.close();
    await text2sql.close();
    await stopTracing();
    process.exit();
  });
