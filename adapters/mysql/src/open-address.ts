import { AskemaError, invalidOption, type OpenAddress } from '@askema/core';
import { mysql } from './mysql.ts';
import { readAddress } from './read-address.ts';

/**
 * Opens `mysql://user@host:port/database` or `mariadb://…`; host, port and user may be left to MYSQL_HOST,
 * MYSQL_TCP_PORT and USER. The password comes from MYSQL_PWD, or is asked for; one within the address is refused,
 * because addresses end up in histories and logs.
 */
export const openAddress: OpenAddress = async (address, { access, environment, askSecret }) => {
  const { password, ...parts } = readAddress(address);
  if (password !== undefined)
    throw invalidOption(
      'The address has a password in it, which would end up in histories and logs. Leave it out, and set MYSQL_PWD.',
    );
  const { MYSQL_HOST, MYSQL_TCP_PORT, MYSQL_PWD, USER, USERNAME } = environment;
  const host = parts.host ?? MYSQL_HOST ?? 'localhost';
  const user = parts.user ?? USER ?? USERNAME;
  let asked: Promise<string> | undefined;
  return mysql({
    ...parts,
    host,
    port: parts.port ?? (MYSQL_TCP_PORT ? Number(MYSQL_TCP_PORT) : undefined),
    user,
    access,
    password: () => {
      if (MYSQL_PWD !== undefined) return MYSQL_PWD;
      if (askSecret === undefined)
        throw new AskemaError('CONFIG_INVALID', `The password of ${user} at ${host} is missing: set MYSQL_PWD.`);
      asked ??= askSecret(`Password of ${user} at ${host}`);
      return asked;
    },
  });
};
