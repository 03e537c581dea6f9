import { createInterface } from 'node:readline/promises';
import type { Host } from '../process/host.ts';

/** True when somebody can be asked: input and error output are both terminals. */
export function canConfirm(host: Host): boolean {
  return host.stdin.isTTY === true && host.stderr.isTTY === true;
}

/** Asks a yes-or-no question on stderr; anything but `y` or `yes` is no, and so is the end of the input. */
export async function confirm(host: Host, question: string, signal: AbortSignal): Promise<boolean> {
  // Not as a terminal of readline: that would take Ctrl-C for itself.
  const lines = createInterface({ input: host.stdin, output: host.stderr, terminal: false });
  const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
  try {
    const answer = await Promise.race([lines.question(`${question} [y/N] `, { signal }), ended]);
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    lines.close();
  }
}
