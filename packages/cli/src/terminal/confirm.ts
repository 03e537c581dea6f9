import type { Host } from '../process/host.ts';
import { createLineReader } from './line-reader.ts';

/** True when somebody can be asked: input and error output are both terminals. */
export function canConfirm(host: Host): boolean {
  return host.stdin.isTTY === true && host.stderr.isTTY === true;
}

/** Asks yes-or-no questions. */
export interface Confirmer {
  /**
   * Asks on stderr. Anything but `y` or `yes` is no, and so is the end of the input.
   *
   * Rejects with the signal's reason when it fires.
   */
  ask(question: string, signal: AbortSignal): Promise<boolean>;
  /** Lets go of the input. */
  close(): void;
}

/** Reads answers from stdin, one line each; the input is touched only when the first question is asked. */
export function createConfirmer(host: Host): Confirmer {
  const reader = createLineReader(host.stdin);
  return {
    async ask(question, signal) {
      signal.throwIfAborted();
      host.stderr.write(`${question} [y/N] `);
      return /^y(es)?$/i.test(await reader.next(signal));
    },
    close: () => reader.close(),
  };
}
