import { join } from 'node:path';
import { AskemaError } from '@askema/core';

/**
 * The file of a tenant: `folder/TENANT.EXTENSION`, for adapters that know no roles. Names are of lower-case letters,
 * digits, `_` and `-`, at most 64: none leads out of the folder, and no two are one file where case does not count.
 *
 * @throws AskemaError `CALLER_REFUSED` for another name, and for no tenant.
 */
export function tenantFile(folder: string, tenant: string | undefined, extension: string): string {
  if (tenant !== undefined && /^[a-z0-9_-]{1,64}$/.test(tenant)) return join(folder, `${tenant}.${extension}`);
  const given =
    tenant === undefined
      ? 'The caller has no tenant'
      : `The tenant ${JSON.stringify(tenant.slice(0, 100))} names no file`;
  throw new AskemaError(
    'CALLER_REFUSED',
    `${given}: this database is a file for each tenant, whose name has lower-case letters, digits, "_" and "-", at most 64.`,
  );
}
