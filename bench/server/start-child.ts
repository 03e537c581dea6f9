import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ServerRequest, Told } from './protocol.ts';

const CHILD = fileURLToPath(new URL('./child.ts', import.meta.url));
const FLAGS = ['--conditions=@askema/source', '--disable-warning=ExperimentalWarning', '--expose-gc'];

/** A server that listens in a process of its own. */
export interface Listening {
  readonly origin: string;
  /** How it stands; with `collect` after a garbage collection. */
  readonly tell: (what?: 'tell' | 'collect') => Promise<Told>;
  readonly stop: () => Promise<void>;
}

export async function startChild(request: ServerRequest, flags: readonly string[] = []): Promise<Listening> {
  const execArgv = [...FLAGS, ...flags];
  const child = fork(CHILD, [JSON.stringify(request)], { execArgv, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const { port } = await next<{ readonly port: number }>(child);
  return {
    origin: `http://127.0.0.1:${port}`,
    async tell(what = 'tell') {
      child.send(what);
      return next<Told>(child);
    },
    async stop() {
      child.send('stop');
      await once(child, 'exit');
    },
  };
}

function next<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null): void => reject(new Error(`The server ended with ${code}.`));
    child.once('exit', ended);
    child.once('message', (message) => {
      child.off('exit', ended);
      resolve(message as T);
    });
  });
}
