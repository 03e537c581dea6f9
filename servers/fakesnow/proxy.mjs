import { createServer, request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { textRows } from './rows.mjs';

const QUERY = '/queries/v1/query-request';
/** Results that `GET /queries/{id}/result` can still give. */
const KEPT_RESULTS = 50;
/** Routes that the driver calls and fakesnow has not; nothing depends on what they answer. */
const ANSWERS = {
  '/telemetry/send': {},
  '/session/heartbeat': {},
  '/session/token-request': { sessionToken: '', validityInSecondsST: 3600 },
};

/**
 * A server between the Node driver of Snowflake and fakesnow, which speaks to the Python connector only: Arrow results become JSON results, with the
 * counts without which the driver waits for ever; inner failures become failed statements, because the driver repeats a 5xx for hours; routes that
 * are missing are answered here.
 *
 * @param {number} target the port of fakesnow
 * @returns {import('node:http').Server}
 */
export function createProxy(target) {
  const results = new Map();
  return createServer((incoming, outgoing) => {
    answer(incoming, outgoing, target, results).catch((problem) =>
      send(outgoing, failure('261000', `The stand-in failed: ${problem.message}`)),
    );
  });
}

async function answer(incoming, outgoing, target, results) {
  const { pathname } = new URL(incoming.url, 'http://stand-in');
  const body = await readAll(incoming);
  if (pathname in ANSWERS) return send(outgoing, { data: { ...ANSWERS[pathname] }, success: true });
  const kept = /^\/queries\/([^/]+)\/result$/.exec(pathname)?.[1];
  if (kept !== undefined) return send(outgoing, results.get(kept) ?? failure('000709', `Statement ${kept} not found.`));
  const { status, text } = await forward(incoming, body, target);
  if (pathname !== QUERY) {
    outgoing.writeHead(status, { 'content-type': 'application/json' }).end(text);
    return undefined;
  }
  const response = status >= 500 ? failure('261000', firstLine(text)) : JSON.parse(text);
  const whole = response.success ? withRows(response, parseBody(incoming, body)) : response;
  if (whole.success) keep(results, whole);
  return send(outgoing, whole, status >= 500 ? 200 : status);
}

/** The result as the driver reads it: rows as texts, with the counts that it cannot do without. */
function withRows(response, query) {
  const { rowsetBase64, ...data } = response.data;
  const all =
    rowsetBase64 === undefined ? (data.rowset ?? []) : textRows(Buffer.from(rowsetBase64, 'base64'), data.rowtype);
  const limit = Number(query?.parameters?.ROWS_PER_RESULTSET ?? 0);
  const rowset = limit > 0 ? all.slice(0, limit) : all;
  return {
    ...response,
    data: {
      parameters: [],
      ...data,
      rowset,
      queryResultFormat: 'json',
      version: 1,
      total: rowset.length,
      returned: rowset.length,
    },
  };
}

function keep(results, response) {
  results.set(response.data.queryId, response);
  if (results.size > KEPT_RESULTS) results.delete(results.keys().next().value);
}

function parseBody(incoming, body) {
  const plain = incoming.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
  return plain.length === 0 ? undefined : JSON.parse(plain.toString());
}

function forward(incoming, body, port) {
  const { host: _host, connection: _connection, ...headers } = incoming.headers;
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        host: '127.0.0.1',
        port,
        method: incoming.method,
        path: incoming.url,
        headers: { ...headers, 'content-length': body.length, 'accept-encoding': 'identity' },
      },
      (response) => {
        readAll(response).then((text) => resolve({ status: response.statusCode, text: text.toString() }), reject);
      },
    );
    outgoing.once('error', reject);
    outgoing.end(body);
  });
}

async function readAll(stream) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function failure(code, message) {
  return { data: { errorCode: code, sqlState: 'XX000' }, code, message, success: false };
}

function firstLine(text) {
  return text.split('\n', 1)[0].slice(0, 1_000);
}

function send(outgoing, value, status = 200) {
  if (outgoing.headersSent) return;
  outgoing.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}
