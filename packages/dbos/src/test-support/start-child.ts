import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const CHILD = fileURLToPath(new URL('./work-in-child.ts', import.meta.url));

export interface Child {
  readonly process: ChildProcess;
  /** Resolves when it has said this line; rejects when it ends before. */
  said(line: string): Promise<void>;
  tell(word: string): void;
  kill(): Promise<void>;
}

/** See `work-in-child.ts` for what it is told. Resolves when its runner is open. */
export async function startChild(options: {
  readonly connection: string;
  readonly name: string;
  readonly version?: string;
  readonly deadAfterMs?: number;
}): Promise<Child> {
  const { connection, name, version = '1', deadAfterMs = 60_000 } = options;
  const child = spawn(
    process.execPath,
    ['--conditions=@askema/source', '--no-warnings', CHILD, connection, name, version, String(deadAfterMs)],
    { stdio: ['pipe', 'pipe', 'pipe'] },
  );
  let text = '';
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString();
    child.emit('said');
  });
  const ended = once(child, 'close');
  const started: Child = {
    process: child,
    said: (line) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (text.split('\n').includes(line)) resolve();
        };
        child.on('said', look);
        look();
        ended.then(() => {
          look();
          reject(new Error(`The child ended before it said ${line}; it said: ${text} ${errors}`));
        }, reject);
      }),
    tell: (word) => {
      child.stdin.write(`${word}\n`);
    },
    async kill() {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await ended;
    },
  };
  await started.said('open');
  return started;
}
