import type { AttributeId } from '@askema/core';
import type { Measure, Phrase, SuperlativeModifier } from '../interpret/frame.ts';
import { type Figures, findFigures } from '../link/figures.ts';
import type { TermLink } from '../link/links.ts';
import { attributeClass } from './attribute-class.ts';
import { applyPhrase, enterPhrase } from './build.ts';
import { countOf } from './build-outputs.ts';
import { attributeOf, UNSHARED } from './build-related.ts';
import { ATTRIBUTE_LINK, type Builder, choiceOf, reachCandidate, sumOf, type Target } from './builder.ts';
import { reachableNodes } from './entity-tree.ts';
import { type AggregateMeasure, type EntityNode, type GroupTarget, isAggregate, type Superlative } from './meaning.ts';
import { rootOwner } from './slots.ts';

export function applySuperlative(
  builder: Builder,
  modifier: SuperlativeModifier,
  target: Target,
  phrase: Phrase | undefined,
): void {
  const measured = attributeOf(target);
  const kind =
    measured === undefined || phrase?.owner !== undefined ? 'text' : attributeClass(measured, builder.linked);
  if (modifier.measure.kind === 'dimension' && kind !== 'text' && kind !== 'any') {
    builder.problems.push(`the ${modifier.measure.dimension.word} ${phrase?.head?.text ?? 'of something'}`);
    return;
  }
  const of: GroupTarget = { node: target.node, attribute: target.valuesOf };
  const entity = phrase === undefined ? undefined : rootOwner(phrase);
  const plural = entity?.head?.plural ?? false;
  const limit = phrase?.count ?? entity?.count ?? (plural && modifier.measure.kind !== 'count' ? undefined : 1);
  const found = superlativeMeasure(builder, modifier.measure, target);
  if (found === undefined) {
    builder.problems.push('an extreme of something that cannot be measured');
    return;
  }
  const end = found.flipped ? flip(modifier.end) : modifier.end;
  const superlative: Superlative = { of, measure: found.measure, end, limit };
  builder.superlatives.push(superlative);
}

function flip(end: 'high' | 'low'): 'high' | 'low' {
  return end === 'high' ? 'low' : 'high';
}

/** What a superlative or an order measures; `flipped` when the adjective means the low end of the attribute. */
function superlativeMeasure(
  builder: Builder,
  measure: Measure,
  target: Target,
): { readonly measure: Superlative['measure']; readonly flipped: boolean } | undefined {
  if (measure.kind === 'dimension') {
    const candidate = choiceOf(builder, measure);
    if (candidate?.attribute === undefined) return undefined;
    const flipped = candidate.end === 'low';
    const { attribute } = candidate;
    if (measure.summed)
      return { measure: sumOf(reachCandidate(builder, target.node, candidate, UNSHARED), candidate), flipped };
    return { measure: { node: reachCandidate(builder, target.node, candidate, ATTRIBUTE_LINK), attribute }, flipped };
  }
  if (measure.phrase === undefined) {
    const own: AggregateMeasure = { node: target.node, function: 'count', attributes: [], distinct: false };
    return measure.kind === 'count' && target.valuesOf !== undefined ? { measure: own, flipped: false } : undefined;
  }
  const about = enterUnshared(builder, measure.phrase, target.node, measure.kind === 'count');
  const attribute = attributeOf(about);
  if (measure.kind === 'term') {
    if (attribute === undefined || isKey(builder, attribute)) return undefined;
    if (measure.function === undefined) return { measure: { node: about.node, attribute }, flipped: false };
    const attributes = [attribute, about.candidate?.factor].filter((id) => id !== undefined);
    return { measure: { node: about.node, function: measure.function, attributes, distinct: false }, flipped: false };
  }
  const numeric =
    attribute !== undefined && attributeClass(attribute, builder.linked) === 'number' && !isKey(builder, attribute);
  if (numeric && about.node === target.node && target.valuesOf === undefined)
    return { measure: { node: about.node, attribute }, flipped: false };
  const figures = findFigures(builder.linked.vocabulary);
  const figure = ({ money, quantity }: Figures): TermLink | undefined =>
    [...money, ...quantity].find(({ relation }) => relation === about.node.relation);
  const much = measure.kind === 'count' && measure.done ? figure(figures) : undefined;
  if (much?.kind === 'attribute' && figures.quantity.includes(much))
    return {
      measure: { node: about.node, function: 'sum', attributes: [much.attribute], distinct: false },
      flipped: false,
    };
  if (much !== undefined) builder.problems.push('whether how often or how much is meant');
  return { measure: countOf(builder, measure.phrase, about), flipped: false };
}

function isKey(builder: Builder, attribute: AttributeId): boolean {
  const { index } = builder.linked;
  const relation = index.attribute(attribute)?.relation ?? '';
  const own = index.primaryKey(relation)?.attributes.includes(attribute) ?? false;
  return own || index.foreignKeysFrom(relation).some(({ pairs }) => pairs.some(({ from }) => from === attribute));
}

/**
 * A phrase that is counted has links of its own, so that its conditions do not touch what else is asked of the same
 * relation.
 */
function enterUnshared(builder: Builder, phrase: Phrase, from: EntityNode, separate: boolean): Target {
  const candidate = choiceOf(builder, phrase);
  if (!separate || candidate === undefined || phrase.owner !== undefined || builder.targets.has(phrase))
    return enterPhrase(builder, phrase, from);
  const target: Target = { node: reachCandidate(builder, from, candidate, UNSHARED), candidate };
  builder.targets.set(phrase, target);
  applyPhrase(builder, phrase, target);
  return target;
}

export function orderMeasure(
  builder: Builder,
  measure: Measure,
  target: Target,
  isTop: boolean,
): Builder['orders'][number]['measure'] {
  if (measure.kind === 'count' && measure.phrase === undefined) return 'count';
  const found = superlativeMeasure(builder, measure, target);
  if (found !== undefined && isTop && target.valuesOf !== undefined && !isAggregate(found.measure)) {
    // The values of a column have many rows each: only a total says which of them come first.
    const { node, attribute } = found.measure;
    const total = measure.kind === 'term' && /^(?:total|sum)\b/iu.test(measure.phrase.head?.text ?? '');
    if (total) return { node, function: 'sum', attributes: [attribute], distinct: false };
    builder.problems.push('by which figure of many rows the first ones are meant');
  }
  if (found !== undefined && !isAggregate(found.measure) && !reachableNodes(target.node).has(found.measure.node)) {
    const { node, attribute } = found.measure;
    const name = builder.linked.index.attribute(attribute)?.name ?? '';
    if (isTop && /quantity|qty|units|amount|amt|total|revenue|sales|paid/iu.test(name) && !/unit.?price/iu.test(name))
      return { node, function: 'sum', attributes: [attribute], distinct: false };
    builder.problems.push(`which ${name} of many is meant`);
  }
  if (found !== undefined) return found.measure;
  const about = measure.kind === 'term' ? enterPhrase(builder, measure.phrase, target.node) : undefined;
  const attribute = about === undefined ? undefined : attributeOf(about);
  if (about !== undefined && attribute !== undefined) return { node: about.node, attribute };
  builder.problems.push('an order by something that is no attribute');
  return 'first output';
}
