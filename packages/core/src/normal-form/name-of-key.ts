import { AskemaError } from '../errors/askema-error.ts';

/** A name for a relation, made of the attributes of its key. */
export function nameOfKey(_key: readonly string[], _attributes: readonly string[]): string {
  throw new AskemaError('INTERNAL', 'not written yet');
}
