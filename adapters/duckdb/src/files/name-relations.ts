import type { FileRelation } from '../protocol.ts';
import type { FileGroup } from './plan-files.ts';

/** Gives each group a name of its own: that of its file or folder, with the format behind it where two would share one, then a number. */
export function nameRelations(groups: readonly FileGroup[]): readonly FileRelation[] {
  const counts = new Map<string, number>();
  for (const { stem } of groups) counts.set(stem.toLowerCase(), (counts.get(stem.toLowerCase()) ?? 0) + 1);
  const taken = new Set<string>();
  return groups.map(({ stem, ...group }) => {
    const base =
      (counts.get(stem.toLowerCase()) ?? 0) > 1 && hasOtherFormat(groups, stem) ? `${stem}_${group.format}` : stem;
    let name = base;
    for (let number = 2; taken.has(name.toLowerCase()); number += 1) name = `${base}_${number}`;
    taken.add(name.toLowerCase());
    return { name, ...group };
  });
}

function hasOtherFormat(groups: readonly FileGroup[], stem: string): boolean {
  const formats = groups.filter((group) => group.stem.toLowerCase() === stem.toLowerCase()).map(({ format }) => format);
  return new Set(formats).size > 1;
}
