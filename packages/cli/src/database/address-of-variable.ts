import { AskemaError, didYouMean } from '@askema/core';
import { type Environment, readVariable } from '../process/host.ts';
import { passwordVariable } from './address-openers.ts';

interface FoundAddress {
  readonly address: string;
  /** With the password of the address, where its adapter looks for one. */
  readonly environment: Environment;
}

/**
 * The address that `env:NAME` means: what stands in that variable. A password may stand in it, as hosts set
 * DATABASE_URL: no history and no list of processes shows it. Any other address is returned as it is.
 *
 * @throws AskemaError `CONFIG_INVALID` for a variable that is not set.
 */
export function addressOfVariable(written: string, env: Environment): FoundAddress {
  const [, name] = /^env:(\w+)$/.exec(written) ?? [];
  if (name === undefined) return { address: written, environment: env };
  const address = readVariable(env, name);
  if (address === undefined) {
    const hint = didYouMean(name, Object.keys(env));
    throw new AskemaError(
      'CONFIG_INVALID',
      `${written}: the variable ${name} is not set. ${hint === '' ? '' : `${hint} `}Set it to an address such as postgres://host/database.`,
    );
  }
  const [, scheme = '', authority = '', rest = ''] = /^(\w+):\/\/([^/?#]*)(.*)$/s.exec(address) ?? [];
  const [, user = '', password, host] = /^([^:@]*):(.*)@([^@]*)$/s.exec(authority) ?? [];
  const variable = passwordVariable(scheme);
  if (password === undefined || variable === undefined) return { address, environment: env };
  const without = `${scheme}://${user}@${host}${rest}`;
  return { address: without, environment: { ...env, [variable]: decoded(password, name) } };
}

function decoded(password: string, name: string): string {
  try {
    return decodeURIComponent(password);
  } catch {
    throw new AskemaError(
      'CONFIG_INVALID',
      `The password in ${name} is not percent-encoded as it should be: % is written %25.`,
    );
  }
}
