import {
  type Attribute,
  attributeId,
  type DomainConstraint,
  type ForeignKey,
  foldName,
  foreignKeyId,
  indexSchema,
  nearestNames,
  type PrimaryKey,
  type Relation,
  relationId,
  type Schema,
} from '@askema/core';
import { type FunctionalDependency, synthesize3NF } from '@askema/normal-form';
import { foldedName, hint, quoted, quotedList } from '../conceptual/name-lookup.ts';
import { type DesignFindingCode, type FindingReporter, reporterInto, rowsFor } from '../finding-table.ts';
import type { DesignedRelation, DesignFinding, LogicalDesign, NamedRelation, NamedSchema } from '../model/index.ts';

const { error, warning } = rowsFor('logical-designer');

/** What `schemaOfNamed` can find in a schema with names. */
export const NAMED_SCHEMA_CODES = {
  'relation-name-empty': error('A relation has no name; it was left out.'),
  'relation-repeated': error('Two relations have one name; the later one was left out.'),
  'relation-without-attributes': error('A relation has no attributes; it was left out.'),
  'attribute-name-empty': error('An attribute has no name; it was left out.'),
  'attribute-repeated': error('A relation has an attribute twice; the later one was left out.'),
  'key-missing': error('A relation has no primary key.'),
  'key-attribute-unknown': error('A primary key names what is no attribute; the name was left out.'),
  'foreign-key-target-unknown': error('A foreign key references no relation; it was left out.'),
  'foreign-key-attribute-unknown': error(
    'A foreign key names what is no attribute, or not as many on both sides; it was left out.',
  ),
  'foreign-key-no-key': error('A foreign key references what is not the whole primary key; it was kept.'),
  'foreign-key-types-differ': warning('A foreign key connects attributes of different types.'),
} as const satisfies Readonly<Record<string, DesignFindingCode>>;

/** A code of {@link NAMED_SCHEMA_CODES}. */
type NamedSchemaCode = keyof typeof NAMED_SCHEMA_CODES;

type NamedSchemaReporter = FindingReporter<NamedSchemaCode>;

/** A relation of the schema with its attributes under folded names. */
interface Placed {
  readonly relation: Relation;
  readonly named: NamedRelation;
  readonly attributes: readonly Attribute[];
  readonly key: readonly Attribute[];
}

/**
 * A schema with names, made into the 5-tuple. Names are found without regard to case, blanks, underscores and hyphens,
 * and kept as they are written where they are declared. What does not fit is a finding and left out, by
 * {@link NAMED_SCHEMA_CODES}; a missing primary key and a foreign key to less than a key stay, so that the schema is
 * judged as it was meant. D has not null and unique on primary keys alone.
 */
export function schemaOfNamed(named: NamedSchema): { readonly schema: Schema; readonly findings: DesignFinding[] } {
  const findings: DesignFinding[] = [];
  const add = reporterInto(findings, NAMED_SCHEMA_CODES);
  const placed: Placed[] = [];
  const byName = new Map<string, Placed>();
  for (const relation of named.relations) {
    const one = placeRelation(relation, byName, add);
    if (one === undefined) continue;
    placed.push(one);
    byName.set(foldedName(relation.name), one);
  }
  const foreignKeys = new Map<string, ForeignKey>();
  for (const one of placed)
    for (const key of one.named.foreignKeys) {
      const made = foreignKeyOf(one, key, byName, add);
      if (made !== undefined && !foreignKeys.has(made.id)) foreignKeys.set(made.id, made);
    }
  const primaryKeys = placed.flatMap(({ relation, key }): PrimaryKey[] =>
    key.length === 0 ? [] : [{ relation: relation.id, attributes: key.map(({ id }) => id) }],
  );
  return {
    schema: {
      relations: placed.map(({ relation }) => relation),
      attributes: placed.flatMap(({ attributes }) => attributes),
      primaryKeys,
      foreignKeys: [...foreignKeys.values()],
      domainConstraints: primaryKeys.flatMap(({ attributes }) => keyConstraints(attributes)),
    },
    findings,
  };
}

/** The 5-tuple with names in place of ids; the constraints of D beyond the keys have no place in it. */
export function namedSchemaOf(schema: Schema): NamedSchema {
  const index = indexSchema(schema);
  const nameOf = (id: string): string => index.attribute(id)?.name ?? id;
  return {
    relations: schema.relations.map(({ id, name }) => ({
      name,
      attributes: index.attributesOf(id).map((attribute) => ({ name: attribute.name, type: attribute.type })),
      primaryKey: (index.primaryKey(id)?.attributes ?? []).map(nameOf),
      foreignKeys: index.foreignKeysFrom(id).map(({ target, pairs }) => ({
        attributes: pairs.map(({ from }) => nameOf(from)),
        target: index.relation(target)?.name ?? target,
        targetAttributes: pairs.map(({ to }) => nameOf(to)),
      })),
    })),
  };
}

/** Not null on each attribute of a key; unique where it is one alone. */
function keyConstraints(attributes: readonly string[]): DomainConstraint[] {
  return attributes.flatMap((attribute): DomainConstraint[] => [
    { attribute, constraint: 'not null' },
    ...(attributes.length === 1 ? [{ attribute, constraint: 'unique' as const }] : []),
  ]);
}

function placeRelation(
  named: NamedRelation,
  others: ReadonlyMap<string, Placed>,
  add: NamedSchemaReporter,
): Placed | undefined {
  const name = named.name.trim();
  if (name === '') {
    add('relation-name-empty', '', 'A relation has no name.', 'Name it, or leave it out.');
    return undefined;
  }
  if (others.has(foldedName(name))) {
    add('relation-repeated', name, `There are two relations ${quoted(name)}.`, 'Make one of them, or rename one.');
    return undefined;
  }
  const id = relationId([name]);
  const attributes: Attribute[] = [];
  const byName = new Map<string, Attribute>();
  for (const attribute of named.attributes) {
    const own = attribute.name.trim();
    if (own === '')
      add('attribute-name-empty', name, `An attribute of ${quoted(name)} has no name.`, 'Name it, or leave it out.');
    else if (byName.has(foldedName(own)))
      add('attribute-repeated', name, `${quoted(name)} has ${quoted(own)} twice.`, 'Keep one of them.');
    else {
      const made = { id: attributeId(id, own), relation: id, name: own, type: attribute.type };
      attributes.push(made);
      byName.set(foldedName(own), made);
    }
  }
  if (attributes.length === 0) {
    add(
      'relation-without-attributes',
      name,
      `${quoted(name)} has no attributes.`,
      'Give it attributes, or leave it out.',
    );
    return undefined;
  }
  const key = new Set<Attribute>();
  for (const member of named.primaryKey) {
    const attribute = byName.get(foldedName(member));
    if (attribute !== undefined) key.add(attribute);
    else
      add(
        'key-attribute-unknown',
        name,
        `The primary key of ${quoted(name)} names ${quoted(member)}, which is no attribute.${hint(
          nearestNames(
            member,
            attributes.map((one) => one.name),
          ),
        )}`,
        'Name attributes of the relation.',
      );
  }
  if (key.size === 0)
    add('key-missing', name, `${quoted(name)} has no primary key.`, 'Name the attributes that identify a row.');
  return { relation: { id, name }, named, attributes, key: [...key] };
}

function foreignKeyOf(
  from: Placed,
  key: NamedRelation['foreignKeys'][number],
  relations: ReadonlyMap<string, Placed>,
  add: NamedSchemaReporter,
): ForeignKey | undefined {
  const name = from.relation.name;
  const what = `A foreign key of ${quoted(name)} (${quotedList(key.attributes)})`;
  const to = relations.get(foldedName(key.target));
  if (to === undefined) {
    const names = [...relations.values()].map(({ relation }) => relation.name);
    add(
      'foreign-key-target-unknown',
      name,
      `${what} references ${quoted(key.target)}, which is no relation.${hint(nearestNames(key.target, names))}`,
      'Reference a relation of the schema, or add the relation.',
    );
    return undefined;
  }
  // Without target attributes the primary key is meant.
  const targetNames = key.targetAttributes.length > 0 ? key.targetAttributes : to.key.map((one) => one.name);
  const own = key.attributes.map((one) => attributeNamed(from, one));
  const target = targetNames.map((one) => attributeNamed(to, one));
  const pairs = own.flatMap((source, at) => {
    const other = target[at];
    return source === undefined || other === undefined ? [] : [{ source, other }];
  });
  if (pairs.length === 0 || pairs.length < own.length || own.length !== target.length) {
    const lost = [
      ...key.attributes.filter((_, at) => own[at] === undefined),
      ...targetNames.filter((_, at) => target[at] === undefined),
    ];
    const why =
      lost.length > 0
        ? `names ${quotedList(lost)}, which do not exist`
        : `has not as many attributes as ${quoted(to.relation.name)} is referenced by`;
    add('foreign-key-attribute-unknown', name, `${what} ${why}.`, 'Name one attribute of each side for each pair.');
    return undefined;
  }
  const referenced = new Set(pairs.map(({ other }) => other));
  if (referenced.size !== to.key.length || !to.key.every((one) => referenced.has(one)))
    add(
      'foreign-key-no-key',
      name,
      `${what} references ${quotedList([...referenced].map((one) => one.name))} of ${quoted(to.relation.name)}, which is not its primary key.`,
      `Reference the whole primary key${to.key.length === 0 ? '' : `, ${quotedList(to.key.map((one) => one.name))}`}.`,
    );
  const odd = pairs.find(({ source, other }) => source.type !== other.type);
  if (odd !== undefined)
    add(
      'foreign-key-types-differ',
      name,
      `${quoted(odd.source.name)} of ${quoted(name)} is ${odd.source.type}, ${quoted(odd.other.name)} of ${quoted(to.relation.name)} is ${odd.other.type}.`,
      'Give both one type.',
    );
  const ids = pairs.map(({ source, other }) => ({ from: source.id, to: other.id }));
  return {
    id: foreignKeyId(from.relation.id, to.relation.id, ids),
    relation: from.relation.id,
    target: to.relation.id,
    pairs: ids,
  };
}

/** By its folded name; where two differ in case alone, the first. */
function attributeNamed({ attributes }: Placed, name: string): Attribute | undefined {
  const exact = attributes.find((one) => foldName(one.name, 'insensitive') === foldName(name.trim(), 'insensitive'));
  return exact ?? attributes.find((one) => foldedName(one.name) === foldedName(name));
}

/**
 * A design for a schema that came without dependencies, as baselines write it: the primary key of a relation determines
 * its other attributes, which says nothing about what else may hold. A relation without a primary key has no
 * dependencies. `findings` are those of `schemaOfNamed`. `further` gives what else is known to hold in a relation.
 */
export function designOfNamed(
  named: NamedSchema,
  further: (relation: string) => readonly FunctionalDependency[] = () => [],
): LogicalDesign {
  const { schema, findings } = schemaOfNamed(named);
  const relations: DesignedRelation[] = [];
  const decompositions: LogicalDesign['decompositions'][number][] = [];
  for (const [at, { name, attributes, primaryKey }] of namedSchemaOf(schema).relations.entries()) {
    const names = attributes.map((attribute) => attribute.name);
    const right = names.filter((one) => !primaryKey.includes(one));
    const ofKey = primaryKey.length === 0 || right.length === 0 ? [] : [{ left: primaryKey, right }];
    const dependencies = [...ofKey, ...further(name)];
    decompositions.push(synthesize3NF({ name, attributes: names, dependencies }, { preferredKey: primaryKey }));
    relations.push({
      relation: schema.relations[at]?.id ?? '',
      name,
      source: { set: name, kind: 'entity' },
      absorbed: [],
      dependencies,
      candidateKeys: primaryKey.length === 0 ? [] : [primaryKey],
    });
  }
  return { schema, relations, decompositions, findings };
}
