import { shortened } from '@askema/core';
import type { EntryDifference } from '@askema/knowledge';
import { printable } from '../../terminal/printable.ts';

/** A difference, and of a proposal of one person whose it is. */
export type Difference = EntryDifference & { readonly by?: string | undefined };

/** Values longer than that are cut where people read them. */
const MAX_SHOWN = 120;
/** Of what one person proposes: what is accepted has to be seen, and a long statement is no reason to see less. */
const MAX_OF_PERSON = 4_000;
/** What stands before the first character that differs, of values that are cut. */
const MAX_BEFORE = 40;

/** A difference on a terminal, a line for each part; of what a person adds all parts. */
export function differenceLines({ id, kind, parts, by }: Difference): string {
  const length = by === undefined ? MAX_SHOWN : MAX_OF_PERSON;
  const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0;
  const shown = kind !== 'added' ? parts : by === undefined ? [] : parts.filter(({ after }) => !isEmpty(after));
  const lines = [
    `${id} ${kind}${by === undefined ? '' : ` by ${by}`}`,
    ...shown.map(({ part, before, after }) => {
      const [old, now] = fromFirstDifference(JSON.stringify(before), JSON.stringify(after), length);
      if (kind === 'added') return `  ${part}: ${now}`;
      if (before === undefined) return `  ${part}: ${now} is new`;
      if (after === undefined) return `  ${part}: ${old} is gone`;
      return `  ${part}: ${old} is now ${now}`;
    }),
  ];
  return lines.map((line) => `${printable(line)}\n`).join('');
}

/** Both cut to the length, so that what differs is seen, with how much is left out. */
function fromFirstDifference(before = '', after = '', length: number): readonly [string, string] {
  let at = 0;
  while (at < before.length && before[at] === after[at]) at += 1;
  const isCut = Math.max(before.length, after.length) > length && before !== '' && after !== '';
  const start = isCut ? Math.max(0, at - MAX_BEFORE) : 0;
  const cut = (text: string): string => {
    const rest = text.length - start - length;
    const shown = `${start === 0 ? '' : '…'}${shortened(text.slice(start), length)}`;
    return rest > 0 ? `${shown} (${rest.toLocaleString('en')} more characters)` : shown;
  };
  return [cut(before), cut(after)];
}
