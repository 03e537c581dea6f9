import type { AttributeId } from '@askema/core';
import type { RelatedModifier } from '../interpret/frame.ts';
import { attributeClass, isYear, looksLikeKey } from './attribute-class.ts';
import { applyPhrase, enterPhrase } from './build.ts';
import { applyModifier, checkSaid } from './build-modifiers.ts';
import { isKeyPart } from './build-outputs.ts';
import { applyValues, checkAway } from './build-values.ts';
import {
  ATTRIBUTE_LINK,
  type Builder,
  choiceOf,
  type LinkOptions,
  noteTime,
  reachCandidate,
  type Target,
} from './builder.ts';
import type { Candidate } from './candidates.ts';
import type { AggregateMeasure, EntityNode } from './meaning.ts';
import { isPronoun } from './slots.ts';

export function applyRelated(builder: Builder, modifier: RelatedModifier, target: Target): void {
  const { phrase, quantifier } = modifier;
  const verb = modifier.verb === undefined ? undefined : choiceOf(builder, modifier.verb);
  const candidate = choiceOf(builder, phrase);
  const attribute = candidate?.value === undefined ? candidate?.attribute : undefined;
  if (isPronoun(phrase) || candidate === undefined) {
    relatedWithoutHead(builder, modifier, verb, target);
    return;
  }
  if (verb?.attribute !== undefined) builder.problems.push(`what is done with ${phrase.head?.text ?? 'it'}`);
  if (attribute !== undefined && phrase.each && quantifier.kind === 'some' && phrase.values.length === 0) {
    builder.groups.push({ node: enterPhrase(builder, phrase, target.node).node, attribute });
    return;
  }
  if (attribute !== undefined) {
    relatedAttribute(builder, modifier, attribute, target);
    return;
  }
  if (phrase.owner !== undefined && !isPronoun(phrase.owner)) builder.problems.push('an owner inside a condition');
  if (phrase.each && quantifier.kind === 'some') {
    builder.groups.push({ node: enterPhrase(builder, phrase, target.node).node });
    return;
  }
  if (candidate.at === target.node.relation && candidate.role === undefined && verb === undefined) {
    builder.targets.set(phrase, target);
    applyPhrase(builder, phrase, target);
    if (quantifier.kind === 'count' && target.valuesOf !== undefined) addCount(target.node, target.node, quantifier);
    else if (quantifier.kind !== 'some') builder.problems.push('an entity that is related to itself');
    return;
  }
  if (target.valuesOf !== undefined && quantifier.kind !== 'some') {
    relatedToValues(builder, modifier, candidate, verb, target);
    return;
  }
  if (isVacuous(builder, modifier, target, candidate))
    builder.problems.push(`what is said about ${phrase.head?.text ?? 'it'}`);
  const options: LinkOptions = { quantifier, required: true, shared: false };
  const start = verb === undefined ? target.node : reachCandidate(builder, target.node, verb, options);
  const node = reachCandidate(
    builder,
    start,
    candidate,
    verb === undefined || start === target.node ? options : REQUIRED,
  );
  if (quantifier.kind !== 'some' && node === target.node)
    builder.problems.push(`how many of ${phrase.head?.text ?? 'it'} are meant`);
  const through = rowsThrough(builder, target.node, node);
  // "borrowed more than five books": five loans, be it of one book.
  const done = verb !== undefined && start !== target.node && isOfOne(builder, verb, candidate) ? start : through;
  markCounted(target.node, phrase.distinct ? node : done, quantifier);
  const related: Target = { node, candidate };
  builder.targets.set(phrase, related);
  applyPhrase(builder, phrase, related);
}

/** "took more than eight courses": what is between counts, where it is more than keys; else what is named. */
function rowsThrough({ linked }: Builder, from: EntityNode, to: EntityNode): EntityNode {
  const { up } = to;
  if (up === undefined || up.parent === from || !up.edge.functional || up.parent.up?.parent !== from) return to;
  return linked.index.primaryKey(up.parent.relation)?.attributes.length === 1 ? up.parent : to;
}

/** True where one row of what the verb names has one of the other at most. */
function isOfOne({ linked }: Builder, verb: Candidate, { at }: Candidate): boolean {
  return linked.graph.routes(verb.anchor, at)[0]?.every(({ functional }) => functional) ?? false;
}

/** Whether an attribute is true; only one that the engine calls so. */
export function addFlag(builder: Builder, { node, candidate }: Target, negated: boolean): void {
  const attribute = candidate?.value === undefined ? candidate?.attribute : undefined;
  const kind = attribute === undefined ? 'other' : attributeClass(attribute, builder.linked);
  // "delivered orders": what has such a date.
  if (attribute !== undefined && kind === 'time' && !builder.linked.index.isNotNull(attribute))
    node.conditions.push({ kind: 'null', attribute, negated: !negated });
  else if (attribute === undefined || kind !== 'bool') builder.problems.push('a property that is not true or false');
  else node.conditions.push({ kind: 'flag', attribute, negated });
}

/** "completed the course X", where the verb names a time that may be missing: it has happened. */
export function addHappened(builder: Builder, { node, candidate }: Target): void {
  const attribute = candidate?.attribute;
  if (attribute === undefined || attributeClass(attribute, builder.linked) !== 'time') return;
  if (!builder.linked.index.isNotNull(attribute)) node.conditions.push({ kind: 'null', attribute, negated: true });
}

export function attributeOf({ candidate }: Target): AttributeId | undefined {
  return candidate?.value === undefined ? candidate?.attribute : undefined;
}

export const REQUIRED: LinkOptions = { quantifier: { kind: 'some' }, required: true, shared: false };

export const UNSHARED: LinkOptions = { quantifier: { kind: 'some' }, required: false, shared: false };

/** "cities with more than two orders": counted over all rows that share the value. */
function relatedToValues(
  builder: Builder,
  modifier: RelatedModifier,
  candidate: Candidate,
  verb: Candidate | undefined,
  target: Target,
): void {
  const { phrase, quantifier } = modifier;
  if (quantifier.kind !== 'count' || verb !== undefined) {
    builder.problems.push('values that no row has');
    return;
  }
  const related: Target = { node: reachCandidate(builder, target.node, candidate, UNSHARED), candidate };
  builder.targets.set(phrase, related);
  applyPhrase(builder, phrase, related);
  addCount(target.node, related.node, quantifier);
}

function addCount(
  node: EntityNode,
  counted: EntityNode,
  quantifier: Extract<RelatedModifier['quantifier'], { kind: 'count' }>,
): void {
  const measure: AggregateMeasure = { node: counted, function: 'count', attributes: [], distinct: false };
  node.conditions.push({ kind: 'aggregate', measure, comparison: quantifier.comparison, value: quantifier.number });
}

/** "products with the category": each one has just one, so that this cannot be what is asked. */
function isVacuous(
  builder: Builder,
  { phrase, quantifier, verb }: RelatedModifier,
  target: Target,
  candidate: Candidate,
): boolean {
  const bare =
    phrase.values.length === 0 && phrase.modifiers.length === 0 && (phrase.owner === undefined || phrase.owner.pronoun);
  if (!bare || quantifier.kind !== 'some' || verb !== undefined) return false;
  if (phrase.owner?.pronoun) return true;
  const ownKeys = candidate.role !== undefined && candidate.at === target.node.relation ? [candidate.role] : [];
  if (ownKeys.length > 0)
    return ownKeys.every(({ pairs }) => pairs.every(({ from }) => builder.linked.index.isNotNull(from)));
  const route = builder.linked.graph.routes(target.node.relation, candidate.at)[0] ?? [];
  return (
    route.length > 0 &&
    route.every(
      (edge) =>
        edge.direction === 'forward' && edge.foreignKey.pairs.every(({ from }) => builder.linked.index.isNotNull(from)),
    )
  );
}

/** The first link of a chain that is counted must know what is counted at its end. */
function markCounted(from: EntityNode, counted: EntityNode, quantifier: RelatedModifier['quantifier']): void {
  if (quantifier.kind !== 'count') return;
  let node = counted;
  while (node.up !== undefined && node.up.parent !== from) node = node.up.parent;
  const link = node.up;
  if (link === undefined) return;
  const place = from.links.indexOf(link);
  const marked = { ...link, counted };
  from.links[place] = marked;
  node.up = marked;
}

/** "owned by someone who …", "from Marvel Comics". */
function relatedWithoutHead(
  builder: Builder,
  modifier: RelatedModifier,
  verb: Target['candidate'],
  target: Target,
): void {
  const { phrase, quantifier } = modifier;
  if (verb?.attribute !== undefined && phrase.values.length === 0 && phrase.modifiers.length === 0) {
    const node = reachCandidate(builder, target.node, verb, ATTRIBUTE_LINK);
    noteTime(builder, verb, true);
    // "have not been shipped": what has no time has not happened.
    if (builder.linked.index.isNotNull(verb.attribute) && attributeClass(verb.attribute, builder.linked) === 'time')
      builder.problems.push(`what is said with '${modifier.verb?.text ?? 'it'}'`);
    else if (attributeClass(verb.attribute, builder.linked) === 'time')
      node.conditions.push({ kind: 'null', attribute: verb.attribute, negated: quantifier.kind === 'some' });
    else addFlag(builder, { node, candidate: verb }, quantifier.kind === 'none');
    return;
  }
  const options: LinkOptions = { quantifier, required: true, shared: false };
  const near: Target =
    verb === undefined ? target : { node: reachCandidate(builder, target.node, verb, options), candidate: verb };
  if (
    quantifier.kind === 'count' ||
    (quantifier.kind === 'none' && verb === undefined && phrase.modifiers.length > 0)
  ) {
    builder.problems.push('a number of something that is not named');
    return;
  }
  const negated = quantifier.kind === 'none' && verb === undefined;
  if (quantifier.kind === 'none' && near.node === target.node && verb !== undefined)
    builder.problems.push(`what was not ${modifier.verb?.text ?? 'done'}`);
  if (verb !== undefined) addHappened(builder, near);
  checkSaid(builder, phrase.values, modifier.verb);
  checkAway(builder, phrase.values, target, near);
  if (phrase.values.length > 0)
    applyValues(builder, { values: phrase.values, connective: 'all', negated, apart: modifier.having }, near);
  for (const inner of phrase.modifiers) applyModifier(builder, inner, near, phrase);
  if (phrase.values.length === 0 && phrase.modifiers.length === 0 && verb === undefined)
    builder.problems.push('a pronoun that says nothing');
}

/** "with an email", "without a manager", "with blue eyes", "more than two languages". */
function relatedAttribute(builder: Builder, modifier: RelatedModifier, attribute: AttributeId, target: Target): void {
  const { phrase, quantifier, having } = modifier;
  const candidate = choiceOf(builder, phrase);
  if (candidate === undefined) return;
  const owner = phrase.owner === undefined ? target : enterPhrase(builder, phrase.owner, target.node);
  if (phrase.values.length > 0 && quantifier.kind !== 'count') {
    const node = reachCandidate(builder, owner.node, candidate, ATTRIBUTE_LINK);
    const about: Target = { node, candidate };
    builder.targets.set(phrase, about);
    applyValues(builder, { values: phrase.values, connective: 'all', negated: quantifier.kind === 'none' }, about);
    for (const inner of phrase.modifiers) applyModifier(builder, inner, about, phrase);
    return;
  }
  const many =
    builder.linked.graph.routes(owner.node.relation, candidate.at)[0]?.some((edge) => !edge.functional) ?? false;
  if (many && phrase.modifiers.length === 0 && (having || quantifier.kind !== 'some')) {
    if (quantifier.kind === 'count') {
      const node = reachCandidate(builder, owner.node, candidate, {
        quantifier: { kind: 'some' },
        required: false,
        shared: false,
      });
      const measure: AggregateMeasure = { node, function: 'count', attributes: [attribute], distinct: true };
      owner.node.conditions.push({
        kind: 'aggregate',
        measure,
        comparison: quantifier.comparison,
        value: quantifier.number,
      });
    } else {
      const kind = attributeClass(attribute, builder.linked);
      const node = reachCandidate(builder, owner.node, candidate, { quantifier, required: true, shared: false });
      // A discount that is always there may be zero: whether there is one is not known.
      if ((kind === 'number' || kind === 'bool') && builder.linked.index.isNotNull(attribute))
        builder.problems.push(`when there is a ${phrase.head?.text ?? 'value'}`);
      else if (!builder.linked.index.isNotNull(attribute))
        node.conditions.push({ kind: 'null', attribute, negated: true });
    }
    return;
  }
  // "with fewer than 100 seats": what the column says is compared.
  if (quantifier.kind === 'count' && phrase.modifiers.length === 0 && holdsCount(builder, phrase, attribute)) {
    const { comparison, number } = quantifier;
    const node = reachCandidate(builder, owner.node, candidate, ATTRIBUTE_LINK);
    node.conditions.push({ kind: 'compare', attribute, comparison, value: { kind: 'number', value: number } });
    return;
  }
  if (!having || quantifier.kind === 'count' || phrase.modifiers.length > 0) {
    builder.problems.push(`what is said about ${phrase.head?.text ?? 'an attribute'}`);
    return;
  }
  const node = reachCandidate(builder, owner.node, candidate, ATTRIBUTE_LINK);
  if (attributeClass(attribute, builder.linked) === 'bool')
    addFlag(builder, { node, candidate }, quantifier.kind === 'none');
  else if ((quantifier.kind === 'some' && quantifier.definite) || builder.linked.index.isNotNull(attribute))
    builder.problems.push(`what is said about ${phrase.head?.text ?? 'an attribute'}`);
  else if (FLAG_NAME.test(builder.linked.index.attribute(attribute)?.name ?? ''))
    builder.problems.push('a flag whose values are not known');
  else node.conditions.push({ kind: 'null', attribute, negated: quantifier.kind === 'some' });
}

function holdsCount(builder: Builder, { values }: RelatedModifier['phrase'], attribute: AttributeId): boolean {
  const { linked } = builder;
  const name = linked.index.attribute(attribute)?.name ?? '';
  const isPlain = values.length === 0 && !isYear(attribute, linked) && !looksLikeKey(name);
  return isPlain && attributeClass(attribute, linked) === 'number' && !isKeyPart(builder, attribute);
}

/** Names of attributes that hold Y and N, or the like. */
const FLAG_NAME = /(?:^|_)(?:is|has|flag|yn|yesno)(?:_|$)/iu;
