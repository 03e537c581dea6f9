import { foldName } from '@askema/core';
import { foldedName, quoted } from '../conceptual/name-lookup.ts';
import type { BuiltSet } from './build-sets.ts';
import type { MappingReporter } from './mapping-codes.ts';
import type { DesignRelationship } from './read-model.ts';
import { type NameStyle, prefixed } from './reference-name.ts';

/**
 * The names of relations: those that the proposal gives them, else those of the sets. Where two would be one, a relationship set gets the names of its
 * participants in front; entity sets and what is left get numbers.
 */
export function nameRelations(sets: readonly BuiltSet[], style: NameStyle, add: MappingReporter): readonly string[] {
  const taken = new Set<string>();
  const free = (name: string): boolean => !taken.has(foldedName(name)) && !taken.has(foldName(name, 'insensitive'));
  return sets.map(({ set }) => {
    const proposed = set.proposed?.relation?.trim() ?? '';
    const candidates = proposed === '' ? [set.name] : [proposed, set.name];
    if (set.kind === 'relationship') {
      const { participants } = set as DesignRelationship;
      const names = participants.map(({ entity, role }) => role ?? entity.name);
      candidates.push(names.reduceRight((name, one) => prefixed(one, name, style), set.name));
    }
    let name = candidates.find(free);
    for (let number = 2; name === undefined; number += 1)
      if (free(`${set.name} ${number}`)) name = `${set.name} ${number}`;
    taken.add(foldedName(name)).add(foldName(name, 'insensitive'));
    if (name !== set.name && name !== proposed)
      add(
        'relation-renamed',
        set.name,
        `There is another relation ${quoted(set.name)}; the one of this ${set.kind} set became ${quoted(name)}.`,
        'Give sets names that tell them apart.',
      );
    return name;
  });
}
