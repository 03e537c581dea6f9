import { AskemaError } from '../errors/askema-error.ts';
import type { KeySearchLimits } from './candidate-keys.ts';
import type { NormalFormVerdict } from './decomposition.ts';
import type { RelationScheme } from './functional-dependency.ts';

/** The highest normal form that holds, and what breaks the next ones. */
export function normalFormOf(_scheme: RelationScheme, _limits: KeySearchLimits = {}): NormalFormVerdict {
  throw new AskemaError('INTERNAL', 'not written yet');
}
