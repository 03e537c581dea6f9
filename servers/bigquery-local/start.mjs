// bigquery-local (BigQuery's REST API on DuckDB), in memory, on a free port of loopback.
import { Server } from 'node:net';
import { DuckDBConnection } from '@duckdb/node-api';
import { runStatement, serveRequest } from './cancel-statements.mjs';
import { createRowBuffer } from './row-buffer.mjs';

// It listens on every interface; here on loopback alone.
const listen = Server.prototype.listen;
Server.prototype.listen = function listenOnLoopback(port, ...parameters) {
  serveRequest(this);
  return listen.call(this, port, '127.0.0.1', ...parameters);
};

// It loads two DuckDB extensions from the network when it starts, and fails without. What they give (GEOGRAPHY and SHA512) no test uses.
const LEFT_OUT = /^\s*(?:INSTALL|LOAD)\s+(?:spatial|crypto)\b|MACRO\s+bq_st_/iu;
// For a dry run it counts the rows of the query, to guess at bytes. BigQuery's runs nothing; without the count the guess is 0.
const COUNT_OF_DRY_RUN = /^SELECT count\(\*\)::BIGINT AS n FROM \([\s\S]*\) _est$/u;
const { run } = DuckDBConnection.prototype;
const buffer = createRowBuffer(run);
// Its other ways to run a text come here too.
DuckDBConnection.prototype.run = function runUnlessLeftOut(sql, ...parameters) {
  if (LEFT_OUT.test(sql)) return run.call(this, 'SELECT 1');
  if (COUNT_OF_DRY_RUN.test(sql)) return Promise.reject(new Error('A dry run runs nothing.'));
  if (buffer.takes(sql, ...parameters)) return Promise.resolve();
  const flush = () => buffer.flush(this);
  return runStatement(this, flush, () => run.call(this, sql, ...parameters));
};

const { createServer } = await import('bigquery-local');
const server = await createServer({ database: ':memory:' });
await server.listen(0);
process.stdout.write(`${JSON.stringify({ url: server.url.replace('localhost', '127.0.0.1') })}\n`);
process.stdin.resume();
process.stdin.once('close', () => process.exit(0));
