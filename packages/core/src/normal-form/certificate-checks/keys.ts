import type { Decomposition } from '../decomposition.ts';
import type { CertificateProblem } from '../verify-certificate.ts';
import type { WatchedClosure } from '../watched-closure.ts';

/** Every key determines its part and can spare nothing; the certificate names the same ones. */
export function checkKeys(
  { relations, certificate }: Decomposition,
  closure: WatchedClosure,
): readonly CertificateProblem[] {
  const problems: CertificateProblem[] = [];
  const problem = (message: string): void => void problems.push({ check: 'keys', message });
  const certified = new Map(certificate.keys.map(({ relation, key }) => [relation, key]));
  if (certified.size !== relations.length || certificate.keys.length !== relations.length)
    problem(`The certificate names ${certificate.keys.length} keys for ${relations.length} parts.`);
  for (const { name, attributes, key, alternateKeys } of relations) {
    if (!isSameSet(certified.get(name), key))
      problem(`The certificate names another key of \`${name}\` than (${key.join(', ')}).`);
    const own = new Set(attributes);
    for (const each of [key, ...alternateKeys]) {
      const shown = `The key (${each.join(', ')}) of \`${name}\``;
      if (new Set(each).size < each.length) problem(`${shown} has an attribute twice.`);
      if (!each.every((attribute) => own.has(attribute))) problem(`${shown} is not within the part.`);
      else if (!closure.determines(each, attributes)) problem(`${shown} does not determine the part.`);
      const spare = each.find((attribute) =>
        closure.determines(
          each.filter((other) => other !== attribute),
          attributes,
        ),
      );
      if (spare !== undefined) problem(`${shown} is not minimal: \`${spare}\` can be spared.`);
    }
  }
  return problems;
}

function isSameSet(a: readonly string[] | undefined, b: readonly string[]): boolean {
  return (
    a !== undefined &&
    a.length === b.length &&
    a.every((each) => b.includes(each)) &&
    b.every((each) => a.includes(each))
  );
}
