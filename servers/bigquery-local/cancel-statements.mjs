// bigquery-local knows a job only when its statement has ended, and stops none. Here `jobs.cancel` interrupts the statement of the job that it names,
// as BigQuery does. Statements run one at a time, as they do in its only connection, so that an interrupt meets no other one.
import { AsyncLocalStorage } from 'node:async_hooks';
import { EventEmitter } from 'node:events';

const requests = new AsyncLocalStorage();
const CANCEL = /\/jobs\/([^/?]+)\/cancel(?:\?|$)/u;
const cancelled = new Set();

let running;
let last = Promise.resolve();

/** Runs one statement of the request that is being served, after all others and after `prepare`; rejects when its job was cancelled. */
export function runStatement(connection, prepare, run) {
  const request = requests.getStore();
  const result = last.then(async () => {
    await prepare();
    throwIfCancelled(request);
    running = { connection, request };
    try {
      return await run();
    } finally {
      running = undefined;
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
    if (job !== undefined) cancel(decodeURIComponent(job));
    return requests.run(request, () => emit.call(this, name, ...parameters));
  };
}

function cancel(jobId) {
  cancelled.add(jobId);
  if (running?.request?.jobId === jobId) running.connection.interrupt();
}

function throwIfCancelled(request) {
  if (request?.jobId !== undefined && cancelled.has(request.jobId)) throw new Error('Job execution was cancelled');
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
