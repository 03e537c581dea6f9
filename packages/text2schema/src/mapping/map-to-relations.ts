import { quoted } from '../conceptual/name-lookup.ts';
import { reporterInto } from '../finding-table.ts';
import type { ConceptualModel, DesignFinding, LogicalDesign, LogicalProposal } from '../model/index.ts';
import { type BuiltSet, buildEntity, buildRelationship, writeKeys } from './build-sets.ts';
import { orderEntities } from './entity-order.ts';
import { MAPPING_CODES } from './mapping-codes.ts';
import { placeRelationship } from './place-relationship.ts';
import { readModel } from './read-model.ts';
import { nameStyleOf } from './reference-name.ts';
import { nameRelations } from './relation-names.ts';
import { reportKey } from './report-key.ts';
import { writeDesign } from './write-design.ts';

/** Options of {@link mapToRelations}. */
export interface MappingOptions {
  /**
   * Puts the constraints of the proposal into D beside those of the primary keys, and `unique` on the foreign keys of one-to-one relationship
   * sets. Default: false.
   */
  readonly explicitConstraints?: boolean | undefined;
}

/**
 * Makes relations in third normal form of a conceptual model and a proposal, by the steps of Elmasri and Navathe (Fundamentals of Database
 * Systems, 7th edition, section 9.1.1). An entity set is a relation; the keys of its owners stand in it where its dependencies need them
 * (weak entity sets). Many-to-one and one-to-one relationship sets become foreign keys, with their attributes; many-to-many and n-ary ones become
 * relations, called as they are. Keys follow from the dependencies, and each relation is decomposed with a certificate. The same input gives the
 * same design, and its schema keeps Definition 1 whatever the input is. Never throws; what is wrong stands in `findings`, by the codes of
 * {@link MAPPING_CODES}, each with the role that can mend it.
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
