import { AskemaError } from '../errors/askema-error.ts';
import type { Decomposition } from './decomposition.ts';

/** What a certificate can fail in. */
export type CertificateCheck = 'parts' | 'keys' | 'third-normal-form' | 'lossless' | 'preserved' | 'foreign-keys';

export interface CertificateProblem {
  readonly check: CertificateCheck;
  /** One sentence with the names. */
  readonly message: string;
}

export interface CertificateVerdict {
  readonly valid: boolean;
  readonly problems: readonly CertificateProblem[];
}

/** Checks a decomposition and its certificate without the code that made them. */
export function verifyCertificate(_decomposition: Decomposition): CertificateVerdict {
  throw new AskemaError('INTERNAL', 'not written yet');
}
