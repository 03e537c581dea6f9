import { type AddressRequest, invalidOption } from '@askema/core';
import type { ServerOptions } from './server-address.ts';

/** The variables of the environment in which an engine's own tools look for what an address leaves out. */
export interface ServerVariables {
  readonly host: string;
  readonly port: string;
  /** Beside the name of who is logged in. */
  readonly user?: string | undefined;
  readonly password: string;
  /** Where else a password may be written, for a message: `~/.pgpass`. */
  readonly passwordFile?: string | undefined;
}

/**
 * The options of an adapter that an address is opened with: its parts, and the vendor's variables for what these leave
 * out. The password comes from its variable, from `findPassword`, or is asked for, once; without all of them it is
 * empty. Nothing is looked for before the driver wants it.
 *
 * @param findPassword looks into the vendor's own files.
 * @throws AskemaError `CONFIG_INVALID` for a password within the address, which ends up in histories and logs.
 */
export function addressOptions<Parts extends ServerOptions<object>>(
  { password: secret, ...parts }: Parts,
  { access, allowFunctions, environment, askSecret }: AddressRequest,
  variables: ServerVariables,
  findPassword?: (options: ServerOptions<object>) => Promise<string | undefined>,
): Omit<Parts, 'password'> & Pick<ServerOptions, 'host' | 'port' | 'user' | 'password' | 'access' | 'allowFunctions'> {
  const { passwordFile } = variables;
  if (secret !== undefined)
    throw invalidOption(
      `The address has a password in it, which would end up in histories and logs. Leave it out, and set ${variables.password}${passwordFile === undefined ? '' : `, or write it into ${passwordFile}`}.`,
    );
  const given = environment[variables.port];
  const options = {
    ...parts,
    host: parts.host ?? environment[variables.host] ?? 'localhost',
    port: parts.port ?? (given ? Number(given) : undefined),
    user: parts.user ?? environment[variables.user ?? 'USER'] ?? environment.USER ?? environment.USERNAME,
    access,
    allowFunctions,
  };
  const find = async (): Promise<string> =>
    environment[variables.password] ??
    (await findPassword?.(options)) ??
    askSecret?.(`Password of ${options.user} at ${options.host}`) ??
    '';
  let found: Promise<string> | undefined;
  const password = (): Promise<string> => {
    found ??= find();
    return found;
  };
  return { ...options, password };
}
