import type { Decomposition } from '../decomposition.ts';
import type { CertificateProblem } from '../verify-certificate.ts';
import type { WatchedClosure } from '../watched-closure.ts';

/**
 * Replays the chase (Aho, Beeri and Ullman, The theory of joins in relational databases, TODS 4(3), 1979). The tableau has one row for each part,
 * which knows the attributes of the part; a dependency equates right sides where rows agree on its left side. Each step takes over from a row that
 * knows both sides of a dependency that follows from the original ones. The join loses nothing when one row becomes complete.
 */
export function checkLossless(
  { original, relations, certificate: { lossless } }: Decomposition,
  closure: WatchedClosure,
): readonly CertificateProblem[] {
  const problem = (message: string): CertificateProblem[] => [{ check: 'lossless', message }];
  const rows = new Map(relations.map(({ name, attributes }) => [name, new Set(attributes)]));
  const known = new Set(rows.get(lossless.row));
  if (!rows.has(lossless.row))
    return problem(`The chase completes the row of \`${lossless.row}\`, and there is no such part.`);
  for (const [at, { dependency, from }] of lossless.steps.entries()) {
    const { left, right } = dependency;
    const step = `Step ${at + 1} of the chase, ${left.join(', ')} -> ${right.join(', ')} from \`${from}\`,`;
    const row = rows.get(from);
    if (row === undefined) return problem(`${step} names no part.`);
    if (![...left, ...right].every((attribute) => row.has(attribute)))
      return problem(`${step} is not within that part.`);
    if (!left.every((attribute) => known.has(attribute)))
      return problem(`${step} comes before its left side is known.`);
    if (!closure.determines(left, right)) return problem(`${step} does not follow from the dependencies.`);
    for (const attribute of right) known.add(attribute);
  }
  const missing = original.attributes.filter((attribute) => !known.has(attribute));
  return missing.length === 0
    ? []
    : problem(`The chase ends without ${missing.join(', ')}: the join may lose what belongs together.`);
}
