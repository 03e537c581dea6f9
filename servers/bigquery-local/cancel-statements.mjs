// bigquery-local knows a job only when its statement has ended, and stops none. Here `jobs.cancel` interrupts the statement of the job that it names,
// as BigQuery does. Statements run one at a time, as they do in its only connection, so that an interrupt meets no other one.
import { AsyncLocalStorage } from 'node:async_hooks';
import { EventEmitter } from 'node:events';

const requests = new AsyncLocalStorage();
const CANCEL = /\/jobs\/([^/?]+)\/cancel(?:\?|$)/u;
const cancelled = new Set();

/** No test waits so long: what runs longer has nobody who could cancel it, and would hold up all others. */
const LONGEST_MS = 30_000;
const AGAIN_MS = 50;

let last = Promise.resolve();

/** Runs one statement of the request that is being served, after all others and after `prepare`; rejects when its job was cancelled. */
export function runStatement(connection, prepare, run) {
  const request = requests.getStore();
  const result = last.then(async () => {
    await prepare();
    throwIfCancelled(request);
    const until = performance.now() + LONGEST_MS;
    // DuckDB forgets an interrupt that comes before the statement has begun, so it is told until the statement ends.
    const timer = setInterval(() => {
      if (isCancelled(request) || performance.now() > until) connection.interrupt();
    }, AGAIN_MS);
    try {
      return await run();
    } finally {
      clearInterval(timer);
    }
  });
  last = result.catch(() => undefined);
  return result;
}

/** Makes a server remember which request a statement belongs to, and hear of cancelled jobs. */
export function serveRequest(server) {
  const { emit } = server;
  server.emit = function emitOfRequest(name, ...parameters) {
    if (name !== 'request') return emit.call(this, name, ...parameters);
    const [incoming] = parameters;
    const request = { jobId: undefined };
    if (incoming.method === 'POST' && /\/jobs(?:\?|$)/u.test(incoming.url)) readJobId(incoming, request);
    const job = incoming.method === 'POST' ? CANCEL.exec(incoming.url)?.[1] : undefined;
    if (job !== undefined) cancelled.add(decodeURIComponent(job));
    return requests.run(request, () => emit.call(this, name, ...parameters));
  };
}

function isCancelled(request) {
  return request?.jobId !== undefined && cancelled.has(request.jobId);
}

function throwIfCancelled(request) {
  if (isCancelled(request)) throw new Error('Job execution was cancelled');
}

function readJobId(incoming, request) {
  const parts = [];
  // Not by its own `on`, which would make it flow.
  EventEmitter.prototype.on.call(incoming, 'data', (part) => parts.push(part));
  incoming.once('end', () => {
    try {
      request.jobId = JSON.parse(Buffer.concat(parts).toString('utf8')).jobReference?.jobId;
    } catch {
      // The server says what is wrong with it.
    }
  });
}
