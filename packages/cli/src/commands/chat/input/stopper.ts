import type { CommandContext } from '../../../process/command-context.ts';
import { EXIT } from '../../../process/exit-code.ts';

/** Ctrl-C of a chat: it stops what runs; twice in a row it leaves. */
export interface Stopper {
  /** What runs is stopped by Ctrl-C, and by what ends the process. */
  run<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Ctrl-C is the business of another program. */
  ignore<T>(work: () => Promise<T>): Promise<T>;
  /** Something was typed: the next Ctrl-C is a first one again. */
  awake(): void;
  close(): void;
}

/** `onLeave` is called where nothing runs: from a pipe at once, on a terminal the second time. */
export function createStopper(
  { host, err, signal, takeInterrupts }: CommandContext,
  isTerminal: boolean,
  onLeave: () => void,
): Stopper {
  let running: AbortController | undefined;
  let isIgnored = false;
  let isWarned = false;
  const giveBack = takeInterrupts(() => {
    if (isIgnored) return;
    if (running !== undefined) {
      // It was stopped already, and hangs.
      if (running.signal.aborted) return host.exit(EXIT.interrupted);
      return running.abort(new DOMException('Stopped by Ctrl-C.', 'AbortError'));
    }
    if (isWarned || !isTerminal) return onLeave();
    isWarned = true;
    void err.write(`${err.dim('Ctrl-C once more leaves, and so do Ctrl-D and /quit.')}\n`);
  });
  return {
    async run(work) {
      const controller = new AbortController();
      running = controller;
      try {
        return await work(AbortSignal.any([signal, controller.signal]));
      } finally {
        running = undefined;
      }
    },
    async ignore(work) {
      isIgnored = true;
      try {
        return await work();
      } finally {
        isIgnored = false;
      }
    },
    awake() {
      isWarned = false;
    },
    close: giveBack,
  };
}
