import type { ChildProcess } from 'node:child_process';

/** The address that a server says on standard output; rejects where it ends before. */
export function originOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let told = '';
    child.stdout?.on('data', (chunk) => {
      told += chunk;
      const [origin] = /http:\/\/127\.0\.0\.1:\d+(?=\s)/.exec(told) ?? [];
      if (origin !== undefined) resolve(origin);
    });
    child.once('exit', (code) => reject(new Error(`it ended with ${code} before it said where it listens:\n${told}`)));
  });
}
