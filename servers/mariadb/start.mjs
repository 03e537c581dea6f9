// A MariaDB server of its own in a temporary folder, for tests: prints `{ host, port, user, password, socket, folder, certificate, serverPid }` as one line of
// JSON when it is ready, and ends, with its folder, when stdin does. Needs the server's programs (Debian: apt-get install mariadb-server). Further
// parameters go to the server as they are: `--lower-case-table-names=1`. With `--tls` (needs openssl) it encrypts, with a certificate for `localhost` that signs
// itself.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findAccount, findPrograms, freePort } from '../local-server.mjs';

const programs = findPrograms(['/usr/sbin', '/usr/bin'], ['mariadbd']);
const install = findPrograms(['/usr/bin'], ['mariadb-install-db']);
if (programs === undefined || install === undefined)
  throw new Error('No MariaDB server is installed: apt-get install mariadb-server');
const account = findAccount('mysql');
const folder = mkdtempSync(join(tmpdir(), 'askema-mariadb-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
const own = (path) => account.uid !== undefined && chownSync(path, account.uid, account.gid);
own(folder);
// What SELECT … INTO OUTFILE would write to, and LOAD_FILE would read.
const [data, files] = ['data', 'files'].map((name) => join(folder, name));
mkdirSync(files);
own(files);

const password = 'only-for-tests';
// Two servers that share a folder for temporary tables take them from each other.
const env = { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', TZ: 'UTC', TMPDIR: folder };
const others = process.argv.slice(2).filter((parameter) => parameter !== '--tls');
const certificate = join(folder, 'certificate.pem');
if (others.length < process.argv.length - 2) {
  const key = join(folder, 'key.pem');
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', certificate, '-days', '2'];
  execFileSync('openssl', [...made, ...subject], { stdio: 'ignore' });
  own(key);
  others.push(`--ssl-cert=${certificate}`, `--ssl-key=${key}`);
}
const making = spawnSync(
  join(install, 'mariadb-install-db'),
  ['--no-defaults', `--datadir=${data}`, '--auth-root-authentication-method=normal', '--skip-test-db', ...others],
  { ...account, env, cwd: folder, encoding: 'utf8' },
);
if (making.status !== 0)
  throw new Error(`mariadb-install-db ended with ${making.status ?? making.signal}: ${making.stdout}${making.stderr}`);
// The account of the tests may do everything: what is refused to it is refused to everybody.
const init = join(folder, 'init.sql');
writeFileSync(
  init,
  `CREATE USER admin@'%' IDENTIFIED BY '${password}';\nGRANT ALL ON *.* TO admin@'%' WITH GRANT OPTION;\n`,
);
own(init);

const port = await freePort();
const socket = join(folder, 'server.sock');
const settings = {
  datadir: data,
  port,
  socket,
  'bind-address': '127.0.0.1',
  'pid-file': join(folder, 'server.pid'),
  'init-file': init,
  'secure-file-priv': '',
  // Nothing has to survive.
  'innodb-flush-log-at-trx-commit': 0,
  'innodb-doublewrite': 0,
  'innodb-file-per-table': 0,
  'innodb-buffer-pool-size': '64M',
  'max-connections': 100,
  'character-set-server': 'utf8mb4',
};
const server = spawn(
  join(programs, 'mariadbd'),
  [
    '--no-defaults',
    '--skip-name-resolve',
    '--skip-log-bin',
    ...Object.entries(settings).map(([name, value]) => `--${name}=${value}`),
    ...others,
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
const stop = () => server.kill('SIGTERM');
process.once('SIGTERM', stop);
process.once('SIGINT', stop);
process.stdin.once('end', stop).once('close', stop).resume();

/** A server that is ready greets whoever connects. */
const greets = () =>
  new Promise((resolve) => {
    const probe = createConnection(port, '127.0.0.1');
    probe
      .once('data', () => resolve(true))
      .once('error', () => resolve(false))
      .once('close', () => resolve(false));
  });
while (!(await greets())) await new Promise((resolve) => setTimeout(resolve, 50));
process.stdout.write(
  `${JSON.stringify({ host: '127.0.0.1', port, user: 'admin', password, socket, folder: files, certificate, serverPid: server.pid })}\n`,
);
