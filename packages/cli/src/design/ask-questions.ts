import { createInterface } from 'node:readline/promises';
import type { OnQuestion } from '@askema/text2schema';
import type { CommandContext } from '../commands/command-context.ts';
import { printableLines } from '../terminal/printable.ts';
import type { ProgressLine } from '../terminal/progress-line.ts';

/** Asks on the terminal what a requirement leaves open; an empty line takes the assumption. */
export function questionsOnTerminal({ host, err, signal }: CommandContext, line: ProgressLine): OnQuestion {
  return async (questions) => {
    line.pause();
    const reader = createInterface({ input: host.stdin, terminal: false });
    const lines = reader[Symbol.asyncIterator]();
    const answers: (string | undefined)[] = [];
    try {
      for (const [index, { kind, question, quotes, assumption }] of questions.entries()) {
        const quoted = quotes.map((quote) => `  “${printableLines(quote)}”\n`).join('');
        const mark = kind === 'contradiction' ? err.yellow('contradiction: ') : '';
        await err.write(
          `\n${mark}${err.bold(`${index + 1}. ${printableLines(question)}`)}\n${quoted}  [${printableLines(assumption)}] `,
        );
        const next = await Promise.race([lines.next(), aborted(signal)]);
        const answer = next?.done === true ? '' : String(next?.value ?? '').trim();
        answers.push(answer === '' ? undefined : answer);
      }
      await err.write('\n');
    } finally {
      reader.close();
    }
    return answers;
  };
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
