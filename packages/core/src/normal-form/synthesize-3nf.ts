import { AskemaError } from '../errors/askema-error.ts';
import type { Decomposition } from './decomposition.ts';
import type { RelationScheme } from './functional-dependency.ts';

export interface SynthesisOptions {
  /** The key of the part that contains a key of the original, where it is a candidate key; otherwise it is ignored. */
  readonly preferredKey?: readonly string[] | undefined;
  /** Names the parts beside the one that keeps the original name. Default: {@link nameOfKey}. Made unique afterwards. */
  readonly nameOf?: ((key: readonly string[], attributes: readonly string[]) => string) | undefined;
  /** Names that no part but the first may have, for example those of other relations; case does not count. */
  readonly taken?: Iterable<string> | undefined;
}

/** Decomposes a relation into third normal form: lossless, dependency-preserving, with a certificate. */
export function synthesize3NF(_scheme: RelationScheme, _options: SynthesisOptions = {}): Decomposition {
  throw new AskemaError('INTERNAL', 'not written yet');
}
