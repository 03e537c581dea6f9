import { AskemaError } from '@askema/core';
import { withoutUserInfo } from '../terminal/printable.ts';
import { schemeOf } from './scheme-of.ts';

/** The address of `--queue`. @throws AskemaError `CONFIG_INVALID` for one that is none of PostgreSQL, or has a password. */
export function checkQueueAddress(address: string): void {
  const scheme = schemeOf(address);
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if ((scheme !== 'postgres' && scheme !== 'postgresql') || url === undefined) {
    throw new AskemaError(
      'CONFIG_INVALID',
      `--queue ${JSON.stringify(withoutUserInfo(address))} must be the address of a PostgreSQL database: postgres://user@host/database.`,
    );
  }
  if (url.password !== '' || url.searchParams.has('password')) {
    throw new AskemaError(
      'CONFIG_INVALID',
      '--queue has a password in its address, which ends up in histories and lists of processes. Leave it out, and set PGPASSWORD or ~/.pgpass.',
    );
  }
}
