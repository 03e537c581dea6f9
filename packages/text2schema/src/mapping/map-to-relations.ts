import { foldName } from '@askema/core';
import { foldedName, quoted } from '../conceptual/name-lookup.ts';
import { reporterInto } from '../finding-table.ts';
import type { ConceptualModel, DesignFinding, LogicalDesign, LogicalProposal } from '../model/index.ts';
import { type BuiltSet, buildEntity, buildRelationship, writeKeys } from './build-sets.ts';
import { orderEntities } from './entity-order.ts';
import { MAPPING_CODES, type MappingReporter } from './mapping-codes.ts';
import { placeRelationship } from './place-relationship.ts';
import { type DesignRelationship, readModel } from './read-model.ts';
import { type NameStyle, nameStyleOf, prefixed } from './reference-name.ts';
import { reportKey } from './report-key.ts';
import { writeDesign } from './write-design.ts';

/** Options of {@link mapToRelations}. */
export interface MappingOptions {
  /**
   * Puts the constraints of the proposal into D beside those of the primary keys, and `unique` on the foreign keys of
   * one-to-one relationship sets. Default: false.
   */
  readonly explicitConstraints?: boolean | undefined;
}

/**
 * Makes relations in third normal form of a conceptual model and a proposal, by the steps of Elmasri and Navathe
 * (Fundamentals of Database Systems, 7th edition, section 9.1.1). An entity set is a relation; the keys of its owners
 * stand in it where its dependencies need them (weak entity sets). Many-to-one and one-to-one relationship sets become
 * foreign keys, with their attributes; many-to-many and n-ary ones become relations, called as they are. Keys follow
 * from the dependencies, and each relation is decomposed with a certificate. The same input gives the same design, and
 * its schema keeps Definition 1 whatever the input is. Never throws; what is wrong stands in `findings`, by the codes
 * of {@link MAPPING_CODES}, each with the role that can mend it.
 */
export function mapToRelations(
  model: ConceptualModel,
  proposal: LogicalProposal,
  options: MappingOptions = {},
): LogicalDesign {
  const findings: DesignFinding[] = [];
  const add = reporterInto(findings, MAPPING_CODES);
  const style = nameStyleOf(model);
  const design = readModel(model, proposal, add);
  const ordered = orderEntities(design, add);
  const written = writeKeys(ordered, style);
  const placed = design.relationships.map((relationship) =>
    placeRelationship(
      relationship,
      {
        keyNames: (entity) => (written.get(entity)?.key ?? []).map(({ name }) => name),
        keyed: (entity) => written.get(entity)?.keyed,
      },
      add,
    ),
  );
  const sets: BuiltSet[] = [];
  for (const entity of design.entities) {
    const columns = written.get(entity);
    if (columns === undefined) continue;
    reportKey(columns.keyed, add);
    if (columns.key.length === 0) continue;
    const held = placed.filter(
      ({ holder, relationship }) => holder !== undefined && relationship.participants[holder]?.entity === entity,
    );
    sets.push(buildEntity(columns, held, written, add));
  }
  for (const one of placed) {
    if (one.holder !== undefined) continue;
    const built = buildRelationship(one, written, style);
    if (built.columns.length > 0) sets.push(built);
    else
      add(
        'relationship-without-key',
        one.relationship.name,
        `Nothing identifies ${quoted(one.relationship.name)}: none of its participants has a key.`,
        'Name participants that are entity sets with attributes.',
      );
  }
  return writeDesign(
    sets,
    nameRelations(sets, style, add),
    { explicitConstraints: options.explicitConstraints ?? false, style },
    findings,
    add,
  );
}

/**
 * The names of relations: those that the proposal gives them, else those of the sets. Where two would be one, a
 * relationship set gets the names of its participants in front; entity sets and what is left get numbers.
 */
function nameRelations(sets: readonly BuiltSet[], style: NameStyle, add: MappingReporter): readonly string[] {
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
