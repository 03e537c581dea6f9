import type { Readable, Writable } from 'node:stream';

/** A stream that may be a terminal. */
export type OutputStream = Writable & { readonly isTTY?: boolean | undefined; readonly columns?: number | undefined };

/** A stream of input that may be a terminal. */
export type InputStream = Readable & {
  readonly isTTY?: boolean | undefined;
  /** Of a terminal: characters as they are typed, without echo. */
  readonly setRawMode?: ((isRaw: boolean) => unknown) | undefined;
};

export type Environment = Readonly<Record<string, string | undefined>>;

/** Signals that ask the command to stop, and what shells call their exit codes. */
export const STOP_SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

export type StopSignal = keyof typeof STOP_SIGNALS;

/** What the command knows of the world around it, as a value: tests pass their own. */
export interface Host {
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly env: Environment;
  readonly cwd: string;
  /** What started this process, without what was typed behind it: Node, its options and the script. */
  readonly command: readonly string[];
  /** Listens for the signals that stop; returns how to stop listening. */
  readonly onStopSignal: (listener: (signal: StopSignal) => void) => () => void;
  /** Does what this signal does; a terminal in raw mode sends none by itself. */
  readonly raise: (signal: StopSignal) => void;
  /** Ends the process at once. */
  readonly exit: (code: number) => void;
}

/** The real process. */
export function processHost(): Host {
  return {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    cwd: process.cwd(),
    command: [process.execPath, ...process.execArgv, process.argv[1] ?? ''],
    onStopSignal: (listener) => {
      const signals = Object.keys(STOP_SIGNALS) as StopSignal[];
      for (const signal of signals) process.on(signal, listener);
      return () => {
        for (const signal of signals) process.off(signal, listener);
      };
    },
    raise: (signal) => {
      process.emit(signal, signal);
    },
    exit: (code) => process.exit(code),
  };
}

/** The value of a variable, or undefined when it is unset or empty. */
export function readVariable(env: Environment, name: string): string | undefined {
  const value = env[name]?.trim();
  return value === '' ? undefined : value;
}
