import { type ChildProcess, fork } from 'node:child_process';
import type { Socket } from 'node:net';

export interface ForkOptions {
  /** The program, as `findWorkerFile` finds it. */
  readonly file: string;
  /** Variables of the caller's environment that are passed on beside those which every program needs: `TZ`. */
  readonly passOn?: readonly string[] | undefined;
  /** Variables that are set. */
  readonly environment?: Readonly<Record<string, string>> | undefined;
}

/** What a program needs of the caller's environment; secrets in it are none of its business. */
const ENVIRONMENT =
  /^(PATH|LD_LIBRARY_PATH|DYLD_.*|TMPDIR|TEMP|TMP|SYSTEMROOT|WINDIR|LANG|LC_.*|NODE_PATH|ELECTRON_RUN_AS_NODE)$/i;

/**
 * For a program in TypeScript, as it lies in a workspace: what it imports is read from the sources as well, in the way in
 * which those of its caller are.
 */
const SOURCE_ARGUMENTS = [
  ...process.execArgv.filter((argument) => argument.startsWith('--import=')),
  '--conditions=@askema/source',
  ...(process.features.typescript === false ? ['--experimental-strip-types'] : []),
];

export function forkDriver({ file, passOn = [], environment }: ForkOptions): ChildProcess {
  const isPassed = (name: string): boolean => ENVIRONMENT.test(name) || passOn.includes(name.toUpperCase());
  const child = fork(file, [], {
    serialization: 'advanced',
    execArgv: file.endsWith('.ts') ? SOURCE_ARGUMENTS : [],
    env: { ...Object.fromEntries(Object.entries(process.env).filter(([name]) => isPassed(name))), ...environment },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  (child.stderr as Socket | null)?.unref();
  return child;
}

/** A driver's process that was started before it is known what it shall open. It does not keep its caller alive. */
export interface StartedDriver {
  /** Hands it over, once; undefined when it has ended, or somebody else has it. */
  readonly take: () => ChildProcess | undefined;
  /** Ends it, unless it was handed over. */
  readonly end: () => void;
}

/**
 * Starts a driver's process ahead, so that it loads its driver while the caller still loads its own modules. Give it to
 * the `DriverProcess` that shall have it.
 */
export function startDriver(options: ForkOptions): StartedDriver {
  const child = forkDriver(options);
  let isTaken = false;
  // A process that could not be started is missed when it is taken.
  child.on('error', () => undefined);
  child.unref();
  child.channel?.unref();
  return {
    take() {
      const isUsable = child.pid !== undefined && child.exitCode === null && child.signalCode === null;
      if (isTaken || !isUsable || !child.connected) return undefined;
      isTaken = true;
      child.ref();
      child.channel?.ref();
      return child;
    },
    end() {
      if (!isTaken) child.kill('SIGKILL');
      isTaken = true;
    },
  };
}
