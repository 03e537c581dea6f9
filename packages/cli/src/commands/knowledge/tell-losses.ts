import type { KnowledgeProblem, Loss } from '@askema/knowledge';
import type { CommandContext } from '../../process/command-context.ts';
import { printable } from '../../terminal/printable.ts';

/** What was lost, on stderr: a line each. */
export async function tellLosses(lost: readonly Loss[], { err }: CommandContext): Promise<void> {
  for (const { what, place, reason } of lost)
    await err.write(`${err.yellow('lost:')} ${printable(`${placeText(place)} ${what}: ${reason}`)}\n`);
}

/** What could not be read as it was meant, on stderr: a line each. */
export async function tellProblems(problems: readonly KnowledgeProblem[], { err }: CommandContext): Promise<void> {
  for (const { severity, code, place, message, advice = '' } of problems) {
    const paint = severity === 'error' ? err.red : err.yellow;
    const text = `${placeText(place)} ${message} ${advice}`.trim();
    await err.write(`${paint(`${severity}:`)} ${printable(text)} ${err.dim(`[${printable(code)}]`)}\n`);
  }
}

export function placeText({ file, line }: Loss['place']): string {
  return line === undefined ? file : `${file}:${line}`;
}

/** `1 loss`, `3 losses`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}
