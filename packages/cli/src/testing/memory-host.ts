import { Readable, Writable } from 'node:stream';
import type { Environment, Host, OutputStream, StopSignal } from '../process/host.ts';

/** A host in memory, for tests. */
interface MemoryHost extends Host {
  /** What was written so far. */
  readonly written: { readonly stdout: string; readonly stderr: string };
  /** Sends a signal, as a user's Ctrl-C does. */
  interrupt(signal?: StopSignal): void;
  readonly exits: readonly number[];
}

export interface MemoryHostOptions {
  readonly env?: Environment;
  readonly cwd?: string;
  readonly command?: readonly string[];
  readonly stdin?: string;
  /** Makes all three streams terminals of so many columns. */
  readonly columns?: number;
}

export function memoryHost(options: MemoryHostOptions = {}): MemoryHost {
  const written = { stdout: '', stderr: '' };
  const listeners = new Set<(signal: StopSignal) => void>();
  const exits: number[] = [];
  const isTTY = options.columns !== undefined;
  const output = (name: 'stdout' | 'stderr'): OutputStream =>
    Object.assign(
      new Writable({
        write(chunk, _, done) {
          written[name] += String(chunk);
          done();
        },
      }),
      { isTTY, columns: options.columns },
    );
  return {
    stdin: Object.assign(Readable.from(options.stdin === undefined ? [] : [options.stdin]), { isTTY }),
    stdout: output('stdout'),
    stderr: output('stderr'),
    env: options.env ?? {},
    cwd: options.cwd ?? process.cwd(),
    command: options.command ?? ['/opt/node', '/opt/askema.js'],
    onStopSignal(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    raise(signal) {
      for (const listener of [...listeners]) listener(signal);
    },
    exit: (code) => {
      exits.push(code);
    },
    written,
    exits,
    interrupt(signal = 'SIGINT') {
      for (const listener of [...listeners]) listener(signal);
    },
  };
}
