import { type Attribute, type AttributeId, type Catalog, createNameFilter, type NameParts } from '@askema/core';
import { isComparable } from '@askema/grounding';
import { attributeEntry } from '../store/check-catalog.ts';
import { isPersonalAttribute } from './personal-attributes.ts';

export interface AttributeChoice {
  /** Globs over `relation.attribute`; a glob without a dot is held against the attribute's own name. Undefined: all. */
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  readonly excludePersonal?: boolean | undefined;
}

/** An attribute whose cells belong into the index. */
export interface PlannedAttribute {
  readonly id: AttributeId;
  readonly name: string;
  readonly relation: NameParts;
  /** `relation.attribute`, for people. */
  readonly label: string;
  readonly rowCount: number | undefined;
  /** A hash of what the catalog says of it. */
  readonly entry: string;
}

/**
 * The text attributes of a catalog that a choice lets through, those of small relations first, so that a budget reads
 * as many as it can. Nested attributes are no text. Remote relations are left out. Views count only where there is no
 * table: their cells are those of their tables.
 */
export function planAttributes(catalog: Catalog, choice: AttributeChoice): readonly PlannedAttribute[] {
  const included = attributeFilter(choice.include, catalog);
  const excluded = choice.exclude === undefined ? () => false : attributeFilter(choice.exclude, catalog);
  const hasTables = catalog.schema.relations.some(({ id }) => catalog.relations[id]?.kind !== 'view');
  const planned: PlannedAttribute[] = [];
  for (const attribute of catalog.schema.attributes) {
    const relation = catalog.relations[attribute.relation];
    if (
      relation === undefined ||
      relation.remote === true ||
      !isText(catalog, attribute) ||
      (hasTables && relation.kind === 'view')
    )
      continue;
    if (!included(relation.nameParts, attribute.name) || excluded(relation.nameParts, attribute.name)) continue;
    const comment = catalog.attributes[attribute.id]?.comment;
    if (choice.excludePersonal === true && isPersonalAttribute(attribute.name, comment)) continue;
    planned.push({
      id: attribute.id,
      name: attribute.name,
      relation: relation.nameParts,
      label: `${relation.nameParts.relation}.${attribute.name}`,
      rowCount: relation.rowCount,
      entry: attributeEntry(catalog, attribute),
    });
  }
  const rows = ({ rowCount }: PlannedAttribute): number => rowCount ?? Number.MAX_SAFE_INTEGER;
  return planned.sort((a, b) => rows(a) - rows(b));
}

function isText(catalog: Catalog, attribute: Attribute): boolean {
  const info = catalog.attributes[attribute.id];
  return attribute.type === 'TEXT' && (info?.nestedFields ?? []).length === 0 && isComparable(attribute, info);
}

function attributeFilter(
  globs: readonly string[] | undefined,
  { nameComparison }: Catalog,
): (relation: NameParts, attribute: string) => boolean {
  if (globs === undefined) return () => true;
  const ofPlace = createNameFilter(
    globs.filter((glob) => glob.includes('.')),
    nameComparison,
  );
  const ofName = createNameFilter(
    globs.filter((glob) => !glob.includes('.')),
    nameComparison,
  );
  return (relation, attribute) => {
    const local = `${relation.relation}.${attribute}`;
    return ofName({ relation: attribute }) || ofPlace({ relation: local }) || ofPlace({ ...relation, relation: local });
  };
}
