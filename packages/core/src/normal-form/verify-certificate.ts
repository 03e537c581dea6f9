import { checkForeignKeys } from './certificate-checks/foreign-keys.ts';
import { checkKeys } from './certificate-checks/keys.ts';
import { checkLossless } from './certificate-checks/lossless.ts';
import { checkParts } from './certificate-checks/parts.ts';
import { checkPreserved } from './certificate-checks/preserved.ts';
import { checkThirdNormalForm } from './certificate-checks/third-normal-form.ts';
import type { Decomposition } from './decomposition.ts';
import { watchedClosure } from './watched-closure.ts';

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
 * Checks a decomposition and its certificate against the dependencies of the original relation, without the code that made them:
 *
 * - `parts`: names are there and differ; the attributes are those of the original, none is missing, and no part lies within another one;
 * - `keys`: each key and alternate key stands in its part, determines it, and can spare no attribute; the certificate names the same keys;
 * - `third-normal-form`: each part, over all dependencies that follow for it, also those that nobody wrote down;
 * - `lossless`: the chase of the certificate is replayed, each step checked, until one row is complete;
 * - `preserved`: the dependencies that stand in the parts follow from the original ones, and those from them;
 * - `foreign-keys`: each refers to a key of another part, over attributes that both have.
 *
 * A decomposition that passes is lossless, dependency-preserving and in third normal form: this is proved, not sampled. One that fails may have a
 * certificate that says too little: a prime attribute counts as one only where a key of its part that is named holds it. Time: about one
 * closure for each attribute of each key, part and dependency. Throws nothing for wrong names; they are problems.
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
