import type { Decomposition } from '../decomposition.ts';
import type { CertificateProblem } from '../verify-certificate.ts';

/** Every foreign key refers to a key of another part over attributes that both have; following them never leads back. */
export function checkForeignKeys({ relations, foreignKeys }: Decomposition): readonly CertificateProblem[] {
  const problems: CertificateProblem[] = [];
  const parts = new Map(relations.map((part) => [part.name, part]));
  const seen = new Set<string>();
  for (const { from, to, attributes } of foreignKeys) {
    const problem = (message: string): void =>
      void problems.push({
        check: 'foreign-keys',
        message: `The foreign key (${attributes.join(', ')}) of \`${from}\` to \`${to}\` ${message}`,
      });
    const [own, other] = [parts.get(from), parts.get(to)];
    if (own === undefined || other === undefined) {
      problem('names no part.');
      continue;
    }
    const identity = JSON.stringify([from, to, attributes]);
    if (seen.has(identity)) problem('is there twice.');
    seen.add(identity);
    if (from === to) problem('refers to its own part.');
    if (!attributes.every((attribute) => own.attributes.includes(attribute))) problem('is not within its part.');
    const keys = [other.key, ...other.alternateKeys];
    const isKey = keys.some(
      (key) => key.length === attributes.length && key.every((attribute) => attributes.includes(attribute)),
    );
    if (!isKey || attributes.length === 0) problem('refers to no key.');
  }
  return [...problems, ...circles(relations, foreignKeys)];
}

/** Takes parts away that refer to none that is left; what remains runs in a circle. */
function circles(
  relations: Decomposition['relations'],
  foreignKeys: Decomposition['foreignKeys'],
): readonly CertificateProblem[] {
  const open = new Map(relations.map(({ name }) => [name, 0]));
  const referring = new Map<string, string[]>();
  for (const { from, to } of foreignKeys) {
    if (from === to || !open.has(from) || !open.has(to)) continue;
    open.set(from, (open.get(from) ?? 0) + 1);
    referring.set(to, [...(referring.get(to) ?? []), from]);
  }
  const done = [...open].filter(([, count]) => count === 0).map(([name]) => name);
  for (const name of done) {
    for (const from of referring.get(name) ?? []) {
      const left = (open.get(from) ?? 0) - 1;
      open.set(from, left);
      if (left === 0) done.push(from);
    }
  }
  if (done.length === open.size) return [];
  const names = [...open].filter(([, count]) => count > 0).map(([name]) => `\`${name}\``);
  return [{ check: 'foreign-keys', message: `The foreign keys of ${names.join(', ')} lead back to where they begin.` }];
}
