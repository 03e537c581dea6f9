import {
  type Attribute,
  attributeId,
  type DomainConstraint,
  type ForeignKey,
  foreignKeyId,
  type PrimaryKey,
  type Relation,
  relationId,
} from '@askema/core';
import { candidateKeys, type Decomposition, nameOfKey, normalFormOf, synthesize3NF } from '@askema/normal-form';
import { foldedName, quoted, quotedList } from '../conceptual/name-lookup.ts';
import type { DesignedRelation, DesignFinding, LogicalDesign } from '../model/index.ts';
import type { BuiltSet } from './build-sets.ts';
import { KEY_LIMITS } from './choose-key.ts';
import { type Column, columnType } from './columns.ts';
import type { MappingReporter } from './mapping-codes.ts';
import { type NameStyle, prefixed } from './reference-name.ts';

interface Written {
  readonly built: BuiltSet;
  readonly decomposition: Decomposition;
  /** The primary key of each part. */
  readonly keys: ReadonlyMap<string, readonly string[]>;
}

/** What a design is made of while it is written. */
interface Draft {
  readonly relations: Relation[];
  readonly attributes: Attribute[];
  readonly primaryKeys: PrimaryKey[];
  readonly foreignKeys: Map<string, ForeignKey>;
  readonly domainConstraints: DomainConstraint[];
  readonly designed: DesignedRelation[];
}

/**
 * Decomposes the sets and writes them as the 5-tuple. Relations stand in the order of the sets, parts behind the one
 * that keeps the key.
 */
export function writeDesign(
  sets: readonly BuiltSet[],
  names: readonly string[],
  options: { readonly explicitConstraints: boolean; readonly style: NameStyle },
  findings: DesignFinding[],
  add: MappingReporter,
): LogicalDesign {
  const taken = new Set(names);
  const written = sets.map((built, at): Written => {
    const decomposition = decompose(built, names[at] ?? built.set.name, taken, options.style);
    for (const { name } of decomposition.relations) taken.add(name);
    if (decomposition.relations.length > 1) reportDecomposed(built, decomposition, sets, add);
    return { built, decomposition, keys: primaryKeysOf(decomposition) };
  });
  const draft: Draft = {
    relations: [],
    attributes: [],
    primaryKeys: [],
    foreignKeys: new Map(),
    domainConstraints: [],
    designed: [],
  };
  for (const one of written) writeParts(one, options.explicitConstraints, draft);
  const heads = new Map<number, Written>();
  for (const one of written) if (one.built.set.kind === 'entity') heads.set(one.built.set.index, one);
  for (const one of written) writeForeignKeys(one, heads, draft, add);
  return {
    schema: {
      relations: draft.relations,
      attributes: draft.attributes,
      primaryKeys: draft.primaryKeys,
      foreignKeys: [...draft.foreignKeys.values()],
      domainConstraints: draft.domainConstraints,
    },
    relations: draft.designed,
    decompositions: written.map(({ decomposition }) => decomposition),
    findings,
  };
}

function decompose(built: BuiltSet, name: string, taken: ReadonlySet<string>, style: NameStyle): Decomposition {
  const folded = new Set([...taken].map(foldedName));
  return synthesize3NF(
    { name, attributes: built.columns.map((column) => column.name), dependencies: built.dependencies },
    {
      preferredKey: built.key,
      taken,
      // `Major` where nothing is called so, else `Student Major`.
      nameOf: (key, attributes) => {
        const short = withoutNameWord(nameOfKey(key, attributes));
        return folded.has(foldedName(short)) ? prefixed(name, short, style) : short;
      },
    },
  );
}

/**
 * The first part keeps its key, because others reference it. Another part gets that of its keys by which the parts
 * reference it most: F only knows primary keys (Text2Schema, Definition 1).
 */
function primaryKeysOf({ relations, foreignKeys }: Decomposition): ReadonlyMap<string, readonly string[]> {
  return new Map(
    relations.map(({ name, key, alternateKeys }, at) => {
      const uses = (one: readonly string[]): number =>
        foreignKeys.filter(({ to, attributes }) => to === name && sameNames(attributes, one)).length;
      const others = at === 0 ? [] : alternateKeys;
      return [name, others.reduce((best, one) => (uses(one) > uses(best) ? one : best), key)];
    }),
  );
}

/** `Publisher` for `Publisher Name`: the thing, not what it is called. */
function withoutNameWord(name: string): string {
  const shorter = name.replace(/(?:(?<![\s_])[\s_]+name|(?<=\p{Ll})Name|名称|名)$/iu, '');
  return shorter === '' ? name : shorter;
}

function reportDecomposed(
  { set, references }: BuiltSet,
  { original, relations }: Decomposition,
  sets: readonly BuiltSet[],
  add: MappingReporter,
): void {
  const [violation] = normalFormOf(original, KEY_LIMITS).violations.filter(({ breaks }) => breaks !== 'BCNF');
  add(
    'decomposed',
    set.name,
    `${quoted(set.name)} became ${quotedList(relations.map(({ name }) => name))}.${violation === undefined ? '' : ` ${violation.reason}`}`,
    'If that is right, leave it. Where a dependency does not hold in every row, take it out; where a part is a thing of its own, tell the conceptual designer.',
  );
  for (const part of relations.slice(1)) {
    const owner = references.find(({ columns }) =>
      sameNames(
        part.key,
        columns.map(({ name }) => name),
      ),
    );
    const entity = sets.find((one) => one.set.kind === 'entity' && one.set.index === owner?.entity)?.set.name;
    const connecting = references.flatMap(({ columns }) => columns.map(({ name }) => name));
    const facts = part.attributes.filter((name) => !part.key.includes(name) && !connecting.includes(name));
    if (entity === undefined || facts.length === 0) continue;
    add(
      'attribute-of-connected-entity',
      set.name,
      `${quotedList(facts)} of ${quoted(set.name)} depends on ${quoted(entity)} alone.`,
      `Move it to ${quoted(entity)}, if it is a fact of that; else it stays in a relation beside it, ${quoted(part.name)}.`,
    );
  }
}

/**
 * Relations, attributes, keys and domain constraints. D as in the paper (section 4.1): not null and unique on primary
 * keys alone. Of a composite key each attribute is not null; only the whole of it is unique, which P says already, so
 * that `unique` stands on keys of one attribute.
 */
function writeParts({ built, decomposition, keys: primaryKeys }: Written, explicit: boolean, draft: Draft): void {
  const columns = new Map(built.columns.map((column) => [column.name, column]));
  const constrained = new Set<string>();
  for (const [at, part] of decomposition.relations.entries()) {
    const id = relationId([part.name]);
    const primary = primaryKeys.get(part.name) ?? part.key;
    draft.relations.push({ id, name: part.name });
    draft.primaryKeys.push({ relation: id, attributes: primary.map((name) => attributeId(id, name)) });
    for (const name of part.attributes) {
      const column = columns.get(name);
      if (column === undefined) continue;
      const attribute = attributeId(id, name);
      draft.attributes.push({ id: attribute, relation: id, name, type: columnType(column) });
      const constraints = new Set<DomainConstraint['constraint']>();
      if (primary.includes(name)) constraints.add('not null');
      if (primary.length === 1 && primary[0] === name) constraints.add('unique');
      if (explicit && !constrained.has(name))
        for (const one of explicitConstraints(column, built)) constraints.add(one);
      constrained.add(name);
      for (const constraint of ['not null', 'unique'] as const)
        if (constraints.has(constraint)) draft.domainConstraints.push({ attribute, constraint });
    }
    const { keys } = candidateKeys(part, KEY_LIMITS);
    draft.designed.push({
      relation: id,
      name: part.name,
      source: { set: built.set.name, kind: built.set.kind },
      absorbed: at === 0 ? built.absorbed : [],
      dependencies: part.dependencies,
      candidateKeys: keys.some((key) => sameNames(key, primary)) ? keys : [primary, ...keys],
    });
  }
}

/**
 * Those that the designer read in the requirement, and `unique` on the foreign key of a one-to-one relationship set.
 */
function explicitConstraints(column: Column, { references }: BuiltSet): readonly DomainConstraint['constraint'][] {
  const alone = references.some(({ columns, unique }) => unique && columns.length === 1 && columns[0] === column);
  return alone ? [...column.constraints, 'unique'] : column.constraints;
}

/** Foreign keys between the parts, and from the parts to the entity sets. */
function writeForeignKeys(
  { built, decomposition, keys }: Written,
  heads: ReadonlyMap<number, Written>,
  draft: Draft,
  add: MappingReporter,
): void {
  const put = (from: string, to: string, pairs: readonly (readonly [string, string])[]): void => {
    const [relation, target] = [relationId([from]), relationId([to])];
    const key = pairs.map(([own, other]) => ({ from: attributeId(relation, own), to: attributeId(target, other) }));
    const id = foreignKeyId(relation, target, key);
    if (!draft.foreignKeys.has(id)) draft.foreignKeys.set(id, { id, relation, target, pairs: key });
  };
  const derived = decomposition.foreignKeys.filter(({ from, to, attributes }) => {
    if (sameNames(attributes, keys.get(to) ?? [])) return true;
    add(
      'foreign-key-to-other-key',
      built.set.name,
      `${quoted(from)} references ${quotedList(attributes)} of ${quoted(to)}, whose primary key is ${quotedList(keys.get(to) ?? [])}.`,
      'Write the dependencies with one of the two keys on the left side, always the same.',
    );
    return false;
  });
  for (const { from, to, attributes } of derived)
    put(
      from,
      to,
      attributes.map((name) => [name, name]),
    );
  for (const { columns, targets, entity } of built.references) {
    const head = heads.get(entity)?.decomposition.relations[0];
    if (head === undefined) continue;
    const names = columns.map(({ name }) => name);
    const holds = decomposition.relations.filter(({ attributes }) => names.every((name) => attributes.includes(name)));
    if (holds.length === 0)
      add(
        'foreign-key-split',
        built.set.name,
        `The reference of ${quoted(built.set.name)} to ${quoted(head.name)} (${quotedList(names)}) stands in no part as a whole.`,
        'Take out the dependencies that tear it apart, if they do not hold in every row.',
      );
    for (const part of holds) {
      // A part that references another one by the same attributes leaves the way on to that one.
      const passedOn = derived.some(
        ({ from, to, attributes }) =>
          from === part.name && holds.some(({ name }) => name === to) && sameNames(attributes, names),
      );
      if (!passedOn)
        put(
          part.name,
          head.name,
          names.map((name, at) => [name, targets[at]?.name ?? '']),
        );
    }
  }
}

function sameNames(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name) => b.includes(name));
}
