import { AskemaError } from '@askema/core';
import { createClosureEngine } from './attribute-closure.ts';
import { createKeyFinder, type KeyFinder } from './candidate-keys.ts';
import type { Decomposition, NormalFormCertificate } from './decomposition.ts';
import type { RelationScheme } from './functional-dependency.ts';
import { type IndexedScheme, indexScheme, namedDependency, namesOf, positionsOf } from './indexed-scheme.ts';
import { coverOf } from './minimal-cover.ts';
import { createNamer, nameOfKey } from './name-of-key.ts';
import { dependenciesOf, deriveForeignKeys, keyClasses, mergeSubsumed, type Part } from './parts.ts';

/** Which key and which names the parts get. */
export interface SynthesisOptions {
  /**
   * The key of the first part, where it is a candidate key of the relation and that part holds it; otherwise it is
   * ignored.
   */
  readonly preferredKey?: readonly string[] | undefined;
  /**
   * Names the parts behind the first one, which keeps the original's name; default {@link nameOfKey}. Names are made
   * unique afterwards.
   */
  readonly nameOf?: ((key: readonly string[], attributes: readonly string[]) => string) | undefined;
  /** Names that no part but the first may get, for example those of other relations; case does not count. */
  readonly taken?: Iterable<string> | undefined;
}

/**
 * Decomposes a relation into third normal form: nothing is lost in joining the parts, every dependency can be checked
 * within a part, no part lies within another one, and the certificate proves it (Bernstein 1976, with the part that
 * holds a key: Biskup, Dayal and Bernstein, Synthesizing independent database schemas, SIGMOD 1979). A relation in BCNF
 * stays whole. One that is only in third normal form is split where a part of it repeats what another can hold: `A ↔ B`
 * in R(A, B, C) repeats B with each A.
 *
 * The first part holds a key of the relation and keeps its name; attributes that no dependency names stand there. The
 * parts depend on the order of the attributes, not on that of the dependencies. Time: linear closures, about one for
 * each attribute of each side of the dependencies; keys are not enumerated.
 *
 * @throws AskemaError `INPUT_INVALID` for attributes that are empty, doubled or unknown (also in `preferredKey`), a
 * relation without attributes, and an empty name from `nameOf`.
 */
export function synthesize3NF(scheme: RelationScheme, options: SynthesisOptions = {}): Decomposition {
  const indexed = indexScheme(scheme);
  const count = indexed.names.length;
  if (count === 0)
    throw new AskemaError('INPUT_INVALID', `Relation \`${scheme.name}\` has no attributes; give it at least one.`);
  const preferred =
    options.preferredKey === undefined
      ? undefined
      : positionsOf(options.preferredKey, indexed.positions, `the preferred key of relation \`${scheme.name}\``);
  const cover = coverOf(count, indexed.dependencies);
  const finder = createKeyFinder(count, cover);
  const merged = mergeSubsumed(count, keyClasses(count, cover));
  const parts = mainFirst(merged, finder, preferred !== undefined && finder.isKey(preferred) ? preferred : undefined);
  const names = namesOfParts(parts, indexed, scheme.name, options);
  const nameAt = (at: number): string => names[at] ?? '';
  return {
    original: scheme,
    relations: parts.map((part, at) => ({
      name: nameAt(at),
      attributes: namesOf(part.attributes, indexed),
      key: namesOf(part.key, indexed),
      alternateKeys: part.alternateKeys.map((key) => namesOf(key, indexed)),
      dependencies: dependenciesOf(part).map((dependency) => namedDependency(dependency, indexed)),
    })),
    foreignKeys: deriveForeignKeys(count, parts).map(({ from, to, attributes }) => ({
      from: nameAt(from),
      to: nameAt(to),
      attributes: namesOf(attributes, indexed),
    })),
    certificate: certify(parts, names, indexed),
  };
}

/**
 * The part that holds a key of the relation comes first; where none does, a part of the key alone. The others stay as
 * they were.
 */
function mainFirst(
  parts: readonly Part[],
  finder: KeyFinder,
  preferred: readonly number[] | undefined,
): readonly Part[] {
  // A part holds a key of the relation exactly where its own keys determine everything, or where one within it did.
  const main = parts.find(({ holdsAll }) => holdsAll);
  if (main === undefined) {
    const key = preferred ?? finder.anyKey();
    return [{ attributes: key, key, alternateKeys: [], inner: [], holdsAll: true }, ...parts];
  }
  const others = parts.filter((part) => part !== main);
  const own = new Set(main.attributes);
  if (preferred === undefined || !preferred.every((attribute) => own.has(attribute))) return [main, ...others];
  const isPreferred = (key: readonly number[]): boolean =>
    key.length === preferred.length && key.every((attribute, at) => attribute === preferred[at]);
  const alternateKeys = [main.key, ...main.alternateKeys].filter((key) => !isPreferred(key));
  return [{ ...main, key: preferred, alternateKeys }, ...others];
}

function namesOfParts(
  parts: readonly Part[],
  indexed: IndexedScheme,
  original: string,
  { nameOf = nameOfKey, taken = [] }: SynthesisOptions,
): readonly string[] {
  const unique = createNamer(original, taken);
  return parts.map(({ key, attributes }, at) =>
    at === 0 ? original : unique(nameOf(namesOf(key, indexed), namesOf(attributes, indexed))),
  );
}

/** The proof, from what the parts say: the first part's row takes over what the dependencies of the parts give it. */
function certify(parts: readonly Part[], names: readonly string[], indexed: IndexedScheme): NormalFormCertificate {
  const standing = parts.flatMap((part, at) =>
    dependenciesOf(part).map((dependency) => ({ dependency, relation: names[at] ?? '' })),
  );
  const engine = createClosureEngine(
    indexed.names.length,
    standing.map(({ dependency }) => dependency),
  );
  engine.close(parts[0]?.attributes ?? []);
  const named = standing.map(({ dependency, relation }) => ({
    dependency: namedDependency(dependency, indexed),
    relation,
  }));
  return {
    keys: parts.map(({ key }, at) => ({ relation: names[at] ?? '', key: namesOf(key, indexed) })),
    lossless: {
      row: names[0] ?? '',
      steps: engine.fired().flatMap((at) => {
        const step = named[at];
        return step === undefined ? [] : [{ dependency: step.dependency, from: step.relation }];
      }),
    },
    preserved: named,
  };
}
