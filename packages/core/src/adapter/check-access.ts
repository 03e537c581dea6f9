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
