import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));
const QUICK_START = new URL('../../../../scripts/testing/quick-start.ts', import.meta.url).href;

/** How a run of the command ended and what it printed. */
export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly elapsedMs: number;
}

export interface RunningAskema {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly finished: Promise<Finished>;
}

interface RunOptions {
  readonly cwd?: string;
  /** Added to an environment without keys, a local Ollama, a history and catalogs on disk. */
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** The test writes to stdin itself, and ends it. */
  readonly stdinStaysOpen?: boolean;
  /** Options of Node itself. */
  readonly nodeOptions?: readonly string[];
}

/** Starts the command in a process group of its own, so that a test can send what Ctrl-C sends. */
export function startAskema(parameters: readonly string[], options: RunOptions = {}): RunningAskema {
  const startedAt = performance.now();
  const node = [
    '--conditions=@askema/source',
    ...(options.nodeOptions ?? [`--import=${QUICK_START}`]),
    MAIN,
    ...parameters,
  ];
  const child = spawn(process.execPath, node, {
    cwd: options.cwd,
    // Port 1 answers nobody: no test may find the Ollama of the machine that runs it.
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      OLLAMA_HOST: '127.0.0.1:1',
      ASKEMA_HISTORY: 'off',
      ASKEMA_CATALOGS: 'off',
      ...options.env,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  });
  const text = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text.stdout += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    text.stderr += chunk;
  });
  child.stdin.on('error', () => {});
  if (options.stdinStaysOpen !== true) child.stdin.end(options.stdin ?? '');
  const finished = new Promise<Finished>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, ...text, elapsedMs: performance.now() - startedAt }));
  });
  return { child, pid: child.pid as number, finished };
}

/** Runs the command to its end. */
export function runAskema(parameters: readonly string[], options: RunOptions = {}): Promise<Finished> {
  return startAskema(parameters, options).finished;
}
