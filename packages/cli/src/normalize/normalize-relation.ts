import {
  type CandidateKeys,
  type CertificateVerdict,
  candidateKeys,
  type Decomposition,
  type FunctionalDependency,
  minimalCover,
  type NormalFormVerdict,
  normalFormOf,
  synthesize3NF,
  verifyCertificate,
} from '@askema/core';
import type { RelationInput } from './read-relations.ts';

/** All that the command says of one relation. */
export interface NormalizedRelation {
  readonly name: string;
  readonly attributes: readonly string[];
  readonly dependencies: readonly FunctionalDependency[];
  readonly candidateKeys: CandidateKeys;
  readonly primeAttributes: readonly string[];
  readonly normalForm: NormalFormVerdict;
  readonly minimalCover: readonly FunctionalDependency[];
  readonly decomposition: Omit<Decomposition, 'original'>;
  readonly verdict: CertificateVerdict;
}

/** Each relation for itself; names of parts are unique over all of them. */
export function normalizeRelations(
  relations: readonly RelationInput[],
  limits: { readonly maxKeys?: number | undefined },
): readonly NormalizedRelation[] {
  const taken = new Set(relations.map(({ scheme }) => scheme.name));
  return relations.map(({ scheme, preferredKey }) => {
    const keys = candidateKeys(scheme, limits);
    const prime = new Set(keys.keys.flat());
    const decomposition = synthesize3NF(scheme, { preferredKey, taken });
    for (const { name } of decomposition.relations) taken.add(name);
    const { original: _, ...made } = decomposition;
    return {
      ...scheme,
      candidateKeys: keys,
      primeAttributes: scheme.attributes.filter((attribute) => prime.has(attribute)),
      normalForm: normalFormOf(scheme, limits),
      minimalCover: minimalCover(scheme.dependencies, scheme.attributes),
      decomposition: made,
      verdict: verifyCertificate(decomposition),
    };
  });
}
