import type { RelationId } from '@askema/core';
import type { Frame, Measure, Modifier, Operand, Output, Phrase } from '../interpret/frame.ts';
import { SALE_VERBS } from '../lexicon/figures.ts';
import type { LinkedCatalog } from '../link/lattice.ts';
import { nameWords } from '../link/vocabulary.ts';
import type { Assignment } from './assign.ts';
import { isPerson } from './attribute-class.ts';
import { applyModifier } from './build-modifiers.ts';
import { buildOutput, valuesOfCandidate } from './build-outputs.ts';
import { applyValues } from './build-values.ts';
import { ATTRIBUTE_LINK, type Builder, choiceOf, type RouteChooser, reachCandidate, type Target } from './builder.ts';
import { createNode, type EntityNode, type GroupTarget, type Meaning, type MeaningOutput } from './meaning.ts';

export interface BuildInput {
  readonly frame: Frame;
  readonly subject: Phrase | undefined;
  readonly linked: LinkedCatalog;
  readonly assignment: Assignment;
  readonly chooser: RouteChooser;
  readonly words: ReadonlySet<string>;
  readonly unsearched: ReadonlySet<RelationId>;
}

/** Makes the meaning of a frame from the denotations of its words, or says what stands against it. */
export function buildMeaning(input: BuildInput): {
  readonly meaning?: Meaning | undefined;
  readonly problems: readonly string[];
} {
  const { frame, linked, assignment, chooser, words, unsearched } = input;
  const builder: Builder = {
    linked,
    assignment,
    chooser,
    words,
    unsearched,
    targets: new Map(),
    groups: [],
    superlatives: [],
    orders: [],
    problems: [],
    used: new Set(),
    notes: new Set(),
    times: [],
    root: undefined,
  };
  const subject = input.subject === undefined ? undefined : enterPhrase(builder, input.subject, undefined);
  const outputs = frame.outputs.flatMap((output) => buildOutput(builder, output, subject?.node ?? builder.root));
  for (const modifier of frame.modifiers) {
    const target: Target | undefined = subject ?? firstTarget(builder, frame);
    if (target === undefined) builder.problems.push('nothing that it is said of');
    else applyModifier(builder, modifier, target, subjectPhrase(frame, input.subject));
  }
  const parts = partsOf(frame);
  const said = parts.filter((part) => !('head' in part || 'pronoun' in part));
  const keys = [...said, ...assignment.choices.keys()];
  if (keys.some((key) => !builder.used.has(key))) builder.problems.push('something that the question says');
  const limit = limitOf(frame, input.subject);
  const isOneForMany =
    builder.superlatives.length > 0 || limit !== undefined || outputs.some(({ kind }) => kind === 'measure');
  const ofEach = parts.find((part) => 'each' in part && part.each && !isGroup(builder, part, outputs));
  if (isOneForMany && ofEach !== undefined && 'head' in ofEach)
    builder.problems.push(`what is asked of each ${ofEach.head?.text ?? 'of them'}`);
  if (builder.superlatives.some((one) => one.limit === 1) && builder.orders.length > 0)
    builder.problems.push('an extreme and an order at once');
  if (mixesTimes(builder)) builder.problems.push('which of two times is meant');
  if (outputs.some((output) => countsSales(builder, output)))
    builder.problems.push('whether rows or units are counted');
  if (builder.root !== undefined && asksForTwoValues(builder.root))
    builder.problems.push('one thing that is two at once');
  if (builder.root !== undefined && asksTwice(builder.root))
    builder.problems.push('two conditions that may mean one row or two');
  if (builder.root === undefined || outputs.length === 0) builder.problems.push('nothing that is asked for');
  if (builder.root === undefined || builder.problems.length > 0) return { problems: builder.problems };
  const meaning: Meaning = {
    root: builder.root,
    outputs,
    groups: dedupeGroups(builder.groups),
    superlatives: builder.superlatives,
    orders: builder.orders,
    limit,
    notes: [...builder.notes],
  };
  return { meaning, problems: [] };
}

/** "shipped in May" is said of the shipping, and so is the month of "shipped this year, per month". */
function mixesTimes({ times }: Builder): boolean {
  return times.some(
    ({ relation, attribute, byVerb }) =>
      !byVerb &&
      times.some((other) => other.byVerb && other.relation === relation && other.attribute !== attribute) &&
      !times.some((other) => other.byVerb && other.attribute === attribute),
  );
}

/** "how many items were sold": products that were, or how many of them. */
function countsSales({ words, linked }: Builder, output: MeaningOutput): boolean {
  if (output.kind !== 'measure' || output.measure.function !== 'count' || output.measure.attributes.length > 0)
    return false;
  if (![...SALE_VERBS].some((word) => words.has(word))) return false;
  const hasQuantity = (relation: RelationId): boolean =>
    linked.index.attributesOf(relation).some(({ name }) => /quantity|qty|units/iu.test(name));
  const { node } = output.measure;
  return (
    (hasQuantity(node.relation) && !isRowNoun(linked, node.relation, words)) ||
    node.links.some(
      ({ edge, quantifier, child }) => !edge.functional && quantifier.kind === 'some' && hasQuantity(child.relation),
    )
  );
}

/** The question calls the rows by the name of their relation: "how many orders". */
function isRowNoun({ index }: LinkedCatalog, relation: RelationId, words: ReadonlySet<string>): boolean {
  return nameWords(index.relation(relation)?.name ?? '').some((word) => words.has(word) && !SALE_VERBS.has(word));
}

/**
 * Conditions on different attributes of rows of which there are many ("a strength value of 100") may be meant of one
 * and the same row, or not; conditions on one attribute ("a cat and a dog") cannot.
 */
function asksTwice(node: EntityNode): boolean {
  const seen = new Map<string, string>();
  for (const { edge, child, quantifier, required, shared } of node.links) {
    if (quantifier.kind !== 'some' || edge.functional || !isConstrained(child, required)) continue;
    const key = `${edge.direction} ${edge.foreignKey.id}`;
    const about = [...conditionAttributes(child)].sort().join(' ');
    const known = seen.get(key);
    if (known !== undefined && known !== about) return true;
    if (!shared || about !== '') seen.set(key, about);
  }
  return node.links.some((link) => asksTwice(link.child));
}

/** No row is both male and female. */
function asksForTwoValues({ conditions, links }: EntityNode): boolean {
  const wanted = conditions.filter((one) => one.kind === 'in').filter(({ negated }) => !negated);
  const texts = ({ values }: (typeof wanted)[number]): string[] => values.map((value) => JSON.stringify(value));
  return (
    wanted.some((one) =>
      wanted.some(
        (other) => one.attribute === other.attribute && !texts(one).some((value) => texts(other).includes(value)),
      ),
    ) || links.some(({ child }) => asksForTwoValues(child))
  );
}

function isConstrained(node: EntityNode, required: boolean): boolean {
  return required || node.conditions.length > 0 || node.links.some((link) => isConstrained(link.child, link.required));
}

function conditionAttributes(node: EntityNode): Set<string> {
  const own = node.conditions.map((condition) => ('attribute' in condition ? condition.attribute : condition.kind));
  return new Set([...own, ...node.links.flatMap((link) => [...conditionAttributes(link.child)])]);
}

function firstTarget(builder: Builder, frame: Frame): Target | undefined {
  const phrase = frame.outputs[0]?.phrase;
  return phrase === undefined ? undefined : builder.targets.get(phrase);
}

function subjectPhrase(frame: Frame, subject: Phrase | undefined): Phrase | undefined {
  return subject ?? frame.outputs[0]?.phrase;
}

/** "five customers", "the top 3 countries by …": how many rows are wanted. */
function limitOf(frame: Frame, subject: Phrase | undefined): number | undefined {
  for (const phrase of [...frame.outputs.map((output) => output.phrase), subject])
    if (phrase?.count !== undefined) return phrase.count;
  return undefined;
}

function dedupeGroups(groups: readonly GroupTarget[]): GroupTarget[] {
  return groups.filter(
    (group, place) =>
      groups.findIndex(
        (other) => other.node === group.node && other.attribute === group.attribute && other.unit === group.unit,
      ) === place,
  );
}

/** Finds or makes the node of a phrase and applies everything that is said of it, once. */
export function enterPhrase(builder: Builder, phrase: Phrase, from: EntityNode | undefined): Target {
  const known = builder.targets.get(phrase);
  if (known !== undefined) return known;
  const owner = phrase.owner === undefined ? from : enterPhrase(builder, phrase.owner, from).node;
  const target = placePhrase(builder, phrase, owner);
  builder.targets.set(phrase, target);
  if (phrase.owner !== undefined && saysNothing(builder, phrase.owner, target))
    builder.problems.push(`what '${phrase.owner.head?.text ?? ''}' says of ${phrase.head?.text ?? 'it'}`);
  applyPhrase(builder, phrase, target);
  return target;
}

/** An attribute owns nothing: as the owner of something else ("approved claims") it would be lost without a word. */
function saysNothing(builder: Builder, owner: Phrase, { candidate }: Target): boolean {
  const own = builder.targets.get(owner)?.candidate;
  return (
    own?.attribute !== undefined &&
    own.value === undefined &&
    own.attribute !== candidate?.attribute &&
    !owner.each &&
    owner.values.length === 0 &&
    owner.modifiers.length === 0
  );
}

/** "who was hired", "people who joined": the rows of the relation that holds it, where these are persons. */
function personOf(builder: Builder, phrase: Phrase): RelationId | undefined {
  if (!phrase.pronoun) return undefined;
  for (const modifier of phrase.modifiers) {
    const key = 'verb' in modifier ? modifier.verb : 'measure' in modifier ? measureKey(modifier.measure) : undefined;
    const candidate = key === undefined ? undefined : builder.assignment.choices.get(key);
    if (candidate?.attribute !== undefined && candidate.value === undefined)
      return isPerson(candidate.at, builder.linked) ? candidate.at : undefined;
  }
  return undefined;
}

function measureKey(measure: Measure): object | undefined {
  return measure.kind === 'dimension' ? measure : measure.phrase;
}

/** Applies the values and modifiers of a phrase to its node. */
export function applyPhrase(builder: Builder, phrase: Phrase, target: Target): void {
  if (phrase.values.length > 0)
    applyValues(builder, { values: phrase.values, connective: 'all', negated: false, apposition: true }, target);
  for (const modifier of phrase.modifiers) applyModifier(builder, modifier, target, phrase);
}

function placePhrase(builder: Builder, phrase: Phrase, owner: EntityNode | undefined): Target {
  const first = phrase.values[0];
  const candidate =
    choiceOf(builder, phrase) ??
    (first?.kind === 'cell' && phrase.head === undefined ? choiceOf(builder, first) : undefined);
  if (candidate === undefined) {
    const relation = owner === undefined ? personOf(builder, phrase) : undefined;
    if (relation !== undefined) builder.root ??= createNode(relation);
    else if (owner === undefined) builder.problems.push('a pronoun without anything that it stands for');
    return { node: owner ?? builder.root ?? createNode(''), candidate: undefined };
  }
  const valuesOf =
    phrase.owner === undefined || phrase.owner.pronoun ? valuesOfCandidate(builder, candidate) : undefined;
  builder.root ??= createNode(candidate.at);
  return { node: reachCandidate(builder, owner ?? builder.root, candidate, ATTRIBUTE_LINK), candidate, valuesOf };
}

/** A figure beside what is listed is one for each row of that. */
function isGroup({ groups, targets }: Builder, phrase: Phrase, outputs: readonly MeaningOutput[]): boolean {
  const node = targets.get(phrase)?.node;
  const isBesideFigure =
    outputs.some(({ kind }) => kind === 'measure') &&
    outputs.some((output) => output.kind === 'attributes' && output.node === node);
  return isBesideFigure || groups.some((group) => group.node === node);
}

/**
 * The phrases, modifiers and values of a frame, nested ones too. A meaning must use each modifier and value: one left
 * over would be lost without a word.
 */
function partsOf(frame: Frame): readonly (object | Phrase)[] {
  const found = new Set<object | Phrase>();
  const ofPhrase = (phrase: Phrase | undefined): void => {
    if (phrase === undefined || found.has(phrase)) return;
    found.add(phrase);
    for (const value of phrase.values) found.add(value);
    ofPhrase(phrase.owner);
    phrase.modifiers.forEach(ofModifier);
  };
  const ofMeasure = (measure: Measure): void => ofPhrase(measure.kind === 'dimension' ? undefined : measure.phrase);
  const ofOperand = (operand: Operand | undefined): void =>
    ofPhrase(operand?.kind === 'aggregate' ? operand.phrase : undefined);
  const ofModifier = (modifier: Modifier): void => {
    found.add(modifier);
    if ('phrase' in modifier) ofPhrase(modifier.phrase);
    if (modifier.kind === 'values') for (const value of modifier.values) found.add(value);
    else if (modifier.kind === 'superlative') ofMeasure(modifier.measure);
    else if (modifier.kind === 'all') modifier.modifiers.forEach(ofModifier);
    else if (modifier.kind === 'either') modifier.options.flat().forEach(ofModifier);
    else if (modifier.kind === 'order') for (const { measure } of modifier.keys) ofMeasure(measure);
    else if (modifier.kind === 'compare') {
      ofMeasure(modifier.measure);
      ofOperand(modifier.operand);
      ofOperand(modifier.upper);
    }
  };
  const ofOutput = (output: Output): void => {
    ofPhrase(output.phrase);
    if (output.kind === 'share') ofModifier(output.part);
  };
  frame.outputs.forEach(ofOutput);
  frame.modifiers.forEach(ofModifier);
  ofPhrase(frame.subject);
  return [...found];
}
