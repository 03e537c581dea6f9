// bigquery-local (BigQuery's REST API on DuckDB), in memory, on a free port of loopback.
import { Server } from 'node:net';
import { DuckDBConnection } from '@duckdb/node-api';

// It listens on every interface; here on loopback alone.
const listen = Server.prototype.listen;
Server.prototype.listen = function listenOnLoopback(port, ...parameters) {
  return listen.call(this, port, '127.0.0.1', ...parameters);
};

// It loads two DuckDB extensions from the network when it starts, and fails without. What they give (GEOGRAPHY and SHA512) no test uses.
const LEFT_OUT = /^\s*(?:INSTALL|LOAD)\s+(?:spatial|crypto)\b|MACRO\s+bq_st_/iu;
const run = DuckDBConnection.prototype.run;
DuckDBConnection.prototype.run = function runUnlessLeftOut(sql, ...parameters) {
  return run.call(this, LEFT_OUT.test(sql) ? 'SELECT 1' : sql, ...parameters);
};

const { createServer } = await import('bigquery-local');
const server = await createServer({ database: ':memory:' });
await server.listen(0);
process.stdout.write(`${JSON.stringify({ url: server.url.replace('localhost', '127.0.0.1') })}\n`);
process.stdin.resume();
process.stdin.once('close', () => process.exit(0));
