import type { AttributeId, ForeignKey, JoinPath, RelationId, SchemaIndex } from '@askema/core';
import { singularOf } from '@askema/grounding';
import type { ResolvedQuery } from '../../resolve/resolved-query.ts';
import { type JoinGraph, type JoinLink, keysBetween } from './join-graph.ts';

/** The longest way between two relations that is offered instead of a link that follows no key. */
const MAX_PATH_STEPS = 3;

/** A pair of relations whose only connection follows no key. */
export interface LooseLink {
  readonly link: JoinLink;
  readonly left: AttributeId;
  readonly right: AttributeId;
  /** Foreign keys between the two relations, that the statement does not use. */
  readonly keys: readonly ForeignKey[];
  /** Ways over relations that the statement does not have; of links without `keys`. */
  readonly bridges: readonly JoinPath[];
  /** What connects the two by its name, where no key is declared. */
  readonly inferred: InferredPair | undefined;
  /** A composite key that the statement uses only in part. */
  readonly partial: ForeignKey | undefined;
  /** Both sides are taken: each is a key, or refers to one, and the two are different things. */
  readonly isWrong: boolean;
}

/**
 * The links of a block that follow no key and that nothing excuses: no declared key on both sides, no names that fit
 * where nobody declared keys, no other way along keys between the two relations (then the pair is a condition and no
 * join).
 */
export function looseLinks(query: ResolvedQuery, graph: JoinGraph): readonly LooseLink[] {
  const { index } = query;
  const pairs = new Map<string, Known[]>();
  for (const link of graph.links) {
    const known = knownSides(link);
    if (known === undefined) continue;
    const id = [link.left.relation, link.right.relation].sort((a, b) => a - b).join(' ');
    pairs.set(id, [...(pairs.get(id) ?? []), known]);
  }
  const followsKey = ({ left, right }: Known): boolean => sharesKey(index, left, right);
  const component = components(graph, (link) => {
    const known = knownSides(link);
    // What cannot be judged connects.
    return known === undefined || followsKey(known);
  });
  const found: LooseLink[] = [];
  for (const links of pairs.values()) {
    const partial = partialKey(query, links);
    const [first] = links;
    if (first === undefined) continue;
    if (links.some(followsKey)) {
      if (partial !== undefined)
        found.push({ ...first, keys: [partial], bridges: [], inferred: undefined, partial, isWrong: false });
      found.push(...links.filter((known) => isContrary(query, known)).map((known) => ({ ...known, ...NOTHING })));
      continue;
    }
    if (component[first.link.left.relation] === component[first.link.right.relation]) continue;
    const loose = links.map((known) => judge(query, graph, known)).filter((one) => one !== undefined);
    // One of several pairs that is in order by its name is the join; the others are conditions.
    if (loose.length < links.length) continue;
    const [worst] = loose.sort((a, b) => Number(b.isWrong) - Number(a.isWrong));
    if (worst !== undefined) found.push(worst);
  }
  return found;
}

interface Known {
  readonly link: JoinLink;
  readonly left: AttributeId;
  readonly right: AttributeId;
}

function knownSides(link: JoinLink): Known | undefined {
  const { attribute: left } = link.left;
  const { attribute: right } = link.right;
  return left === undefined || right === undefined ? undefined : { link, left, right };
}

function judge(query: ResolvedQuery, graph: JoinGraph, known: Known): LooseLink | undefined {
  const { index } = query;
  const [left, right] = [known.left, known.right].map((id) => index.attribute(id)?.relation);
  if (left === undefined || right === undefined || left === right) return undefined;
  const loose = {
    ...known,
    keys: keysBetween(query, left, right),
    bridges: [],
    inferred: undefined,
    partial: undefined,
  };
  const areAlike = index.attribute(known.left)?.type === index.attribute(known.right)?.type;
  if (loose.keys.length > 0) return { ...loose, isWrong: !(areAlike && mayRefer(query, known)) };
  const isPair = ({ from, to }: InferredPair): boolean =>
    (known.left === from && known.right === to) || (known.right === from && known.left === to);
  const inferred = inferredPair(index, left, right);
  if (inferred !== undefined && isPair(inferred)) return undefined;
  if (inferred !== undefined && !namesFit(index, known.left, known.right))
    return { ...loose, inferred, isWrong: false };
  if (!hasForeignKeys(index, left) || !hasForeignKeys(index, right)) return undefined;
  const fits = namesFit(index, known.left, known.right);
  const areTaken = isTaken(query, known.left, right) && isTaken(query, known.right, left);
  if (fits && areAlike) return undefined;
  // A column without a key of its own that is compared with a key: perhaps a reference that nobody declared.
  const isUndeclared = [known.left, known.right].some((id) => targetsOf(index, id).length === 0 && !index.isUnique(id));
  const isToKey = [known.left, known.right].some((id) => index.isUnique(id));
  if (isUndeclared && isToKey && areAlike && namesFitLoosely(query, known)) return undefined;
  const present = new Set(graph.nodes.flatMap(({ resolved }) => (resolved.kind === 'relation' ? [resolved.id] : [])));
  const bridges = index
    .joinPaths(left, right, { limit: 20, maxSteps: MAX_PATH_STEPS })
    .filter((path) => path.slice(0, -1).some(({ to }) => !present.has(to)));
  return { ...loose, bridges, isWrong: areTaken };
}

/**
 * A key compared with a column that is neither a key nor refers to anything: `capital = city.id` may be a reference
 * that nobody declared.
 */
function mayRefer({ index }: ResolvedQuery, { left, right }: Known): boolean {
  const isPlain = (id: AttributeId): boolean => targetsOf(index, id).length === 0 && !index.isUnique(id);
  return (index.isUnique(left) && isPlain(right)) || (index.isUnique(right) && isPlain(left));
}

const NOTHING = { keys: [], bridges: [], inferred: undefined, partial: undefined, isWrong: true } as const;

/**
 * A pair beside the key that compares two things which the schema tells apart: references to, or keys of, different
 * relations.
 */
function isContrary(query: ResolvedQuery, { link, left, right }: Known): boolean {
  const [one, other] = [left, right].map((id) => query.index.attribute(id)?.relation);
  if (one === undefined || other === undefined || one === other || !link.exact) return false;
  if (sharesKey(query.index, left, right) || namesFit(query.index, left, right)) return false;
  return isTaken(query, left, other) && isTaken(query, right, one);
}

/** A key that others refer to, or a reference to another relation than the given one. */
function isTaken(query: ResolvedQuery, id: AttributeId, other: RelationId): boolean {
  return targetsOf(query.index, id).some((target) => target !== other) || isReferredTo(query, id);
}

/** A shared word of three letters or more: `home_team` and `team_number`. */
function namesFitLoosely(query: ResolvedQuery, { left, right }: Known): boolean {
  const words = (id: AttributeId): readonly string[] => {
    const attribute = query.index.attribute(id);
    const relation = attribute === undefined ? undefined : query.index.relation(attribute.relation);
    const parts = `${attribute?.name ?? ''} ${query.index.isUnique(id) ? (relation?.name ?? '') : ''}`;
    return parts
      .toLowerCase()
      .split(/[^\p{L}]+/u)
      .filter((word) => word.length > 2);
  };
  const others = words(right);
  return words(left).some((word) => others.some((other) => other.startsWith(word) || word.startsWith(other)));
}

function isReferredTo(query: ResolvedQuery, id: AttributeId): boolean {
  const owner = query.index.attribute(id)?.relation;
  if (owner === undefined) return false;
  return query.index.foreignKeysTo(owner).some(({ pairs }) => pairs.some(({ to }) => to === id));
}

/** The composite foreign key between two relations that is used only in part; none where another key is used whole. */
function partialKey(query: ResolvedQuery, links: readonly Known[]): ForeignKey | undefined {
  const [first] = links;
  const [left, right] = [first?.left, first?.right].map((id) => query.index.attribute(id ?? '')?.relation);
  if (left === undefined || right === undefined) return undefined;
  const has = (pair: ForeignKey['pairs'][number]): boolean =>
    links.some(
      (link) =>
        (link.left === pair.from && link.right === pair.to) || (link.right === pair.from && link.left === pair.to),
    );
  const keys = keysBetween(query, left, right);
  if (keys.some(({ pairs }) => pairs.every(has))) return undefined;
  return keys.find(({ pairs }) => pairs.some(has));
}

/** For each relation of the block the number of its group, where relations with an accepted link share one. */
export function components(graph: JoinGraph, accepts: (link: JoinLink) => boolean): number[] {
  const group = graph.nodes.map(({ relation }) => relation);
  for (const link of graph.links) {
    if (!accepts(link)) continue;
    const [one, other] = [group[link.left.relation], group[link.right.relation]];
    for (const [at, value] of group.entries()) if (value === other) group[at] = one ?? 0;
  }
  return group;
}

/** Key names that say nothing without the name of their relation. */
const BARE_NAMES: ReadonlySet<string> = new Set([
  'id',
  'code',
  'key',
  'number',
  'no',
  'nr',
  'num',
  'uid',
  'name',
  'pk',
]);

/** The attributes that an attribute refers to along foreign keys, any number of steps, with itself. */
function referredAttributes(index: SchemaIndex, attribute: AttributeId): ReadonlySet<AttributeId> {
  const found = new Set([attribute]);
  for (const next of found) {
    const owner = index.attribute(next)?.relation;
    if (owner === undefined) continue;
    for (const key of index.foreignKeysFrom(owner))
      for (const { from, to } of key.pairs) if (from === next) found.add(to);
  }
  return found;
}

/** True when the values of both are those of one key: one refers to the other, or both to a third. */
export function sharesKey(index: SchemaIndex, left: AttributeId, right: AttributeId): boolean {
  const referred = referredAttributes(index, left);
  for (const attribute of referredAttributes(index, right)) if (referred.has(attribute)) return true;
  return false;
}

/** Relations that an attribute refers to by a foreign key of its own. */
function targetsOf(index: SchemaIndex, attribute: AttributeId): readonly RelationId[] {
  const owner = index.attribute(attribute)?.relation;
  if (owner === undefined) return [];
  return index
    .foreignKeysFrom(owner)
    .filter(({ pairs }) => pairs.some(({ from }) => from === attribute))
    .map(({ target }) => target);
}

/** True when foreign keys of the relation or to it are declared at all. */
function hasForeignKeys(index: SchemaIndex, relation: RelationId): boolean {
  return index.foreignKeysFrom(relation).length > 0 || index.foreignKeysTo(relation).length > 0;
}

/**
 * True when names alone make a join plausible, as where nobody declared keys: the same name, one that ends in the other
 * (`country_code`, `code`), or one with the name of the other's relation in it (`channel`, `tv_channel.id`). Two keys
 * that are both called `id`, or the like, say nothing.
 */
export function namesFit(index: SchemaIndex, left: AttributeId, right: AttributeId): boolean {
  const [a, b] = [left, right].map((id) => {
    const attribute = index.attribute(id);
    const relation = attribute === undefined ? undefined : index.relation(attribute.relation);
    return {
      name: squash(attribute?.name ?? ''),
      relation: singularOf(squash(relation?.name ?? '')),
      isKey: index.isUnique(id),
    };
  });
  if (a === undefined || b === undefined) return false;
  if (BARE_NAMES.has(a.name) && BARE_NAMES.has(b.name) && a.isKey && b.isKey) return false;
  if (a.name.endsWith(b.name) || b.name.endsWith(a.name)) return true;
  const stem = (name: string): string => singularOf(name.replace(/(?:id|code|key|no|num|number)$/, ''));
  const isStemOf = (one: string, other: string): boolean =>
    one.length > 2 && other.length > 2 && (other.endsWith(one) || one.endsWith(other));
  return (
    isStemOf(stem(a.name), b.relation) || isStemOf(stem(b.name), a.relation) || isStemOf(stem(a.name), stem(b.name))
  );
}

/** A reference that nobody declared, as its name gives it away: `flights.airline` and the key of `airlines`. */
interface InferredPair {
  readonly from: AttributeId;
  readonly to: AttributeId;
}

/**
 * The one attribute of either relation that is called like the other relation, or like its key, and has the type of
 * that key; where no primary key is known, the one number that both have by the same name. Undefined where there is
 * none, or several.
 */
function inferredPair(index: SchemaIndex, left: RelationId, right: RelationId): InferredPair | undefined {
  const found: InferredPair[] = [];
  for (const [from, to] of [
    [left, right],
    [right, left],
  ] as const) {
    const key = index.primaryKey(to)?.attributes;
    const target = key?.length === 1 ? index.attribute(key[0] ?? '') : undefined;
    const relation = singularOf(squash(index.relation(to)?.name ?? ''));
    if (target === undefined || relation === '') continue;
    const keyName = squash(target.name);
    const names = new Set([relation, `${relation}id`, ...(BARE_NAMES.has(keyName) ? [relation + keyName] : [keyName])]);
    for (const { id, name, type } of index.attributesOf(from))
      if (type === target.type && names.has(squash(name)) && targetsOf(index, id).length === 0)
        found.push({ from: id, to: target.id });
  }
  if (found.length > 0) return found.length === 1 ? found[0] : undefined;
  return sharedNumber(index, left, right);
}

/**
 * Where no primary key tells: the only attribute that numbers something (`…id`) and is called the same in both
 * relations.
 */
function sharedNumber(index: SchemaIndex, left: RelationId, right: RelationId): InferredPair | undefined {
  if (index.primaryKey(left) !== undefined && index.primaryKey(right) !== undefined) return undefined;
  const shared = index.attributesOf(left).flatMap((from) => {
    const name = squash(from.name);
    if (!name.endsWith('id') || BARE_NAMES.has(name)) return [];
    const to = index.attributesOf(right).find((other) => squash(other.name) === name && other.type === from.type);
    return to === undefined ? [] : [{ from: from.id, to: to.id }];
  });
  return shared.length === 1 ? shared[0] : undefined;
}

function squash(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}
