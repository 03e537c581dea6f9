import { resolve } from 'node:path';
import { type Dataset, type DatasetDatabase, leaveOut } from '@askema/eval';
import { addressOfId, hasIdPlace } from '../../database/address.ts';
import { FILE_SCHEMES } from '../../database/address-openers.ts';
import { statusOf } from '../../database/database-file.ts';
import { schemeOf } from '../../database/scheme-of.ts';

interface Reach {
  /** Of the server behind the address; undefined for a file. */
  readonly dialect: string | undefined;
  /** Undefined where the databases of the dataset are files. */
  readonly address: string | undefined;
  readonly cwd: string;
}

/**
 * The dataset without the questions on an engine that is not reached, where its databases are on several: they would
 * only fail.
 *
 * @throws AskemaError `INPUT_INVALID` where no question is left.
 */
export function leaveOutUnreached(dataset: Dataset, { dialect, address, cwd }: Reach): Dataset {
  if (dialect !== undefined) return leaveOut(dataset, otherEngine(dialect, dataset));
  const isFiles = address === undefined || (hasIdPlace(address) && FILE_SCHEMES.includes(schemeOf(address)));
  return isFiles ? leaveOut(dataset, (database) => notAsFile(database, address, cwd)) : dataset;
}

/** Where none of the databases is on the engine of the address, somebody has put them all there. */
function otherEngine(dialect: string, { databases }: Dataset): (database: DatasetDatabase) => string | undefined {
  const isAmong = Object.values(databases).some((database) => database.dialect === dialect);
  return (database) =>
    isAmong && database.dialect !== undefined && database.dialect !== dialect
      ? `on ${database.dialect}, which --database does not reach`
      : undefined;
}

/** A database of a warehouse may be there as a file as well. */
function notAsFile(
  { id, file, dialect }: DatasetDatabase,
  template: string | undefined,
  cwd: string,
): string | undefined {
  if (dialect === undefined || FILE_SCHEMES.includes(dialect)) return undefined;
  if (statusOf(resolve(cwd, template === undefined ? file : addressOfId(template, id))) !== undefined) return undefined;
  return `on ${dialect}, and only files are asked here`;
}
