import { AskemaError } from '@askema/core';
import { databaseIdProblem } from '@askema/eval';
import { schemeOf } from './scheme-of.ts';

/** What stands in an address for the id of each database of a dataset. */
const PLACE = '{id}';

/** Whether the address is one of several databases. */
export function hasIdPlace(address: string): boolean {
  return address.includes(PLACE);
}

/**
 * The address of one database of a dataset: its id in place of `{id}`. An id is text of a file that may come from
 * anybody, so it is data here: it names a database and chooses no host, port, user, option or folder.
 *
 * @throws AskemaError `INPUT_INVALID` for `{id}` where it would choose more than the database; `DATASET_INVALID` for an
 * id that cannot be a name.
 */
export function addressOfId(address: string, id: string): string {
  if (!hasIdPlace(address)) return address;
  checkPlaces(address);
  const problem = databaseIdProblem(id) ?? engineProblem(address, id);
  if (problem !== undefined)
    throw new AskemaError('DATASET_INVALID', `The database ${PLACE} of --database stands for a name, but ${problem}`);
  const written = isUrl(address) ? encodeURIComponent(id) : id;
  const filled = address.replaceAll(PLACE, () => written);
  // `{id}:x` would let the id say what opens it.
  if (schemeOf(filled) !== schemeOf(address)) throw wrongPlace();
  return filled;
}

/**
 * Addresses of servers, also of third parties, and `file://…` are percent-encoded; `postgres:NAME` and paths behind a
 * scheme are plain text.
 */
function isUrl(address: string): boolean {
  return /^(?!sqlite:|duckdb:)[a-z][a-z0-9+.-]+:\/\//i.test(address);
}

/** Where the database is named is the path: before it are user, host and port, behind it the options. */
function checkPlaces(address: string): void {
  const isOpaque = /^(?:snowflake|bigquery):(?!\/\/)/i.test(address);
  const rest = isUrl(address) ? address.replace(/^([^:]*:\/\/[^/?#]*)[^?#]*/, '$1') : '';
  if (isOpaque || hasIdPlace(rest)) throw wrongPlace();
}

/**
 * BigQuery reads a dot as the end of a project and a comma as the end of a dataset; no name of a dataset has either.
 */
function engineProblem(address: string, id: string): string | undefined {
  if (schemeOf(address) !== 'bigquery' || /^\w+$/.test(id)) return undefined;
  return `${JSON.stringify(id)} cannot be a dataset of BigQuery, which has letters, digits and underscores alone.`;
}

function wrongPlace(): AskemaError {
  return new AskemaError(
    'INPUT_INVALID',
    `In --database, ${PLACE} stands for the name of a database of the dataset, and nothing else: write it where the path is, as in postgres://host/${PLACE}, snowflake://account/${PLACE} or databases/${PLACE}.sqlite.`,
  );
}
