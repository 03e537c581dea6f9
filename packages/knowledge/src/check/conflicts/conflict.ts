import { shortened } from '@askema/core';
import type { KnowledgeProblem } from '../../model/knowledge.ts';
import type { Place } from '../../model/standing.ts';

/** One of the things that contradict each other. */
export interface Side {
  /** What it says, as it is written. */
  readonly text: string;
  /** Where it is said. */
  readonly said: readonly { readonly entry: string; readonly place: Place }[];
}

const MAX_CHARACTERS = 160;
const MAX_ENTRIES = 4;

/** A problem that shows its sides with their entries, reported at the first. */
export function conflict(
  code: string,
  beginning: string,
  sides: readonly Side[],
  advice: string,
  severity: KnowledgeProblem['severity'] = 'warning',
): KnowledgeProblem {
  const first = sides[0]?.said[0];
  return {
    severity,
    code,
    entry: first?.entry,
    place: first?.place ?? { file: 'code' },
    message: `${beginning}: ${sides.map(shown).join('; against ')}.`,
    advice,
  };
}

function shown({ text, said }: Side): string {
  const entries = [...new Set(said.map(({ entry }) => entry))];
  const more = entries.length > MAX_ENTRIES ? ` and ${entries.length - MAX_ENTRIES} more` : '';
  return `"${shortened(text, MAX_CHARACTERS)}" (${entries.slice(0, MAX_ENTRIES).join(', ')}${more})`;
}
