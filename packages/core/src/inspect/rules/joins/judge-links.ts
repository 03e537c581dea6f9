import type { JoinPath } from '../../../schema/join-path.ts';
import type { AttributeId, ForeignKey, RelationId } from '../../../schema/schema.ts';
import type { ResolvedQuery } from '../../resolved-query.ts';
import type { JoinGraph, JoinLink } from './join-graph.ts';
import { hasForeignKeys, type InferredPair, inferredPair, namesFit, sharesKey, targetsOf } from './key-match.ts';
import { keysBetween } from './link-names.ts';

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
 * The links of a block that follow no key and that nothing excuses: no declared key on both sides, no names that fit where nobody
 * declared keys, no other way along keys between the two relations (then the pair is a condition and no join).
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

/** A key compared with a column that is neither a key nor refers to anything: `capital = city.id` may be a reference that nobody declared. */
function mayRefer({ index }: ResolvedQuery, { left, right }: Known): boolean {
  const isPlain = (id: AttributeId): boolean => targetsOf(index, id).length === 0 && !index.isUnique(id);
  return (index.isUnique(left) && isPlain(right)) || (index.isUnique(right) && isPlain(left));
}

const NOTHING = { keys: [], bridges: [], inferred: undefined, partial: undefined, isWrong: true } as const;

/** A pair beside the key that compares two things which the schema tells apart: references to, or keys of, different relations. */
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
