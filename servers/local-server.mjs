// What the servers that are started from Debian's programs have in common.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { delimiter, join } from 'node:path';

/** The first folder, of these and of PATH, that has all of the programs. */
export function findPrograms(folders, names) {
  const all = [...folders, ...(process.env.PATH ?? '').split(delimiter)];
  return all.find((folder) => names.every((name) => existsSync(join(folder, name))));
}

/** Database servers refuse to run as root: then they run as the first of these accounts that is there, or as `nobody`. */
export function findAccount(...accounts) {
  if (process.getuid?.() !== 0) return {};
  for (const name of [...accounts, 'nobody']) {
    try {
      const id = (flag) => Number(execFileSync('id', [flag, name], { stdio: ['ignore', 'pipe', 'ignore'] }));
      return { uid: id('-u'), gid: id('-g') };
    } catch {
      // The next one.
    }
  }
  throw new Error(`The server does not run as root, and there is no account ${accounts.join(', ')} or nobody.`);
}

/** A port of the loopback that nobody listens on. */
export function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
