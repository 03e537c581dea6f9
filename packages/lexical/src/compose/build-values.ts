import type { ValueOperand, ValuesModifier } from '../interpret/frame.ts';
import { unitNouns } from '../lexicon/units.ts';
import { nameWords } from '../link/vocabulary.ts';
import { lemma } from '../tokenise/lemma.ts';
import type { Literal } from '../write/query.ts';
import { attributeClass } from './attribute-class.ts';
import { ATTRIBUTE_LINK, type Builder, choiceOf, type LinkOptions, reachCandidate, type Target } from './builder.ts';
import type { Candidate } from './candidates.ts';
import type { EntityNode } from './meaning.ts';

type ValueCondition = Pick<ValuesModifier, 'values' | 'connective' | 'negated'>;

/**
 * Cells and literals said of a target. Beside an attribute they are what it equals; beside an entity, cells say by
 * themselves which attribute is meant, and literals that no cell was found for cannot be read.
 */
export function applyValues(builder: Builder, { values, connective, negated }: ValueCondition, target: Target): void {
  for (const value of values) builder.used.add(value);
  const cells = values.filter((value) => value.kind === 'cell');
  const literals = values.filter((value) => value.kind !== 'cell');
  if (cells.length > 0) applyCells(builder, cells, connective, negated, target.node);
  if (literals.length > 0) applyLiterals(builder, literals, negated, target);
}

function applyCells(
  builder: Builder,
  cells: readonly Extract<ValueOperand, { kind: 'cell' }>[],
  connective: 'any' | 'all',
  negated: boolean,
  node: EntityNode,
): void {
  const byAttribute = new Map<string, Candidate[]>();
  for (const cell of cells) {
    const candidate = choiceOf(builder, cell);
    if (candidate?.attribute === undefined) continue;
    const key = candidate.attribute;
    byAttribute.set(key, [...(byAttribute.get(key) ?? []), candidate]);
  }
  if (byAttribute.size > 1 && (connective === 'any' || negated) && cells.length > 1) {
    builder.problems.push('a choice between values of different attributes');
    return;
  }
  for (const group of byAttribute.values()) {
    const separate = group.length > 1 && connective === 'all' && !isFunctional(builder, node, group[0]);
    for (const candidates of separate ? group.map((one) => [one]) : [group])
      addCells(builder, node, candidates, negated, separate);
  }
}

/** One row cannot have two values of one attribute: "in Paris and London" of rows means either. */
function addCells(
  builder: Builder,
  node: EntityNode,
  candidates: readonly Candidate[],
  negated: boolean,
  separate: boolean,
): void {
  const [first] = candidates;
  if (first?.attribute === undefined) return;
  const values = candidates.map((candidate): Literal => ({ kind: 'text', value: candidate.value ?? '' }));
  const many = !isFunctional(builder, node, first);
  const options: LinkOptions =
    negated && many
      ? { quantifier: { kind: 'none' }, required: true, shared: false }
      : { ...ATTRIBUTE_LINK, shared: !separate };
  if (negated && !many) noteMissing(builder, node, first);
  const place = reachCandidate(builder, node, first, options);
  place.conditions.push({ kind: 'in', attribute: first.attribute, values, negated: negated && !many });
}

/** What has no value is not known to be another one: SQL leaves it out, and whoever asks must know. */
function noteMissing({ linked, notes }: Builder, node: EntityNode, { at, attribute = '' }: Candidate): void {
  const { index, graph } = linked;
  const route = graph.routes(node.relation, at)[0] ?? [];
  const always =
    index.isNotNull(attribute) &&
    route.every(({ foreignKey }) => foreignKey.pairs.every(({ from }) => index.isNotNull(from)));
  const column = `${index.relation(at)?.name ?? ''}.${index.attribute(attribute)?.name ?? ''}`;
  if (!always) notes.add(`rows without a value of ${column} are left out`);
}

/** True when one row of the node has at most one partner where the candidate is. */
function isFunctional(builder: Builder, node: EntityNode, candidate: Candidate | undefined): boolean {
  if (candidate === undefined) return true;
  return builder.linked.graph.routes(node.relation, candidate.at)[0]?.every((edge) => edge.functional) ?? true;
}

function applyLiterals(
  builder: Builder,
  literals: readonly ValueOperand[],
  negated: boolean,
  { node, candidate }: Target,
): void {
  const attribute = candidate?.value === undefined ? candidate?.attribute : undefined;
  if (attribute === undefined) {
    builder.problems.push(
      `the value ${literals.map((literal) => `'${literalText(literal)}'`).join(', ')}, which is no cell that was found`,
    );
    return;
  }
  const kind = attributeClass(attribute, builder.linked);
  const values = literals.flatMap((literal): Literal[] => {
    if (literal.kind === 'number') {
      if (!unitFits(builder, attribute, literal)) builder.problems.push(`the unit ${literal.unit}`);
      if (kind === 'number' || kind === 'any') return [{ kind: 'number', value: literal.value }];
      if (kind === 'text' && literal.unit === undefined) return [{ kind: 'text', value: literal.text }];
    }
    if (literal.kind === 'text' && kind === 'text' && !wasSearched(builder, attribute)) {
      builder.notes.add(`nothing was looked up in the data for '${literal.text}'`);
      return [{ kind: 'text', value: literal.text }];
    }
    builder.problems.push(`the value ${literalText(literal)}`);
    return [];
  });
  if (values.length > 0) node.conditions.push({ kind: 'in', attribute, values, negated });
}

/** True when a text in quotation marks would have been found, had it been there. */
function wasSearched(builder: Builder, attribute: string): boolean {
  const relation = builder.linked.index.attribute(attribute)?.relation;
  return relation !== undefined && !builder.unsearched.has(relation);
}

function literalText(literal: ValueOperand): string {
  return literal.kind === 'cell' ? literal.mention.text : literal.text;
}

/** True when there is no unit, or one that goes with the name of the attribute. */
export function unitFits(
  builder: Builder,
  attribute: string,
  literal: Extract<ValueOperand, { kind: 'number' }>,
): boolean {
  if (literal.unit === undefined) return true;
  const nouns = unitNouns(literal.unit)?.map(lemma) ?? [];
  const words = nameWords(builder.linked.index.attribute(attribute)?.name ?? '');
  return words.some((word) => nouns.includes(word));
}
