import { addressOptions } from '@askema/adapter-kit';
import type { OpenAddress } from '@askema/core';
import { mysql } from './mysql.ts';
import { readAddress } from './read-address.ts';

const VARIABLES = { host: 'MYSQL_HOST', port: 'MYSQL_TCP_PORT', password: 'MYSQL_PWD' };

/**
 * Opens `mysql://user@host:port/database` or `mariadb://…`; host, port and user may be left to MYSQL_HOST,
 * MYSQL_TCP_PORT and USER. The password comes from MYSQL_PWD, or is asked for, or there is none; one within the address
 * is refused, because addresses end up in histories and logs.
 */
export const openAddress: OpenAddress = async (address, request) =>
  mysql(addressOptions(readAddress(address), request, VARIABLES));
