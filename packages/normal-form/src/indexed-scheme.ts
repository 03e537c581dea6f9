import { AskemaError, didYouMean, nearestNames } from '@askema/core';
import type { FunctionalDependency, RelationScheme } from './functional-dependency.ts';

/** A dependency over positions of attributes; both sides ascending, without repeats. */
export interface IndexedDependency {
  readonly left: readonly number[];
  readonly right: readonly number[];
}

/** Attributes as positions: names are compared once, here, and numbers from then on. */
export interface IndexedScheme {
  readonly names: readonly string[];
  readonly positions: ReadonlyMap<string, number>;
  readonly dependencies: readonly IndexedDependency[];
}

/**
 * A relation with its attributes as positions.
 *
 * @throws AskemaError `INPUT_INVALID` for a name that is empty or occurs twice, and for a dependency over an attribute
 * that the relation does not have.
 */
export function indexScheme({ name, attributes, dependencies }: RelationScheme): IndexedScheme {
  return index(attributes, dependencies, `relation \`${name}\``);
}

/**
 * The same for dependencies without a relation: `attributes` come first, then names as the dependencies bring them.
 *
 * @throws AskemaError `INPUT_INVALID` for a name that is empty, or occurs twice in `attributes` or in one side of a
 * dependency.
 */
export function indexDependencies(
  dependencies: readonly FunctionalDependency[],
  attributes: readonly string[],
): IndexedScheme {
  const named = new Set(attributes);
  const brought = dependencies.flatMap(({ left, right }) => [...left, ...right]).filter((name) => !named.has(name));
  return index([...attributes, ...new Set(brought)], dependencies, 'the set of attributes');
}

function index(
  attributes: readonly string[],
  dependencies: readonly FunctionalDependency[],
  owner: string,
): IndexedScheme {
  const positions = new Map<string, number>();
  for (const attribute of attributes) {
    if (attribute.trim() === '')
      throw new AskemaError('INPUT_INVALID', `There is an empty name among the attributes of ${owner}; name it.`);
    if (positions.has(attribute))
      throw new AskemaError('INPUT_INVALID', `The attribute \`${attribute}\` occurs twice in ${owner}; leave one out.`);
    positions.set(attribute, positions.size);
  }
  const place = `a dependency of ${owner}`;
  return {
    names: attributes,
    positions,
    dependencies: dependencies.map(({ left, right }) => ({
      left: positionsOf(left, positions, place),
      right: positionsOf(right, positions, place),
    })),
  };
}

/**
 * Names as ascending positions; `place` says in messages where they stand.
 *
 * @throws AskemaError `INPUT_INVALID` for a name that is unknown (with the nearest one), empty, or there twice.
 */
export function positionsOf(
  attributes: readonly string[],
  positions: ReadonlyMap<string, number>,
  place: string,
): readonly number[] {
  const found = new Set<number>();
  for (const attribute of attributes) {
    const position = positions.get(attribute);
    if (position === undefined) throw unknownAttribute(attribute, [...positions.keys()], place);
    if (found.has(position)) {
      throw new AskemaError(
        'INPUT_INVALID',
        `The attribute \`${attribute}\` occurs twice on one side of ${place}; leave one out.`,
      );
    }
    found.add(position);
  }
  return [...found].sort((a, b) => a - b);
}

/** The error for a name that is no attribute. `place` reads after "in". */
export function unknownAttribute(attribute: string, attributes: readonly string[], place: string): AskemaError {
  if (attribute.trim() === '')
    return new AskemaError('INPUT_INVALID', `There is an empty name in ${place}; name the attribute.`);
  const shown = attributes.length > 20 ? [...attributes.slice(0, 20), '…'] : attributes;
  const hint = didYouMean(attribute, attributes) || `Attributes: ${shown.join('; ') || 'none'}.`;
  return new AskemaError('INPUT_INVALID', `There is no attribute \`${attribute}\`, named in ${place}. ${hint}`, {
    details: { nearestNames: nearestNames(attribute, attributes) },
  });
}

/** Positions back as names. */
export function namesOf(positions: readonly number[], { names }: Pick<IndexedScheme, 'names'>): readonly string[] {
  return positions.map((position) => names[position] ?? '');
}

/** A dependency back with names. */
export function namedDependency(
  { left, right }: IndexedDependency,
  scheme: Pick<IndexedScheme, 'names'>,
): FunctionalDependency {
  return { left: namesOf(left, scheme), right: namesOf(right, scheme) };
}
