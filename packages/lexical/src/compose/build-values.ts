import type { ValueOperand, ValuesModifier } from '../interpret/frame.ts';
import { unitNouns } from '../lexicon/units.ts';
import { nameWords } from '../link/vocabulary.ts';
import { lemma } from '../tokenise/lemma.ts';
import type { Literal } from '../write/query.ts';
import { attributeClass, isYear } from './attribute-class.ts';
import { ATTRIBUTE_LINK, type Builder, choiceOf, type LinkOptions, reachCandidate, type Target } from './builder.ts';
import type { Candidate } from './candidates.ts';
import type { EntityNode } from './meaning.ts';

/** `apposition`: right behind the noun, as in "order 15". */
type ValueCondition = Pick<ValuesModifier, 'values' | 'connective' | 'negated' | 'phrase'> & {
  readonly apposition?: boolean | undefined;
  /** "a dog and a cat" are two. */
  readonly apart?: boolean | undefined;
};

/**
 * Cells and literals said of a target. Beside an attribute they are what it equals; beside an entity, cells say by
 * themselves which attribute is meant, and literals that no cell was found for cannot be read.
 */
export function applyValues(builder: Builder, condition: ValueCondition, target: Target): void {
  const { values, negated, apposition = false } = condition;
  for (const value of values) builder.used.add(value);
  const cells = values.filter((value) => value.kind === 'cell');
  const literals = values.filter((value) => value.kind !== 'cell');
  if (cells.length > 0) applyCells(builder, cells, condition, target.node);
  const key = apposition ? keyFor(builder, literals, target.candidate) : undefined;
  if (literals.length > 0)
    applyLiterals(builder, literals, negated, target, key, condition.phrase === undefined && !apposition);
}

/** What a book was borrowed by is no fact of the book itself. */
export function checkAway(builder: Builder, values: readonly ValueOperand[], target: Target, about: Target): void {
  if (about.node === target.node) return;
  for (const value of values)
    if (
      value.kind === 'cell' &&
      choiceOf(builder, value)?.at === target.node.relation &&
      about.node.relation !== target.node.relation
    )
      builder.problems.push(`what '${value.mention.text}' says`);
}

function applyCells(
  builder: Builder,
  cells: readonly Extract<ValueOperand, { kind: 'cell' }>[],
  { connective, negated, apart = false }: ValueCondition,
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
    // Each hero has one publisher: "the publisher of A and B" is rather that of each than one of both.
    if (separate && !negated && isOfOne(builder, node, group[0]))
      builder.problems.push('whether one of all or one of each is meant');
    for (const candidates of separate ? group.map((one) => [one]) : [group])
      addCells(builder, node, candidates, negated, separate || apart);
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
  const kind = attributeClass(first.attribute, builder.linked);
  const values = candidates.map(
    ({ value = '' }): Literal =>
      kind === 'number' ? { kind: 'number', value: Number(value) } : { kind: 'text', value },
  );
  const many = !isFunctional(builder, node, first);
  const options: LinkOptions =
    negated && many
      ? { quantifier: { kind: 'none' }, required: true, shared: false }
      : { ...ATTRIBUTE_LINK, shared: !separate };
  if (negated && !many) noteMissing(builder, node, first);
  const place = reachCandidate(builder, node, first, options);
  const { attribute } = first;
  const isNot = negated && !many;
  if (kind === 'bool') place.conditions.push({ kind: 'flag', attribute, negated: isNot !== (first.value === 'false') });
  else place.conditions.push({ kind: 'in', attribute, values, negated: isNot });
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

/** True when one row at the candidate belongs to one row of the node. */
function isOfOne({ linked }: Builder, node: EntityNode, candidate: Candidate | undefined): boolean {
  if (candidate === undefined) return false;
  return linked.graph.routes(candidate.at, node.relation)[0]?.every((edge) => edge.functional) ?? false;
}

function applyLiterals(
  builder: Builder,
  literals: readonly ValueOperand[],
  negated: boolean,
  { node, candidate }: Target,
  key: string | undefined,
  isLoose: boolean,
): void {
  const attribute = candidate?.value === undefined ? (candidate?.attribute ?? key) : undefined;
  if (attribute === undefined) {
    builder.problems.push(
      `the value ${literals.map((literal) => `'${literalText(literal)}'`).join(', ')}, which is no cell that was found`,
    );
    return;
  }
  const kind = attributeClass(attribute, builder.linked);
  // "borrowed in 2024" is no borrower with that number.
  if (
    candidate?.attribute !== undefined &&
    isYearNumber(literals) &&
    (isLoose || isForeignKey(builder, candidate.attribute)) &&
    !isYear(candidate.attribute, builder.linked)
  )
    builder.problems.push(`the value ${literals.map(literalText).join(', ')}`);
  const values = literals.flatMap((literal): Literal[] => {
    if (literal.kind === 'number') {
      if (!unitFits(builder, attribute, literal)) builder.problems.push(`the unit ${literal.unit}`);
      if (kind === 'number' || kind === 'any') return [{ kind: 'number', value: literal.value }];
      if (kind === 'text' && literal.unit === undefined && holdsNumbers(builder, attribute))
        return [{ kind: 'text', value: literal.text }];
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

/** "order 15": the key of an entity, where that is one number. */
function keyFor(
  { linked }: Builder,
  [literal, second]: readonly ValueOperand[],
  candidate: Candidate | undefined,
): string | undefined {
  if (candidate === undefined || candidate.role !== undefined || literal?.kind !== 'number' || second !== undefined)
    return undefined;
  const [key, ...others] = linked.index.primaryKey(candidate.anchor)?.attributes ?? [];
  const isKey = key !== undefined && others.length === 0 && attributeClass(key, linked) === 'number';
  const isOther = isYearNumber([literal]) || literal.unit !== undefined;
  return isKey && !isOther && Number.isInteger(literal.value) ? key : undefined;
}

function isYearNumber(literals: readonly ValueOperand[]): boolean {
  return literals.some((literal) => literal.kind === 'number' && /^(?:1[89]|20)\d\d$/u.test(literal.text));
}

function isForeignKey({ linked: { index } }: Builder, attribute: string): boolean {
  const relation = index.attribute(attribute)?.relation ?? '';
  return index.foreignKeysFrom(relation).some(({ pairs }) => pairs.some(({ from }) => from === attribute));
}

/** Text that may well be digits: `zip_code`, not `status`. */
function holdsNumbers({ linked }: Builder, attribute: string): boolean {
  const name = linked.index.attribute(attribute)?.name ?? '';
  return (
    isYear(attribute, linked) ||
    /id$|code|no$|nr|num|zip|postal|phone|grade|level|room|version|size|season|model/iu.test(name)
  );
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
  const name = builder.linked.index.attribute(attribute)?.name ?? '';
  return nameWords(name).some((word) => nouns.includes(word)) || (name.includes('%') && nouns.includes('percent'));
}
