import type { Decomposition } from './decomposition.ts';
import type { FunctionalDependency } from './functional-dependency.ts';
import { type WatchedClosure, watchedClosure } from './watched-closure.ts';

/** What a certificate can fail in. */
export type CertificateCheck = 'parts' | 'keys' | 'third-normal-form' | 'lossless' | 'preserved' | 'foreign-keys';

/** What a certificate claims and does not prove. */
export interface CertificateProblem {
  readonly check: CertificateCheck;
  /** One sentence with the names. */
  readonly message: string;
}

/** `valid` where there are no problems. */
export interface CertificateVerdict {
  readonly valid: boolean;
  /** Empty when valid. */
  readonly problems: readonly CertificateProblem[];
}

/**
 * Checks a decomposition and its certificate against the dependencies of the original relation, without the code that
 * made them:
 *
 * - `parts`: names are there and differ; the attributes are those of the original, none is missing, and no part lies
 *   within another one;
 * - `keys`: each key and alternate key stands in its part, determines it, and can spare no attribute; the certificate
 *   names the same keys;
 * - `third-normal-form`: each part, over all dependencies that follow for it, also those that nobody wrote down;
 * - `lossless`: the chase of the certificate is replayed, each step checked, until one row is complete;
 * - `preserved`: the dependencies that stand in the parts follow from the original ones, and those from them;
 * - `foreign-keys`: each refers to a key of another part, over attributes that both have.
 *
 * A decomposition that passes is lossless, dependency-preserving and in third normal form: this is proved, not sampled.
 * One that fails may have a certificate that says too little: a prime attribute counts as one only where a key of its
 * part that is named holds it. Time: about one closure for each attribute of each key, part and dependency. Throws
 * nothing for wrong names; they are problems.
 */
export function verifyCertificate(decomposition: Decomposition): CertificateVerdict {
  const parts = checkParts(decomposition);
  // Where the parts are no parts of the original, nothing can be said about them.
  if (parts.length > 0) return { valid: false, problems: parts };
  const closure = watchedClosure(decomposition.original.dependencies);
  const problems = [
    ...checkKeys(decomposition, closure),
    ...checkThirdNormalForm(decomposition, closure),
    ...checkLossless(decomposition, closure),
    ...checkPreserved(decomposition, closure),
    ...checkForeignKeys(decomposition),
  ];
  return { valid: problems.length === 0, problems };
}

/** Names and attributes of the parts: nothing missing, nothing foreign, nothing twice, nothing within another part. */
function checkParts({ original, relations }: Decomposition): readonly CertificateProblem[] {
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

/** Every key determines its part and can spare nothing; the certificate names the same ones. */
function checkKeys({ relations, certificate }: Decomposition, closure: WatchedClosure): readonly CertificateProblem[] {
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

/**
 * Third normal form of each part R over every dependency X → A that follows for it, without projecting them one by one
 * (they can be exponentially many).
 *
 * A is in a named key of R, or it must be shown that no X ⊆ R − A determines A unless X determines all of R. When such
 * an X does not determine R, its closure is reached with the dependencies alone whose left side does not determine R
 * either: any other one that fired would make X determine R. So, where A is not in the closure of R − A under those
 * dependencies, no such X exists. In a part that Bernstein's synthesis made this always succeeds: A could otherwise be
 * derived from a key without the dependency that put it there, and would have been left out as transitive. So this
 * check is sound for every decomposition, and complete for those of `synthesize3NF`.
 *
 * Keys are checked elsewhere; here a key that does not determine its part would only make this check say less.
 */
function checkThirdNormalForm(
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
    const overSuperkey = new Map<number, boolean>();
    /** True when the left side of the dependency determines the part; looked at once, and only where it matters. */
    const isOverSuperkey = (at: number): boolean => {
      let isOver = overSuperkey.get(at);
      if (isOver === undefined) {
        const reached = reachedByLeft[at] ?? (() => false);
        isOver = attributes.every(reached);
        overSuperkey.set(at, isOver);
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

/**
 * Replays the chase (Aho, Beeri and Ullman, The theory of joins in relational databases, TODS 4(3), 1979). The tableau
 * has one row for each part, which knows the attributes of the part; a dependency equates right sides where rows agree
 * on its left side. Each step takes over from a row that knows both sides of a dependency that follows from the
 * original ones. The join loses nothing when one row becomes complete.
 */
function checkLossless(
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

/**
 * Every dependency of the original follows from those that stand in the parts, and none of them says more than the
 * original.
 */
function checkPreserved(
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

/**
 * Every foreign key refers to a key of another part over attributes that both have; following them never leads back.
 */
function checkForeignKeys({ relations, foreignKeys }: Decomposition): readonly CertificateProblem[] {
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
