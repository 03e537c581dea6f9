import { resolve } from 'node:path';
import type { Adapter } from '@askema/core';
import { type Dataset, type DatasetDatabase, loadDataset, readDatasetFormat } from '@askema/eval';
import type { CommandContext } from '../commands/command-context.ts';
import type { LoadedConfig } from '../config/load-config.ts';
import { schemeOf } from '../database/address.ts';
import { resolveDatabase } from '../database/resolve-database.ts';
import { printableLines } from '../terminal/printable.ts';

/** Where questions and databases come from. */
export interface DatasetFlags {
  /** Of the dataset. */
  readonly format?: string | undefined;
  /** An address or a name of the configuration, with `{id}` for that of each database. */
  readonly database?: string | undefined;
}

/** Dialects in which datasets write gold for a server, by the scheme of its address. */
const DIALECT_OF_SCHEME: Readonly<Record<string, string>> = {
  postgres: 'postgres',
  postgresql: 'postgres',
  snowflake: 'snowflake',
  bigquery: 'bigquery',
  duckdb: 'duckdb',
};

/** Of addresses that are a file; a path has none. */
const FILE_SCHEMES: readonly (string | undefined)[] = [undefined, 'file', 'sqlite', 'duckdb'];

/**
 * Reads the questions of a dataset. A file that --database names has to be there: a wrong name is told before anything is asked.
 *
 * @throws AskemaError `INPUT_INVALID` for an unknown format, with the nearest ones; `DATASET_INVALID` where there is none; and as `resolveDatabase` does.
 */
export async function openQuestions(
  place: string,
  flags: DatasetFlags,
  loaded: LoadedConfig,
  context: CommandContext,
): Promise<Dataset> {
  const { database } = flags;
  const format = flags.format === undefined ? undefined : readDatasetFormat(flags.format);
  const scheme = database === undefined ? undefined : schemeOf(database);
  const dataset = await loadDataset(resolve(context.host.cwd, place), {
    format,
    databases: database === undefined ? 'files' : 'elsewhere',
    database,
    dialect: scheme === undefined ? undefined : DIALECT_OF_SCHEME[scheme],
  });
  await checkDatabaseFile(database, loaded, context);
  return dataset;
}

/** Opens the databases of a dataset, read only. */
export function databaseOpener(
  { database: place }: DatasetFlags,
  loaded: LoadedConfig,
  context: CommandContext,
): (database: DatasetDatabase) => Promise<Adapter> {
  return ({ id, file }) =>
    resolveDatabase({ address: place?.replaceAll('{id}', id) ?? file, access: 'read', loaded }, context);
}

/** Opens the file that --database names for all questions, and closes it again. Servers are left alone, for opening one may ask for a password. */
async function checkDatabaseFile(
  address: string | undefined,
  loaded: LoadedConfig,
  context: CommandContext,
): Promise<void> {
  if (address === undefined || address.includes('{id}')) return;
  const isConfigured = Object.hasOwn(loaded.config.databases ?? {}, address);
  if (isConfigured || !FILE_SCHEMES.includes(schemeOf(address))) return;
  const adapter = await resolveDatabase({ address, access: 'read', loaded }, context);
  await adapter.close();
}

/** `store: 24 questions, 1 unreadable`. */
export function describeDataset(dataset: Dataset): string {
  const broken = dataset.problems.length === 0 ? '' : `, ${dataset.problems.length} unreadable`;
  return `${printableLines(dataset.name)}: ${dataset.questions.length} questions${broken}`;
}
