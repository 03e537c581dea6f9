import type { Decomposition } from '../decomposition.ts';
import type { CertificateProblem } from '../verify-certificate.ts';
import type { WatchedClosure } from '../watched-closure.ts';

/**
 * Third normal form of each part R over every dependency X → A that follows for it, without projecting them one by one (they can be
 * exponentially many).
 *
 * A is in a named key of R, or it must be shown that no X ⊆ R − A determines A unless X determines all of R. When such an X does not determine
 * R, its closure is reached with the dependencies alone whose left side does not determine R either: any other one that fired would make X
 * determine R. So, where A is not in the closure of R − A under those dependencies, no such X exists. In a part that Bernstein's
 * synthesis made this always succeeds: A could otherwise be derived from a key without the dependency that put it there, and would have been left
 * out as transitive. So this check is sound for every decomposition, and complete for those of `synthesize3NF`.
 *
 * Keys are checked elsewhere; here a key that does not determine its part would only make this check say less.
 */
export function checkThirdNormalForm(
  { original, relations }: Decomposition,
  closure: WatchedClosure,
): readonly CertificateProblem[] {
  const reachedByLeft = original.dependencies.map(({ left }) => closure.reachedBy(left));
  const onRight = new Map<string, number[]>();
  for (const [at, { right }] of original.dependencies.entries()) {
    for (const attribute of right) {
      const list = onRight.get(attribute);
      if (list === undefined) onRight.set(attribute, [at]);
      else list.push(at);
    }
  }
  return relations.flatMap(({ name, attributes, key, alternateKeys }): CertificateProblem[] => {
    const prime = new Set([key, ...alternateKeys].flat());
    const looked = new Map<number, boolean>();
    /** True when the left side of the dependency determines the part; looked at once, and only where it matters. */
    const isOverSuperkey = (at: number): boolean => {
      let isOver = looked.get(at);
      if (isOver === undefined) {
        const reached = reachedByLeft[at] ?? (() => false);
        isOver = attributes.every(reached);
        looked.set(at, isOver);
      }
      return isOver;
    };
    return attributes
      .filter((attribute) => !prime.has(attribute))
      .filter((attribute) => (onRight.get(attribute) ?? []).some((at) => !isOverSuperkey(at)))
      .filter((attribute) => {
        const rest = attributes.filter((other) => other !== attribute);
        return closure.determines(rest, [attribute], isOverSuperkey);
      })
      .map((attribute) => ({
        check: 'third-normal-form',
        message: `\`${name}\` is not shown to be in third normal form: \`${attribute}\`, which is in none of its keys, depends on attributes that may hold no key.`,
      }));
  });
}
