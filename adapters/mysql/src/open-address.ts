import { invalidOption, type OpenAddress } from '@askema/core';
import { mysql } from './mysql.ts';
import { readAddress } from './read-address.ts';

/**
 * Opens `mysql://user@host:port/database` or `mariadb://…`; host, port and user may be left to MYSQL_HOST,
 * MYSQL_TCP_PORT and USER. The password comes from MYSQL_PWD, or is asked for, or there is none; one within the address
 * is refused, because addresses end up in histories and logs.
 */
export const openAddress: OpenAddress = async (address, { access, allowFunctions, environment, askSecret }) => {
  const { password, ...parts } = readAddress(address);
  if (password !== undefined)
    throw invalidOption(
      'The address has a password in it, which would end up in histories and logs. Leave it out, and set MYSQL_PWD.',
    );
  const { MYSQL_HOST, MYSQL_TCP_PORT, MYSQL_PWD, USER, USERNAME } = environment;
  const host = parts.host ?? MYSQL_HOST ?? 'localhost';
  const port = parts.port ?? (MYSQL_TCP_PORT ? Number(MYSQL_TCP_PORT) : undefined);
  const user = parts.user ?? USER ?? USERNAME;
  let asked: Promise<string> | undefined;
  const ask = (): Promise<string> => {
    asked ??= askSecret === undefined ? Promise.resolve('') : askSecret(`Password of ${user} at ${host}`);
    return asked;
  };
  return mysql({ ...parts, host, port, user, access, allowFunctions, password: MYSQL_PWD ?? ask });
};
