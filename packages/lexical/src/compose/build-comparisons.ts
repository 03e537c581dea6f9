import type { AttributeId } from '@askema/core';
import type { CompareModifier, Operand, TimeModifier } from '../interpret/frame.ts';
import type { Comparison } from '../lexicon/comparisons.ts';
import { nameWords } from '../link/vocabulary.ts';
import type { TimeSpan } from '../tokenise/read-time.ts';
import type { Literal } from '../write/query.ts';
import { attributeClass, isYear } from './attribute-class.ts';
import { enterPhrase } from './build.ts';
import { countOf } from './build-outputs.ts';
import { unitFits } from './build-values.ts';
import { ATTRIBUTE_LINK, type Builder, choiceOf, noteTime, reachCandidate, sumOf, type Target } from './builder.ts';
import type { AggregateMeasure, Condition, ConditionValue, EntityNode } from './meaning.ts';

/** A comparison of an attribute, or of an aggregate over related rows, with a value. */
export function applyCompare(builder: Builder, modifier: CompareModifier, target: Target): void {
  const { measure, operand, upper } = modifier;
  if (
    measure.kind === 'count' ||
    (measure.kind === 'term' && measure.function !== undefined) ||
    (measure.kind === 'dimension' && measure.summed)
  ) {
    applyAggregate(builder, modifier, target);
    return;
  }
  const found = comparedAttribute(builder, modifier, target);
  if (found === undefined) {
    builder.problems.push('a comparison of something that is no attribute');
    return;
  }
  const comparison = found.flipped ? mirror(modifier.comparison) : modifier.comparison;
  addComparison(builder, found.node, found.attribute, comparison, operand);
  if (upper !== undefined) addComparison(builder, found.node, found.attribute, found.flipped ? '>=' : '<=', upper);
}

/** "older" of ages is "earlier" of birth dates. */
function mirror(comparison: Comparison): Comparison {
  const mirrored: Readonly<Record<Comparison, Comparison>> = {
    '<': '>',
    '<=': '>=',
    '>': '<',
    '>=': '<=',
    '=': '=',
    '<>': '<>',
  };
  return mirrored[comparison];
}

function comparedAttribute(
  builder: Builder,
  { measure }: CompareModifier,
  target: Target,
): { readonly node: EntityNode; readonly attribute: AttributeId; readonly flipped: boolean } | undefined {
  if (measure.kind === 'dimension') {
    const candidate = choiceOf(builder, measure);
    if (candidate?.attribute === undefined) return undefined;
    const node = reachCandidate(builder, target.node, candidate, ATTRIBUTE_LINK);
    return { node, attribute: candidate.attribute, flipped: candidate.end === 'low' };
  }
  if (measure.phrase === undefined) return undefined;
  const about = enterPhrase(builder, measure.phrase, target.node);
  const attribute = about.candidate?.attribute;
  return attribute === undefined ? undefined : { node: about.node, attribute, flipped: false };
}

function addComparison(
  builder: Builder,
  node: EntityNode,
  attribute: AttributeId,
  comparison: Comparison,
  operand: Operand,
): void {
  if (operand.kind === 'time') {
    node.conditions.push(...timeConditions(builder, attribute, comparison, operand.span));
    return;
  }
  const value = conditionValue(builder, attribute, comparison, operand);
  if (value === undefined)
    builder.problems.push(
      `the comparison with ${operand.kind === 'cell' ? operand.mention.text : 'text' in operand ? operand.text : 'an average'}`,
    );
  else node.conditions.push({ kind: 'compare', attribute, comparison, value });
}

function conditionValue(
  builder: Builder,
  attribute: AttributeId,
  comparison: Comparison,
  operand: Operand,
): ConditionValue | undefined {
  const kind = attributeClass(attribute, builder.linked);
  if (operand.kind === 'number') {
    const minutes = inMinutes(builder, attribute, operand);
    if (minutes !== undefined) return { kind: 'number', value: minutes };
    if (!unitFits(builder, attribute, operand)) return undefined;
    if (kind === 'number' || kind === 'any') return { kind: 'number', value: operand.value };
    if (kind !== 'text') return undefined;
    if (isYear(attribute, builder.linked)) return { kind: 'text', value: operand.text };
    builder.notes.add(`the text in ${builder.linked.index.attribute(attribute)?.name} was compared as a number`);
    return { kind: 'number-of-text', value: operand.value };
  }
  if (operand.kind === 'aggregate') {
    const sameAttribute = operand.phrase === undefined || choiceOf(builder, operand.phrase)?.attribute === attribute;
    const plain =
      operand.phrase === undefined || (operand.phrase.modifiers.length === 0 && operand.phrase.values.length === 0);
    return sameAttribute && plain && (kind === 'number' || kind === 'any')
      ? { kind: 'overall', function: operand.function }
      : undefined;
  }
  if (comparison !== '=' && comparison !== '<>') return undefined;
  if (operand.kind !== 'cell') return undefined;
  const candidate = choiceOf(builder, operand);
  return candidate?.attribute === attribute ? { kind: 'text', value: candidate.value ?? '' } : undefined;
}

/** "longer than 2 hours" of a column that holds minutes. */
function inMinutes(
  { linked }: Builder,
  attribute: AttributeId,
  { unit = '', value }: Extract<Operand, { kind: 'number' }>,
): number | undefined {
  const words = nameWords(linked.index.attribute(attribute)?.name ?? '');
  const holdsMinutes = words.includes('minute') || words.at(-1) === 'min';
  return /^hours?$/u.test(unit) && holdsMinutes && attributeClass(attribute, linked) === 'number'
    ? value * 60
    : undefined;
}

/** A time said of an entity, of its time attribute, or of a verb that names one. */
export function applyTime(builder: Builder, modifier: TimeModifier, target: Target): void {
  const candidate = choiceOf(builder, modifier);
  if (candidate?.attribute === undefined) {
    builder.problems.push(`the time ${modifier.text}`);
    return;
  }
  const node = reachCandidate(builder, target.node, candidate, ATTRIBUTE_LINK);
  noteTime(builder, candidate, false);
  node.conditions.push(...timeConditions(builder, candidate.attribute, modifier.comparison, modifier.span));
}

/** A span on a date is a half-open range; on an attribute of years it is a number. */
function timeConditions(builder: Builder, attribute: AttributeId, comparison: Comparison, span: TimeSpan): Condition[] {
  if (span.countedFrom !== undefined)
    builder.notes.add(
      `today is taken to be ${span.countedFrom}, so the time meant is from ${span.start} to before ${span.end}`,
    );
  const kind = attributeClass(attribute, builder.linked);
  if (comparison === '<>') {
    builder.problems.push('everything but a time');
    return [];
  }
  if (kind === 'time') return rangeConditions(attribute, comparison, span);
  const years = yearsOf(span);
  if (years === undefined || !isYear(attribute, builder.linked)) {
    builder.problems.push('a time that does not fit its attribute');
    return [];
  }
  const literal = (year: number): Literal =>
    kind === 'text' ? { kind: 'text', value: String(year) } : { kind: 'number', value: year };
  const compare = (operator: Comparison, year: number): Condition => ({
    kind: 'compare',
    attribute,
    comparison: operator,
    value: literal(year),
  });
  if (years.first === years.last) return [compare(comparison, years.first)];
  if (comparison !== '=') {
    builder.problems.push('a comparison with several years');
    return [];
  }
  return [compare('>=', years.first), compare('<=', years.last)];
}

function yearsOf(span: TimeSpan): { readonly first: number; readonly last: number } | undefined {
  if (!/^\d{4}-01-01$/u.test(span.start) || !/^\d{4}-01-01$/u.test(span.end)) return undefined;
  return { first: Number(span.start.slice(0, 4)), last: Number(span.end.slice(0, 4)) - 1 };
}

function rangeConditions(attribute: AttributeId, comparison: Exclude<Comparison, '<>'>, span: TimeSpan): Condition[] {
  const compare = (operator: Comparison, moment: string): Condition => ({
    kind: 'compare',
    attribute,
    comparison: operator,
    value: { kind: 'text', value: moment },
  });
  switch (comparison) {
    case '=':
      return span.start === span.end ? [compare('=', span.start)] : [compare('>=', span.start), compare('<', span.end)];
    case '>':
      return [span.start === span.end ? compare('>', span.start) : compare('>=', span.end)];
    case '>=':
      return [compare('>=', span.start)];
    case '<':
      return [compare('<', span.start)];
    case '<=':
      return [span.start === span.end ? compare('<=', span.start) : compare('<', span.end)];
  }
}

/** "who spent more than 100", "whose average score is above 5", "with a number of orders of at least 3". */
function applyAggregate(builder: Builder, modifier: CompareModifier, target: Target): void {
  const { operand, comparison, upper, measure } = modifier;
  const value = operand.kind === 'number' ? operand.value : undefined;
  const found = aggregateMeasure(builder, measure, target);
  if (value === undefined || upper !== undefined || found === undefined) {
    builder.problems.push('a comparison with an aggregate');
    return;
  }
  target.node.conditions.push({ kind: 'aggregate', measure: found, comparison, value });
}

function aggregateMeasure(
  builder: Builder,
  measure: CompareModifier['measure'],
  target: Target,
): AggregateMeasure | undefined {
  const link = { quantifier: { kind: 'some' }, required: false, shared: false } as const;
  if (measure.kind === 'dimension') {
    const candidate = choiceOf(builder, measure);
    if (candidate?.attribute === undefined) return undefined;
    return sumOf(reachCandidate(builder, target.node, candidate, link), candidate);
  }
  if (measure.phrase === undefined) return undefined;
  const candidate = choiceOf(builder, measure.phrase);
  if (candidate === undefined || measure.phrase.owner !== undefined) return undefined;
  const node = reachCandidate(builder, target.node, candidate, link);
  if (measure.kind === 'count') return countOf(builder, measure.phrase, { node, candidate });
  if (candidate.attribute === undefined || measure.function === undefined) return undefined;
  return { node, function: measure.function, attributes: [candidate.attribute], distinct: false };
}
