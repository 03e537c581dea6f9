import type { OnQuestion } from '@askema/text2schema';
import type { CommandContext } from '../commands/command-context.ts';
import { createLineReader } from '../terminal/line-reader.ts';
import { printableLines } from '../terminal/printable.ts';
import type { ProgressLine } from '../terminal/progress-line.ts';

/** Asks what a requirement leaves open. */
export interface Questioner {
  readonly onQuestion: OnQuestion;
  /** Lets go of the input. */
  close(): void;
}

/**
 * Asks on the terminal, one line an answer; an empty line takes the assumption, and so does the end of the input. The input is touched only when
 * something is asked.
 */
export function questionsOnTerminal({ host, err, signal }: CommandContext, line: ProgressLine): Questioner {
  const reader = createLineReader(host.stdin);
  return {
    async onQuestion(questions) {
      line.pause();
      const answers: (string | undefined)[] = [];
      for (const [index, { kind, question, quotes, assumption }] of questions.entries()) {
        const mark = kind === 'contradiction' ? err.yellow('contradiction: ') : '';
        const quoted = quotes.map((quote) => `  “${printableLines(quote)}”\n`).join('');
        await err.write(`\n${mark}${err.bold(`${index + 1}. ${printableLines(question)}`)}\n${quoted}`);
        await err.write(`  [${printableLines(assumption)}] `);
        const answer = await reader.next(signal);
        answers.push(answer === '' ? undefined : answer);
      }
      await err.write('\n');
      return answers;
    },
    close: () => reader.close(),
  };
}
