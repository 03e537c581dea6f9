import type { DecomposedRelation } from '../decomposition.ts';
import type { FunctionalDependency, RelationScheme } from '../functional-dependency.ts';

/**
 * Normal forms by their definitions, over all subsets: right because it is simple, usable to about ten attributes.
 * Shares no code with what it is held against.
 */
export function closureOf(
  attributes: readonly string[],
  dependencies: readonly FunctionalDependency[],
): ReadonlySet<string> {
  const reached = new Set(attributes);
  for (let before = -1; before < reached.size; ) {
    before = reached.size;
    for (const { left, right } of dependencies)
      if (left.every((attribute) => reached.has(attribute))) for (const attribute of right) reached.add(attribute);
  }
  return reached;
}

function subsetsOf(attributes: readonly string[]): readonly (readonly string[])[] {
  return Array.from({ length: 2 ** attributes.length }, (_, bits) => attributes.filter((__, at) => (bits >> at) & 1));
}

export function implies(dependencies: readonly FunctionalDependency[], { left, right }: FunctionalDependency): boolean {
  const reached = closureOf(left, dependencies);
  return right.every((attribute) => reached.has(attribute));
}

/** The keys of a part of a relation, over everything that follows for it. */
export function keysOf(
  attributes: readonly string[],
  dependencies: readonly FunctionalDependency[],
): readonly (readonly string[])[] {
  const determining = subsetsOf(attributes)
    .filter((subset) => implies(dependencies, { left: subset, right: attributes }))
    .sort((a, b) => a.length - b.length);
  const keys: (readonly string[])[] = [];
  for (const subset of determining)
    if (!keys.some((key) => key.every((attribute) => subset.includes(attribute)))) keys.push(subset);
  return keys;
}

/** The highest normal form of attributes of a relation, over everything that follows for them. */
export function formOf(attributes: readonly string[], dependencies: readonly FunctionalDependency[]): string {
  const keys = keysOf(attributes, dependencies);
  const prime = new Set(keys.flat());
  let form = 'BCNF';
  for (const left of subsetsOf(attributes)) {
    const reached = closureOf(left, dependencies);
    if (attributes.every((attribute) => reached.has(attribute))) continue;
    for (const attribute of attributes) {
      if (left.includes(attribute) || !reached.has(attribute)) continue;
      if (prime.has(attribute)) {
        if (form === 'BCNF') form = '3NF';
      } else if (keys.some((key) => left.every((each) => key.includes(each)))) return '1NF';
      else form = '2NF';
    }
  }
  return form;
}

/** The whole tableau of Aho, Beeri and Ullman: true when some row becomes complete. */
function isLossless(
  { attributes, dependencies }: RelationScheme,
  parts: readonly { readonly attributes: readonly string[] }[],
): boolean {
  const rows = parts.map((part, row) =>
    Object.fromEntries(
      attributes.map((attribute) => [attribute, part.attributes.includes(attribute) ? 'a' : `b${row}`]),
    ),
  );
  for (let changed = true; changed; ) {
    changed = false;
    for (const { left, right } of dependencies) {
      for (const one of rows) {
        for (const other of rows) {
          if (one === other || !left.every((attribute) => one[attribute] === other[attribute])) continue;
          for (const attribute of right) {
            const [kept, replaced] = [one[attribute] ?? '', other[attribute] ?? ''].sort();
            if (kept === replaced) continue;
            changed = true;
            for (const row of rows) if (row[attribute] === replaced) row[attribute] = kept ?? '';
          }
        }
      }
    }
  }
  return rows.some((row) => attributes.every((attribute) => row[attribute] === 'a'));
}

/**
 * True when what holds within the parts implies every dependency (Ullman, Principles of database systems, 1982, section
 * 7.4).
 */
function isPreserving(
  { dependencies }: RelationScheme,
  parts: readonly Pick<DecomposedRelation, 'attributes'>[],
): boolean {
  return dependencies.every(({ left, right }) => {
    const reached = new Set(left);
    for (let before = -1; before < reached.size; ) {
      before = reached.size;
      for (const { attributes } of parts) {
        const within = closureOf(
          attributes.filter((attribute) => reached.has(attribute)),
          dependencies,
        );
        for (const attribute of attributes) if (within.has(attribute)) reached.add(attribute);
      }
    }
    return right.every((attribute) => reached.has(attribute));
  });
}

/** What is wrong with a decomposition by the definitions; empty where it is right. */
export function faultsOf(original: RelationScheme, parts: readonly DecomposedRelation[]): readonly string[] {
  const faults: string[] = [];
  const { attributes, dependencies } = original;
  const covered = new Set(parts.flatMap((part) => part.attributes));
  if (covered.size !== attributes.length || !attributes.every((each) => covered.has(each))) faults.push('attributes');
  if (faults.length > 0) return faults;
  if (!isLossless(original, parts)) faults.push('lossless');
  if (!isPreserving(original, parts)) faults.push('preserved');
  for (const part of parts) {
    if (!['3NF', 'BCNF'].includes(formOf(part.attributes, dependencies))) faults.push(`form of ${part.name}`);
    const keys = keysOf(part.attributes, dependencies).map((key) => [...key].sort().join());
    for (const key of [part.key, ...part.alternateKeys])
      if (!keys.includes([...key].sort().join())) faults.push(`key of ${part.name}`);
    if (parts.some((other) => other !== part && part.attributes.every((each) => other.attributes.includes(each))))
      faults.push(`${part.name} within another`);
  }
  return faults;
}
