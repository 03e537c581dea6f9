import type { Decomposition } from '../decomposition.ts';
import type { CertificateProblem } from '../verify-certificate.ts';

/** Names and attributes of the parts: nothing missing, nothing foreign, nothing twice, nothing within another part. */
export function checkParts({ original, relations }: Decomposition): readonly CertificateProblem[] {
  const problems: CertificateProblem[] = [];
  const problem = (message: string): void => void problems.push({ check: 'parts', message });
  const all = new Set(original.attributes);
  if (all.size < original.attributes.length) problem(`\`${original.name}\` has an attribute twice.`);
  for (const { left, right } of original.dependencies) {
    for (const attribute of [...left, ...right])
      if (!all.has(attribute))
        problem(`A dependency of \`${original.name}\` names \`${attribute}\`, which it does not have.`);
  }
  const names = new Set<string>();
  const covered = new Set<string>();
  for (const { name, attributes } of relations) {
    if (name.trim() === '') problem('A part has no name.');
    if (names.has(name)) problem(`Two parts are called \`${name}\`.`);
    names.add(name);
    if (attributes.length === 0) problem(`\`${name}\` has no attributes.`);
    if (new Set(attributes).size < attributes.length) problem(`\`${name}\` has an attribute twice.`);
    for (const attribute of attributes) {
      if (!all.has(attribute))
        problem(`\`${name}\` has the attribute \`${attribute}\`, which the original does not have.`);
      covered.add(attribute);
    }
  }
  for (const attribute of all) if (!covered.has(attribute)) problem(`\`${attribute}\` stands in no part.`);
  return [...problems, ...withinOthers(relations)];
}

function withinOthers(relations: Decomposition['relations']): readonly CertificateProblem[] {
  const sets = relations.map(({ attributes }) => new Set(attributes));
  const holders = new Map<string, number[]>();
  for (const [at, set] of sets.entries()) {
    for (const attribute of set) holders.set(attribute, [...(holders.get(attribute) ?? []), at]);
  }
  return relations.flatMap(({ name, attributes }, at): CertificateProblem[] => {
    const lists = attributes.map((attribute) => holders.get(attribute) ?? []);
    const rarest = lists.reduce((few, list) => (list.length < few.length ? list : few), lists[0] ?? []);
    const host = rarest.find(
      (other) => other !== at && attributes.every((attribute) => sets[other]?.has(attribute) === true),
    );
    if (host === undefined) return [];
    return [{ check: 'parts', message: `\`${name}\` lies within \`${relations[host]?.name ?? ''}\`.` }];
  });
}
