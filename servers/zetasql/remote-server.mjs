import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import grpc from '@grpc/grpc-js';
import protoLoader from '@grpc/proto-loader';

const MESSAGE_BYTES = 256 * 1024 * 1024;
const READY_TRIES = 200;
const PAUSE_MS = 50;

/**
 * Starts the program that the package `@fivetrandevelopers/zetasql` brings (Google's own analyzer, behind gRPC) and gives a function
 * that calls one of its methods. The JavaScript of that package is left aside: it writes to stdout and names the program for arm64 wrongly.
 *
 * Throws where the package has no program for this machine.
 */
export async function startRemoteServer() {
  const folder = dirname(createRequire(import.meta.url).resolve('@fivetrandevelopers/zetasql'));
  const program = join(folder, 'zetasql', programName());
  if (!existsSync(program)) throw new Error(`There is no ${program}.`);
  const port = await freePort();
  const child = spawn(program, ['127.0.0.1', String(port)], { stdio: ['ignore', 'ignore', 'inherit'] });
  child.once('exit', (code, signal) => {
    if (signal !== 'SIGKILL') process.stderr.write(`ZetaSQL ended with ${code ?? signal}.\n`);
    process.exit(1);
  });
  process.once('exit', () => child.kill('SIGKILL'));
  const definition = await protoLoader.load('local_service.proto', {
    keepCase: true,
    longs: String,
    enums: String,
    includeDirs: [join(folder, 'zetasql', 'protos')],
  });
  const { zetasql } = grpc.loadPackageDefinition(definition);
  const service = new zetasql.local_service.ZetaSqlLocalService(
    `127.0.0.1:${port}`,
    grpc.credentials.createInsecure(),
    { 'grpc.max_send_message_length': MESSAGE_BYTES, 'grpc.max_receive_message_length': MESSAGE_BYTES },
  );
  const call = (method, request) =>
    new Promise((resolve, reject) => {
      service[method](request, (error, response) => (error === null ? resolve(response) : reject(error)));
    });
  await untilReady(() => call('FormatSql', { sql: 'SELECT 1' }));
  return call;
}

function programName() {
  const arm = process.arch === 'arm64' ? '_arm' : '';
  return process.platform === 'darwin' ? `remote_server${arm}` : `remote_server${arm}.so`;
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

async function untilReady(attempt) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (error.code !== grpc.status.UNAVAILABLE || tries === READY_TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}
