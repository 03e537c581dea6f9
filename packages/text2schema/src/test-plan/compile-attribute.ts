import { type Attribute, type AttributeId, didYouMean, type ForeignKey } from '@askema/core';
import { type CompileGround, CompileProblem, namesOf, roleForMissing } from './compile-ground.ts';
import { isSameSource, ownKey, ownRole, refersTo } from './compile-reference.ts';
import type { Target } from './compile-target.ts';
import { foldWords } from './fold-words.ts';

/** Where a cell of the plan belongs. */
export type Place =
  /** An attribute of the target: also the near side of a foreign key, when the cell names what it refers to. */
  | { readonly kind: 'own'; readonly attribute: Attribute }
  /** An attribute of a row that the target refers to; it tells which row is meant. */
  | { readonly kind: 'referred'; readonly attribute: Attribute; readonly foreignKey: ForeignKey };

/**
 * The attribute of the target that a cell names, or undefined: as it is spelled, folded, with the name of its owner in
 * front, by what a foreign key refers to (`Customer`, `Customer ID`), and at last an attribute of the row that one
 * foreign key refers to.
 *
 * @throws CompileProblem where several are meant alike.
 */
export function findPlace(ground: CompileGround, target: Target, name: string): Place | undefined {
  const own = target.relations.flatMap((relation) => ground.index.attributesOf(relation));
  const folded = foldWords(name);
  const owners = [...target.relations.flatMap((relation) => namesOf(ground, relation)), target.name].map(foldWords);
  const called = (matches: (known: Attribute) => boolean): Attribute | undefined =>
    oneOf(ground, target, name, own.filter(matches));
  const attribute =
    called((known) => known.name === name) ??
    called((known) => foldWords(known.name) === folded) ??
    called((known) => isOwned(foldWords(known.name), folded, owners)) ??
    ownKey(ground, target, folded) ??
    called((known) => refersTo(ground, known, folded)) ??
    ownRole(ground, target, folded);
  if (attribute !== undefined) return { kind: 'own', attribute };
  return referredPlace(ground, target, name, folded);
}

/** @throws CompileProblem where there is none. */
export function placeOf(ground: CompileGround, target: Target, name: string): Place {
  const place = findPlace(ground, target, name);
  if (place === undefined) throw noPlace(ground, target, name);
  return place;
}

/** A name that means nothing in the target: with the nearest names, and who can make room for it. */
export function noPlace(ground: CompileGround, target: Target, name: string): CompileProblem {
  const known = target.relations.flatMap((relation) => ground.index.attributesOf(relation)).map((own) => own.name);
  const elsewhere = ground.design.schema.attributes.filter((other) => foldWords(other.name) === foldWords(name));
  const others = [...new Set(elsewhere.map(({ relation }) => ground.index.relation(relation)?.name ?? relation))];
  const hint = didYouMean(name, known);
  return new CompileProblem(
    roleForMissing(ground, target.name, name),
    `${JSON.stringify(target.name)} has no place for ${JSON.stringify(name)}; it has ${known.map((own) => JSON.stringify(own)).join(', ')}.${hint && ` ${hint}`}${others.length === 0 ? '' : ` There is one in ${others.map((other) => JSON.stringify(other)).join(', ')}.`}`,
  );
}

/** `Customer Name` for `Name` of the customer, and the other way round. */
export function isOwned(known: string, wanted: string, owners: readonly string[]): boolean {
  return owners.some((owner) => known === owner + wanted || owner + known === wanted);
}

/** The parts of a decomposed set share attributes; the one of the first relation stands for all. */
function oneOf(
  ground: CompileGround,
  target: Target,
  name: string,
  found: readonly Attribute[],
): Attribute | undefined {
  const [first, ...rest] = found;
  if (first === undefined) return undefined;
  const others = rest.filter((other) => !isSameFact(ground, first, other));
  if (others.length > 0)
    throw new CompileProblem(
      'qa-engineer',
      `${JSON.stringify(name)} of ${JSON.stringify(target.name)} may be any of ${found.map((attribute) => JSON.stringify(attribute.name)).join(', ')}; write the one that is meant.`,
    );
  return first;
}

function isSameFact(ground: CompileGround, first: Attribute, other: Attribute): boolean {
  return first.id === other.id || (first.relation !== other.relation && sharedFacts(ground, first.id).has(other.id));
}

/** Attributes that hold the same value by foreign keys, in either direction, among parts of one set. */
export function sharedFacts(ground: CompileGround, attribute: AttributeId): ReadonlySet<AttributeId> {
  const source = (id: AttributeId): string | undefined => {
    const relation = ground.index.attribute(id)?.relation;
    return relation === undefined ? undefined : ground.designed.get(relation)?.source.set;
  };
  const set = source(attribute);
  const facts = new Set([attribute]);
  if (set === undefined) return facts;
  for (const fact of facts) {
    const relation = ground.index.attribute(fact)?.relation ?? '';
    const keys = [...ground.index.foreignKeysFrom(relation), ...ground.index.foreignKeysTo(relation)];
    for (const { pairs, relation: from, target } of keys) {
      if (from === target) continue;
      for (const pair of pairs) {
        if (pair.from === fact && source(pair.to) === set) facts.add(pair.to);
        if (pair.to === fact && source(pair.from) === set) facts.add(pair.from);
      }
    }
  }
  return facts;
}

/** `Customer Name` in an order: it tells which customer. Only where one foreign key leads there. */
function referredPlace(ground: CompileGround, target: Target, name: string, folded: string): Place | undefined {
  const places = ground.index.foreignKeysFrom(target.main).flatMap((foreignKey): Place[] => {
    if (foreignKey.pairs.length !== 1 || isSameSource(ground, target.main, foreignKey.target)) return [];
    const owners = namesOf(ground, foreignKey.target).map(foldWords);
    return ground.index
      .attributesOf(foreignKey.target)
      .filter((far) => isNameOfFar(foldWords(far.name), folded, owners))
      .map((attribute) => ({ kind: 'referred', attribute, foreignKey }));
  });
  if (places.length > 1)
    throw new CompileProblem(
      'qa-engineer',
      `${JSON.stringify(name)} of ${JSON.stringify(target.name)} may belong to several rows that it refers to; write the key of the one that is meant.`,
    );
  return places[0];
}

function isNameOfFar(known: string, wanted: string, owners: readonly string[]): boolean {
  return owners.some(
    (owner) => owner + known === wanted || (known === wanted && known.startsWith(owner) && known !== owner),
  );
}
