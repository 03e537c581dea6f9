import type { KnowledgeProblem, Loss } from '@askema/knowledge';
import type { CommandContext } from '../../process/command-context.ts';
import { printable } from '../../terminal/printable.ts';

/** More losses for one reason share a line: or those of every field would hide that of a metric. */
const MAX_ALIKE = 3;

/** What was lost, on stderr: a line each, those that are alike together at the end. */
export async function tellLosses(lost: readonly Loss[], { err }: CommandContext): Promise<void> {
  const groups = [...Map.groupBy(lost, ({ what, reason }) => [kindOf(what), partOf(what), reason].join('\n')).values()];
  const single = groups.filter((group) => group.length <= MAX_ALIKE).flat();
  const alike = groups.filter((group) => group.length > MAX_ALIKE).map(together);
  for (const { what, place, reason } of [...single, ...alike])
    await err.write(`${err.yellow('lost:')} ${printable(`${placeText(place)} ${what}: ${reason}`)}\n`);
}

/** `field orders.day: time grain` is of the kind `field`, and its part is `: time grain`. */
const kindOf = (what: string): string => what.split(' ', 1)[0] ?? '';
const partOf = (what: string): string => /: .+$/.exec(what)?.[0] ?? '';

/** `field orders.day and 7 more: time grain` */
function together(group: readonly Loss[]): Loss {
  const [first] = group as [Loss];
  const part = partOf(first.what);
  const name = first.what.slice(0, first.what.length - part.length);
  return { ...first, what: `${name} and ${(group.length - 1).toLocaleString('en')} more${part}` };
}

/** What could not be read as it was meant, on stderr: a line each. */
export async function tellProblems(problems: readonly KnowledgeProblem[], { err }: CommandContext): Promise<void> {
  for (const { severity, code, place, message, advice = '' } of problems) {
    const paint = severity === 'error' ? err.red : err.yellow;
    // Messages of whole files begin with their place.
    const at = place.file === '.' || message.startsWith(place.file) ? '' : `${placeText(place)} `;
    const text = `${at}${message} ${advice}`.trim();
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
