import { AskemaError } from '../errors/askema-error.ts';
import { checkChoice, invalidOption } from '../errors/check-option.ts';
import type { Access, AdapterSpec } from './adapter-spec.ts';

/** What an adapter may be asked for at most; reading where nothing is said. @throws AskemaError `CONFIG_INVALID` */
export function checkAccess(access: Access | undefined): Access {
  return checkChoice('access', access ?? 'read', ['read', 'write']);
}

/**
 * An executor checks it by itself, too: it may be called without `Adapter.query`. `open` is how to open the adapter for
 * writing.
 *
 * @throws AskemaError `CONFIG_INVALID` when writing is asked of an adapter that was opened for reading.
 */
export function throwIfNotWritable(
  { name, access }: Pick<AdapterSpec, 'name' | 'access'>,
  asked: Access,
  open = "the adapter with `access: 'write'`",
): void {
  if (asked !== 'write' || access === 'write') return;
  throw invalidOption(
    `The adapter ${JSON.stringify(name)} was opened for reading, and this call asks for \`access: 'write'\`; open ${open} if statements may change data.`,
  );
}

/** Longer ones are read by nobody, and taking them apart would hold up the caller's process for seconds. */
const MAX_READ_CHARACTERS = 1_000_000;

/** @throws AskemaError `QUERY_REFUSED` for a statement of a read that is too long. */
export function throwIfTooLong(sql: string, asked: Access): void {
  if (asked === 'write' || sql.length <= MAX_READ_CHARACTERS) return;
  throw new AskemaError(
    'QUERY_REFUSED',
    `The statement has ${sql.length} characters, more than the ${MAX_READ_CHARACTERS} that a call which reads may send. Write it shorter; put long lists of values into a table or a file.`,
  );
}
