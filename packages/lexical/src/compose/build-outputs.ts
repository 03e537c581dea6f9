import type { AttributeId } from '@askema/core';
import type { Output, Phrase } from '../interpret/frame.ts';
import { MONEY_NOUNS } from '../lexicon/figures.ts';
import { displayAttributes } from '../link/display.ts';
import { isPlural } from '../tokenise/lemma.ts';
import { attributeClass, isYear, looksLikeKey } from './attribute-class.ts';
import { enterPhrase } from './build.ts';
import { applyModifier } from './build-modifiers.ts';
import { ATTRIBUTE_LINK, type Builder, choiceOf, reachCandidate, sumOf, type Target } from './builder.ts';
import type { Candidate } from './candidates.ts';
import { createNode, type EntityNode, type MeaningOutput } from './meaning.ts';

/** An attribute that does not tell the rows of its relation apart: "cities", not "airline names". */
export function valuesOfCandidate(builder: Builder, { attribute, value }: Candidate): AttributeId | undefined {
  if (attribute === undefined || value !== undefined) return undefined;
  const { index, catalog } = builder.linked;
  const relation = index.attribute(attribute)?.relation ?? '';
  return index.isUnique(attribute) || displayAttributes(relation, catalog, index)?.includes(attribute)
    ? undefined
    : attribute;
}

export function buildOutput(builder: Builder, output: Output, from: EntityNode | undefined): MeaningOutput[] {
  if (output.phrase === undefined) return [{ kind: 'again' }];
  const target = enterPhrase(builder, output.phrase, from ?? builder.root);
  const owner = output.phrase.owner === undefined ? undefined : builder.targets.get(output.phrase.owner);
  if (output.kind === 'count' || output.kind === 'aggregate') groupByOwners(builder, output.phrase);
  switch (output.kind) {
    case 'phrase':
      return plainOutput(builder, output.phrase, target);
    case 'count':
      if (
        output.entityOnly &&
        (target.candidate?.attribute !== undefined || holdsAmounts(builder, output.phrase, target))
      )
        builder.problems.push(`whether ${output.phrase.head?.text ?? 'the rows'} are to be counted or added up`);
      return [{ kind: 'measure', owner: owner?.node, measure: countOf(builder, output.phrase, target) }];
    case 'share': {
      const part = createNode(target.node.relation);
      applyModifier(builder, output.part, { node: part, candidate: target.candidate }, output.phrase);
      if (part.conditions.length === 0 && part.links.length === 0) builder.problems.push('a share of what');
      return [
        {
          kind: 'measure',
          owner: owner?.node,
          measure: { node: target.node, function: 'share', attributes: [], distinct: false, part },
        },
      ];
    }
    case 'aggregate': {
      const attribute = target.candidate?.attribute;
      // "the latest payment" is no greatest amount.
      if (target.candidate?.isFigure && output.function !== 'sum' && output.function !== 'avg')
        builder.problems.push(`which ${output.phrase.head?.text ?? 'figure'} is meant`);
      if (attribute === undefined) builder.problems.push('an aggregate of something that is no attribute');
      const attributes = [attribute, target.candidate?.factor].filter((id) => id !== undefined);
      return [
        {
          kind: 'measure',
          owner: owner?.node,
          measure: { node: target.node, function: output.function, attributes, distinct: false },
        },
      ];
    }
    case 'measure': {
      const candidate = choiceOf(builder, output);
      if (candidate?.attribute === undefined) return [];
      if (output.summed) {
        const place = reachCandidate(builder, target.node, candidate, { ...ATTRIBUTE_LINK, shared: false });
        return [{ kind: 'measure', owner: undefined, measure: sumOf(place, candidate) }];
      }
      const node = reachCandidate(builder, target.node, candidate, ATTRIBUTE_LINK);
      if (output.function !== undefined) {
        const { attribute } = candidate;
        const measure = { node, function: output.function, attributes: [attribute], distinct: false } as const;
        return [{ kind: 'measure', owner: undefined, measure }];
      }
      return [{ kind: 'attributes', node, attributes: [candidate.attribute], distinct: false, entity: false }];
    }
    case 'moment': {
      const candidate = choiceOf(builder, output.verb);
      const attribute = candidate?.attribute;
      if (candidate === undefined || attribute === undefined || attributeClass(attribute, builder.linked) !== 'time') {
        builder.problems.push(`when it was ${output.verb.text}`);
        return [];
      }
      const node = reachCandidate(builder, target.node, candidate, ATTRIBUTE_LINK);
      return [{ kind: 'attributes', node, attributes: [attribute], distinct: false, entity: false }];
    }
  }
}

/** True for a column of counts that is called what is counted. */
function isCounted({ linked, assignment }: Builder, phrase: Phrase, attribute: AttributeId): boolean {
  const name = linked.index.attribute(attribute)?.name ?? '';
  const { cost = 1, isFigure = false } = assignment.choices.get(phrase) ?? {};
  if (isFigure) return true;
  return (
    cost < COUNTED_COST &&
    !isYear(attribute, linked) &&
    !looksLikeKey(name) &&
    !/price|cost|rate|ratio|percent|pct|age$|score|rating|temp|average|avg|_?min$|^min|max|limit|salary|wage|number|level|floor|grade/iu.test(
      name,
    )
  );
}

const COUNTED_COST = 0.5;
const PARTLY_NAMED = 0.45;

/** "total payments" may be how many there are, or what they come to. */
function holdsAmounts({ linked }: Builder, { head }: Phrase, { node }: Target): boolean {
  return (
    MONEY_NOUNS.test(head?.text ?? '') &&
    linked.index.attributesOf(node.relation).some(({ id, name }) => {
      return attributeClass(id, linked) === 'number' && AMOUNT_NAME.test(name);
    })
  );
}

const AMOUNT_NAME = /amount|amt|total|price|cost|fee|sum|paid|value/iu;

/** "the average age of each team": the owner that stands for each one is a group. */
function groupByOwners(builder: Builder, phrase: Phrase): void {
  for (let owner = phrase.owner; owner !== undefined; owner = owner.owner) {
    const target = builder.targets.get(owner);
    if (owner.each && target !== undefined)
      builder.groups.push({ node: target.node, attribute: target.candidate?.attribute });
  }
}

/** "high priority" is no question for a priority: it says which one. */
function isGivenAway({ assignment }: Builder, { values }: Phrase, { attribute }: Candidate): boolean {
  return values.every((value) => assignment.choices.get(value)?.attribute === attribute || value.kind !== 'cell');
}

/** "the excavators": not what they are called, but what kind of thing is to be listed. */
function namesKind(
  { linked: { index, catalog } }: Builder,
  { values }: Phrase,
  candidate: Candidate | undefined,
): boolean {
  const attribute = candidate?.value === undefined ? undefined : candidate.attribute;
  const last = values.at(-1);
  if (attribute === undefined || last?.kind !== 'cell' || last.mention.quoted || !isPlural(last.mention.text))
    return false;
  const relation = index.attribute(attribute)?.relation ?? '';
  return !index.isUnique(attribute) && displayAttributes(relation, catalog, index)?.includes(attribute) === false;
}

function plainOutput(builder: Builder, phrase: Phrase, { node, candidate }: Target): MeaningOutput[] {
  if (candidate?.isFigure) builder.problems.push(`whether each ${phrase.head?.text ?? 'figure'} is meant or their sum`);
  if (candidate?.everything) return [{ kind: 'everything', node }];
  if (phrase.head === undefined && phrase.values.length > 0 && !namesKind(builder, phrase, candidate))
    builder.problems.push('what to list of a value');
  if (
    phrase.values.length > 0 &&
    candidate?.attribute !== undefined &&
    candidate.value === undefined &&
    isGivenAway(builder, phrase, candidate)
  )
    builder.problems.push(
      `what to list of ${phrase.values.map((value) => (value.kind === 'cell' ? value.mention.text : value.text)).join(', ')}`,
    );
  // "list the regions": each of them once.
  const isBare = phrase.owner === undefined && phrase.modifiers.length === 0 && phrase.values.length === 0;
  const distinct =
    phrase.distinct ||
    (isBare &&
      phrase.head?.plural === true &&
      candidate !== undefined &&
      valuesOfCandidate(builder, candidate) !== undefined &&
      node === builder.root);
  if (candidate?.display !== undefined)
    return [{ kind: 'attributes', node, attributes: candidate.display, distinct, entity: true }];
  if (candidate?.attribute !== undefined && candidate.value === undefined)
    return [{ kind: 'attributes', node, attributes: [candidate.attribute], distinct, entity: false }];
  const { index, catalog } = builder.linked;
  const display = displayAttributes(node.relation, catalog, index) ?? index.primaryKey(node.relation)?.attributes;
  // A key of several columns names no row: who asks for one wants to see something of it.
  if (display === undefined || (display.length > 1 && display === index.primaryKey(node.relation)?.attributes)) {
    builder.problems.push(`which column names a row of ${index.relation(node.relation)?.name ?? ''}`);
    return [];
  }
  return [{ kind: 'attributes', node, attributes: display, distinct, entity: true }];
}

export function isKeyPart({ linked: { index } }: Builder, attribute: AttributeId): boolean {
  const relation = index.attribute(attribute)?.relation ?? '';
  const own = index.primaryKey(relation)?.attributes.includes(attribute) ?? false;
  return own || index.foreignKeysFrom(relation).some(({ pairs }) => pairs.some(({ from }) => from === attribute));
}

/** Rows of an entity, or the different values of an attribute. */
export function countOf(
  builder: Builder,
  phrase: Phrase,
  { node, candidate }: Target,
): Extract<MeaningOutput, { kind: 'measure' }>['measure'] {
  const attribute = candidate?.value === undefined ? candidate?.attribute : undefined;
  if (attribute === undefined) return { node, function: 'count', attributes: [], distinct: false };
  const { index } = builder.linked;
  const key = index.primaryKey(index.attribute(attribute)?.relation ?? '')?.attributes ?? [];
  if (key.length === 1 && key[0] === attribute) return { node, function: 'count', attributes: [], distinct: false };
  const kind = attributeClass(attribute, builder.linked);
  const name = index.attribute(attribute)?.name ?? '';
  const { cost = 0, isFigure = false } = builder.assignment.choices.get(phrase) ?? {};
  if (kind === 'text' && cost >= PARTLY_NAMED && !isFigure && !phrase.distinct)
    builder.problems.push(`whether the values of ${name} are meant with ${phrase.head?.text ?? 'it'}`);
  if (kind === 'other' || kind === 'bool') builder.problems.push('a count of something that cannot be counted');
  // "how many tickets": what `tickets` holds adds up.
  else if (
    kind === 'number' &&
    phrase.head?.plural === true &&
    !phrase.distinct &&
    isCounted(builder, phrase, attribute)
  )
    return { node, function: 'sum', attributes: [attribute], distinct: false };
  // "hires per quarter": what has such a date has happened.
  else if (kind === 'time' && phrase.head?.plural === true && !/dates?$|times?$/iu.test(phrase.head.text))
    return { node, function: 'count', attributes: [attribute], distinct: false };
  // "the number of copies" adds up, "open complaints" are no opening dates.
  else if (
    (kind === 'number' || kind === 'time') &&
    !phrase.distinct &&
    !isKeyPart(builder, attribute) &&
    !looksLikeKey(name) &&
    !isYear(attribute, builder.linked)
  )
    builder.problems.push(`whether the values of ${name} are to be counted`);
  return { node, function: 'count', attributes: [attribute], distinct: phrase.distinct || !index.isUnique(attribute) };
}
