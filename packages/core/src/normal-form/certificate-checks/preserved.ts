import type { Decomposition } from '../decomposition.ts';
import type { FunctionalDependency } from '../functional-dependency.ts';
import type { CertificateProblem } from '../verify-certificate.ts';
import { type WatchedClosure, watchedClosure } from '../watched-closure.ts';

/** Every dependency of the original follows from those that stand in the parts, and none of them says more than the original. */
export function checkPreserved(
  { original, relations, certificate }: Decomposition,
  closure: WatchedClosure,
): readonly CertificateProblem[] {
  const parts = new Map(relations.map(({ name, attributes }) => [name, new Set(attributes)]));
  const standing = [
    ...certificate.preserved,
    ...relations.flatMap(({ name, dependencies }) =>
      dependencies.map((dependency) => ({ relation: name, dependency })),
    ),
  ];
  const problems = standing.flatMap(({ relation, dependency }): CertificateProblem[] => {
    const part = parts.get(relation);
    const { left, right } = dependency;
    if (part === undefined)
      return [{ check: 'preserved', message: `${shown(dependency)} stands in \`${relation}\`, which is no part.` }];
    if (![...left, ...right].every((attribute) => part.has(attribute)))
      return [{ check: 'preserved', message: `${shown(dependency)} is not within \`${relation}\`.` }];
    if (closure.determines(left, right)) return [];
    return [
      {
        check: 'preserved',
        message: `${shown(dependency)} of \`${relation}\` does not follow from the original dependencies.`,
      },
    ];
  });
  const lists = [
    certificate.preserved.map(({ dependency }) => dependency),
    relations.flatMap(({ dependencies }) => dependencies),
  ];
  return [...problems, ...lists.flatMap((list) => lostIn(list, original.dependencies))];
}

function lostIn(
  kept: readonly FunctionalDependency[],
  original: readonly FunctionalDependency[],
): readonly CertificateProblem[] {
  const closure = watchedClosure(kept);
  return original.flatMap((dependency): CertificateProblem[] => {
    if (closure.determines(dependency.left, dependency.right)) return [];
    return [
      { check: 'preserved', message: `${shown(dependency)} does not follow from the dependencies of the parts.` },
    ];
  });
}

function shown({ left, right }: FunctionalDependency): string {
  return `${left.join(', ')} -> ${right.join(', ')}`;
}
