import { type Candidate, SECTIONS, type SelectedItem } from './selection.ts';

/** Candidates of one kind, the most needed first, and how many tokens they may take together. */
export interface Group {
  readonly candidates: readonly Candidate[];
  readonly maxTokens: number;
}

export interface Fitted {
  readonly text: string;
  readonly items: readonly SelectedItem[];
  readonly leftOut: readonly SelectedItem[];
}

/** Takes what fits, group by group. What does not fit lets shorter ones behind it in. Each line stands once. */
export function fitSelection(
  groups: readonly Group[],
  maxTokens: number,
  countTokens: (text: string) => number,
): Fitted {
  const taken = new Map<string, Candidate>();
  const leftOut: Candidate[] = [];
  const sections = new Set<string>();
  let used = 0;
  for (const group of groups) {
    let room = Math.min(group.maxTokens, maxTokens - used);
    for (const candidate of group.candidates) {
      if (taken.has(candidate.line) || (candidate.isBeside === true && !shows(candidate, taken))) continue;
      const head = sections.has(candidate.section) ? 0 : countTokens(`\n${candidate.section}:\n`);
      const tokens = countTokens(`- ${candidate.line}\n`) + head;
      if (tokens > room) {
        leftOut.push(candidate);
        continue;
      }
      taken.set(candidate.line, candidate);
      sections.add(candidate.section);
      used += tokens;
      room -= tokens;
    }
  }
  const chosen = [...taken.values()];
  let text = written(chosen);
  // A counter of tokens need not add up.
  while (chosen.length > 0 && countTokens(text) > maxTokens) {
    leftOut.unshift(chosen.pop() as Candidate);
    text = written(chosen);
  }
  const items = onceEach(chosen);
  const shown = new Set(items.map(({ id }) => id));
  return { text, items, leftOut: onceEach(leftOut).filter(({ id }) => !shown.has(id)) };
}

function shows({ item }: Candidate, taken: ReadonlyMap<string, Candidate>): boolean {
  return [...taken.values()].some((one) => one.item.id === item.id);
}

function written(candidates: readonly Candidate[]): string {
  return SECTIONS.flatMap((section) => {
    const lines = candidates
      .filter((candidate) => candidate.section === section)
      .sort((a, b) => compare(a.order, b.order))
      .map(({ line }) => `- ${line}`);
    return lines.length === 0 ? [] : [[`${section}:`, ...lines].join('\n')];
  }).join('\n\n');
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}

/** Several lines of an entry are one item, with the first reason. */
function onceEach(candidates: readonly Candidate[]): SelectedItem[] {
  const items = new Map<string, SelectedItem>();
  for (const { item } of candidates) if (!items.has(item.id)) items.set(item.id, item);
  return [...items.values()];
}
