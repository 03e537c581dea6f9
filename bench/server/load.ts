import autocannon from 'autocannon';
import { quantile } from '../harness/measure-work.ts';
import type { Listening } from './start-child.ts';

/** One kind of request, again and again. */
export interface Load {
  readonly path: string;
  readonly key: string;
  readonly bodies: readonly object[];
  readonly clients: number;
  /** Requests of all clients together. */
  readonly amount: number;
}

export interface Turn {
  readonly perSecond: number;
  readonly p50: number;
  readonly p95: number;
  /** Requests that failed or got another status than 200. */
  readonly errors: number;
  /** Processor time for each request, in milliseconds: of the server's process, and of the engine's. */
  readonly ownMs: number;
  readonly engineMs: number;
}

/** Sends so many requests, each client one after the other. Clients begin at different places of the list. */
export async function takeTurn(server: Listening, { path, key, bodies, clients, amount }: Load): Promise<Turn> {
  const requests = bodies.map((body) => ({
    method: 'POST' as const,
    path,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify(body),
  }));
  const before = await server.tell();
  const started = performance.now();
  const times: number[] = [];
  let failed = 0;
  let begun = 0;
  let last = started;
  const { errors, timeouts } = await new Promise<autocannon.Result>((resolve, reject) => {
    const run = autocannon(
      {
        url: server.origin,
        connections: clients,
        amount: Math.max(amount, clients),
        timeout: 120,
        sampleInt: 100,
        requests,
        setupClient(client) {
          const from = (begun * 37) % requests.length;
          begun += 1;
          client.setRequests([...requests.slice(from), ...requests.slice(0, from)]);
        },
      },
      (error, result) => (error ? reject(error) : resolve(result)),
    );
    run.on('response', (_client, status, _bytes, ms) => {
      times.push(ms);
      last = performance.now();
      if (status !== 200) failed += 1;
    });
  });
  // The program looks at the clock once in a while to see whether it has ended: that does not count.
  const seconds = (last - started) / 1_000;
  const after = await server.tell();
  times.sort((a, b) => a - b);
  return {
    perSecond: times.length / seconds,
    p50: quantile(times, 0.5),
    p95: quantile(times, 0.95),
    errors: errors + timeouts + failed,
    ownMs: ((after.ownSeconds - before.ownSeconds) * 1e3) / times.length,
    engineMs: ((after.engineSeconds - before.engineSeconds) * 1e3) / times.length,
  };
}
