import { createInterface, type Interface } from 'node:readline';
import type { Host } from '../process/host.ts';

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
  let reader: Interface | undefined;
  let isEnded = false;
  const lines: string[] = [];
  let wake = (): void => {};
  const open = (): Interface => {
    // Not as a terminal of readline: that would take Ctrl-C for itself.
    const opened = createInterface({ input: host.stdin, terminal: false });
    opened.on('line', (line) => {
      lines.push(line);
      wake();
    });
    opened.on('close', () => {
      isEnded = true;
      wake();
    });
    return opened;
  };
  return {
    async ask(question, signal) {
      signal.throwIfAborted();
      host.stderr.write(`${question} [y/N] `);
      reader ??= open();
      const answered = new Promise<void>((resolve, reject) => {
        wake = () => {
          if (lines.length > 0 || isEnded) resolve();
        };
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
        wake();
      });
      await answered;
      return /^y(es)?$/i.test((lines.shift() ?? '').trim());
    },
    close: () => reader?.close(),
  };
}
