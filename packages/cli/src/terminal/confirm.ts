import type { Interface } from 'node:readline';
import type { Host, InputStream } from '../process/host.ts';

/** True when somebody can be asked: input and error output are both terminals. */
export function canConfirm(host: Host): boolean {
  return host.stdin.isTTY === true && host.stderr.isTTY === true;
}

/** Asks questions that are answered in one line. */
export interface Confirmer {
  /**
   * Asks on stderr. Anything but `y` or `yes` is no, and so is the end of the input.
   *
   * Rejects with the signal's reason when it fires.
   */
  ask(question: string, signal: AbortSignal): Promise<boolean>;
  /** Asks for one line of text on stderr; empty at the end of the input. Rejects as `ask`. */
  answer(question: string, signal: AbortSignal): Promise<string>;
  /** Lets go of the input. */
  close(): void;
}

/** Reads answers from stdin, one line each; the input is touched only when the first question is asked. */
export function createConfirmer(host: Host): Confirmer {
  const reader = createLineReader(host.stdin);
  const answer: Confirmer['answer'] = (question, signal) => {
    signal.throwIfAborted();
    host.stderr.write(`${question} `);
    return reader.next(signal);
  };
  return {
    ask: async (question, signal) => /^y(es)?$/i.test(await answer(`${question} [y/N]`, signal)),
    answer: async (question, signal) => answer(question, signal),
    close: () => reader.close(),
  };
}

/** Reads stdin line by line. */
interface LineReader {
  /**
   * The next line, without blanks around it; empty at the end of the input.
   *
   * Rejects with the signal's reason when it fires.
   */
  next(signal: AbortSignal): Promise<string>;
  /** Lets go of the input. */
  close(): void;
}

/** The input is touched only when the first line is asked for; lines that came before they were asked for are kept. */
export function createLineReader(input: InputStream): LineReader {
  let reader: Interface | undefined;
  let isEnded = false;
  const lines: string[] = [];
  let wake = (): void => {};
  const open = (): Interface => {
    // Most commands ask nothing, and to import it takes some milliseconds.
    const { createInterface } = process.getBuiltinModule('node:readline');
    // Not as a terminal of readline: that would take Ctrl-C for itself.
    const opened = createInterface({ input, terminal: false });
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
    async next(signal) {
      signal.throwIfAborted();
      reader ??= open();
      await new Promise<void>((resolve, reject) => {
        wake = () => {
          if (lines.length > 0 || isEnded) resolve();
        };
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
        wake();
      });
      return (lines.shift() ?? '').trim();
    },
    close: () => reader?.close(),
  };
}
