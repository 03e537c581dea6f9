// A PostgreSQL server of its own in a temporary folder, for tests: prints `{ host, port, user, database, password }` as one line of JSON when it is
// ready, and ends, with its folder, when stdin does. Arguments are more settings, as `name=value`. Needs the server's programs (Debian: apt-get install postgresql).
import { execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findAccount, findPrograms, freePort } from '../local-server.mjs';

// The newest version comes first: Debian keeps them out of PATH.
const debian = '/usr/lib/postgresql';
const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
const programs = findPrograms(
  versions.map((version) => join(debian, version, 'bin')),
  ['initdb', 'postgres'],
);
if (programs === undefined) throw new Error('No PostgreSQL server is installed: apt-get install postgresql');
const account = findAccount('postgres');
const folder = mkdtempSync(join(tmpdir(), 'askema-postgres-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
if (account.uid !== undefined) chownSync(folder, account.uid, account.gid);
const data = join(folder, 'data');
const password = 'only-for-tests';
const passwordFile = join(folder, 'password');
writeFileSync(passwordFile, password);
if (account.uid !== undefined) chownSync(passwordFile, account.uid, account.gid);
mkdirSync(join(folder, 'sockets'));
if (account.uid !== undefined) chownSync(join(folder, 'sockets'), account.uid, account.gid);

const env = { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', TZ: 'UTC' };
execFileSync(
  join(programs, 'initdb'),
  [
    '-D',
    data,
    '-U',
    'postgres',
    '--auth=scram-sha-256',
    `--pwfile=${passwordFile}`,
    '--encoding=UTF8',
    '--no-sync',
    '--locale=C.UTF-8',
  ],
  { ...account, env, cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] },
);
const port = await freePort();
const settings = {
  listen_addresses: '127.0.0.1',
  port,
  unix_socket_directories: join(folder, 'sockets'),
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  max_connections: '60',
  shared_buffers: '64MB',
  logging_collector: 'off',
  log_min_messages: 'fatal',
  autovacuum: 'off',
};
const server = spawn(
  join(programs, 'postgres'),
  [
    '-D',
    data,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ...process.argv.slice(2).flatMap((setting) => ['-c', setting]),
  ],
  { ...account, env, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] },
);
let log = '';
server.stderr.on('data', (chunk) => {
  log = (log + chunk).slice(-8_000);
});
server.once('exit', (code) => {
  if (code) process.stderr.write(log);
  process.exit(code ?? 0);
});
const stop = () => server.kill('SIGINT');
process.once('SIGTERM', stop);
process.once('SIGINT', stop);
process.stdin.once('end', stop).once('close', stop).resume();

for (;;) {
  try {
    execFileSync(join(programs, 'pg_isready'), ['-q', '-h', '127.0.0.1', '-p', String(port)], { env });
    break;
  } catch {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
process.stdout.write(
  `${JSON.stringify({ host: '127.0.0.1', port, user: 'postgres', database: 'postgres', password, serverPid: server.pid, sockets: join(folder, 'sockets') })}\n`,
);
