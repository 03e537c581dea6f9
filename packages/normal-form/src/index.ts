export { attributeClosure } from './attribute-closure.ts';
export { candidateKeys, type KeySearchLimits, type PrimeAttributes, primeAttributes } from './candidate-keys.ts';
export type {
  CandidateKeys,
  ChaseStep,
  DecomposedRelation,
  Decomposition,
  DerivedForeignKey,
  NormalFormCertificate,
  NormalFormName,
  NormalFormVerdict,
  NormalFormViolation,
} from './decomposition.ts';

export { type CodedColumn, type CodedRows, codeRows } from './discover/coded-rows.ts';
export { discoverDependencies } from './discover/discover-dependencies.ts';
export type {
  ColumnReason,
  DiscoveredDependencies,
  DiscoveredDependency,
  DiscoveryOptions,
} from './discover/discovery.ts';
export { type CounterExample, type Partition, partitionOf, refine } from './discover/partition.ts';
export { findUniqueSets, type UniqueSets } from './discover/unique-sets.ts';

export type { FunctionalDependency, RelationScheme } from './functional-dependency.ts';
export { minimalCover } from './minimal-cover.ts';
export { nameOfKey } from './name-of-key.ts';
export { normalFormOf } from './normal-form-of.ts';
export { attributesText, createDependencyParser, dependencyText, parseDependency } from './parse-dependency.ts';
export { type SynthesisOptions, synthesize3NF } from './synthesize-3nf.ts';
export {
  type CertificateCheck,
  type CertificateProblem,
  type CertificateVerdict,
  verifyCertificate,
} from './verify-certificate.ts';
