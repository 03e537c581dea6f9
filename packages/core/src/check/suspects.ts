import { isAskemaError } from '../errors/askema-error.ts';
import { attributeClosure } from '../normal-form/attribute-closure.ts';
import type { DiscoveredDependency } from '../normal-form/discover/index.ts';
import type { FunctionalDependency } from '../normal-form/functional-dependency.ts';
import { normalFormOf } from '../normal-form/normal-form-of.ts';
import { synthesize3NF } from '../normal-form/synthesize-3nf.ts';
import type { EvidenceCell, SuspectedDependency } from './check-finding.ts';
import type { IfRules } from './database-check.ts';
import type { ReadRows } from './read-rows.ts';

/** More are only counted. */
const MAX_SUSPECTS = 300;

/** Suspects, and how many there are beside them. */
export interface SortedSuspects {
  readonly suspects: readonly SuspectedDependency[];
  /** Those that follow from the suspects. */
  readonly following: number;
  /** Those that were too many to be sorted out. */
  readonly further: number;
}

/** Discovered dependencies by the names of the attributes; `keyNames` identify the rows of a counter-example. */
export function namedSuspects(
  { attributes, rows }: ReadRows,
  found: readonly DiscoveredDependency[],
  keyNames: readonly string[],
): readonly SuspectedDependency[] {
  const nameAt = (at: number): string => attributes[at]?.name ?? '';
  return found.map(({ left, right, counterExample, ...figures }) => {
    const shown = new Set([...keyNames, ...left.map(nameAt), nameAt(right)]);
    const cells = (row: number): readonly EvidenceCell[] =>
      attributes.flatMap(({ name }, at) =>
        shown.has(name) ? [{ attribute: name, value: rows[row]?.[at] ?? null }] : [],
      );
    return {
      left: left.map(nameAt),
      right: nameAt(right),
      ...figures,
      counterExample: counterExample && {
        row: cells(counterExample.unusual),
        usual: cells(counterExample.usual),
        usualCount: counterExample.usualCount,
      },
    };
  });
}

/**
 * The suspects from which the others follow: where `dept` determines `chair` and `chair` determines `room`, that `dept` determines `room` is no
 * further suspicion. Pairs and larger errors go first. Of very many the 300 with the shortest left sides and the least errors are looked at.
 */
export function withoutFollowing(suspects: readonly SuspectedDependency[]): SortedSuspects {
  const ranked = suspects.toSorted((a, b) => a.left.length - b.left.length || a.g3 - b.g3).slice(0, MAX_SUSPECTS);
  const kept = new Set(ranked);
  for (const suspect of ranked.toReversed()) {
    kept.delete(suspect);
    const closure = attributeClosure(suspect.left.map(named), [...kept].map(namedRule));
    if (!closure.includes(named(suspect.right))) kept.add(suspect);
  }
  return {
    suspects: suspects.filter((suspect) => kept.has(suspect)),
    following: ranked.length - kept.size,
    further: suspects.length - ranked.length,
  };
}

/**
 * The normal form of a table if the suspects were rules beside its keys, and what it would decompose into. Undefined for names that no relation
 * of the theory has (blank ones).
 */
export function ifRules(
  table: {
    readonly name: string;
    readonly attributes: readonly string[];
    readonly keys: readonly (readonly string[])[];
  },
  suspects: readonly SuspectedDependency[],
  options: { readonly isKeyDeclared: boolean; readonly taken: readonly string[] },
): IfRules | undefined {
  const { name, attributes, keys } = table;
  const keyRules = keys
    .map((left) => ({ left, right: attributes.filter((attribute) => !left.includes(attribute)) }))
    .filter(({ right }) => right.length > 0);
  const scheme = { name, attributes, dependencies: [...keyRules, ...suspects.map(ruleOf)] };
  try {
    const verdict = normalFormOf(scheme);
    const key = keys[0] ?? [];
    const isFine = verdict.form === '3NF' || verdict.form === 'BCNF';
    const decomposition = isFine
      ? undefined
      : synthesize3NF(scheme, { taken: options.taken, ...(key.length > 0 ? { preferredKey: key } : {}) });
    return { verdict, key, isKeyDeclared: options.isKeyDeclared, decomposition };
  } catch (thrown) {
    if (isAskemaError(thrown) && thrown.code === 'INPUT_INVALID') return undefined;
    throw thrown;
  }
}

/** A name that is never blank, which the theory does not take. */
function named(attribute: string): string {
  return `=${attribute}`;
}

function namedRule({ left, right }: SuspectedDependency): FunctionalDependency {
  return { left: left.map(named), right: [named(right)] };
}

function ruleOf({ left, right }: SuspectedDependency): FunctionalDependency {
  return { left, right: [right] };
}
