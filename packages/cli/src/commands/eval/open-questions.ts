import { resolve } from 'node:path';
import { type Adapter, AskemaError, toAskemaError } from '@askema/core';
import {
  type Dataset,
  type DatasetDatabase,
  findMetric,
  loadDataset,
  type Metric,
  readDatasetFormat,
} from '@askema/eval';
import type { LoadedConfig } from '../../config/load-config.ts';
import { addressOfId, hasIdPlace } from '../../database/address.ts';
import { ADDRESS_OPENERS, FILE_SCHEMES, SCHEMES } from '../../database/address-openers.ts';
import { contentOfFolder } from '../../database/database-file.ts';
import { resolveDatabase } from '../../database/resolve-database.ts';
import { schemeOf } from '../../database/scheme-of.ts';
import type { CommandContext, CommonFlags } from '../../process/command-context.ts';
import { printableLines } from '../../terminal/printable.ts';
import { leaveOutUnreached } from './leave-out-unreached.ts';

/** Where questions and databases come from. */
export interface DatasetFlags extends Pick<CommonFlags, 'allowFunction'> {
  /** Of the dataset. */
  readonly format?: string | undefined;
  /** An address or a name of the configuration, with `{id}` for that of each database. */
  readonly database?: string | undefined;
}

/**
 * Reads the questions of a dataset. A file that --database names has to be there: a wrong name is told before anything
 * is asked.
 *
 * @throws AskemaError `INPUT_INVALID` for an unknown format, with the nearest ones; `DATASET_INVALID` where there is
 * none; and as `resolveDatabase` does.
 */
export async function openQuestions(
  place: string,
  flags: DatasetFlags,
  loaded: LoadedConfig,
  context: CommandContext,
): Promise<Dataset> {
  const { database } = flags;
  const format = flags.format === undefined ? undefined : readDatasetFormat(flags.format);
  const { cwd } = context.host;
  const dialect = dialectOfScheme(database === undefined ? undefined : schemeOf(database));
  const databaseFolder = folderOfDatabases(database, loaded, cwd);
  const isElsewhere = database !== undefined && databaseFolder === undefined;
  const dataset = await loadDataset(resolve(cwd, place), {
    format,
    databases: isElsewhere ? 'elsewhere' : 'files',
    databaseFolder,
    database: databaseFolder === undefined ? database : undefined,
    dialect,
  });
  if (isElsewhere) {
    checkIds(database, dataset);
    await checkDatabaseFile(database, loaded, context);
  }
  return leaveOutUnreached(dataset, { dialect, address: databaseFolder === undefined ? database : undefined, cwd });
}

/**
 * The dialect of what an address opens, which its adapter is named after; undefined for a file, which says it itself.
 */
function dialectOfScheme(scheme: string | undefined): string | undefined {
  const opener = scheme !== undefined && Object.hasOwn(SCHEMES, scheme) ? SCHEMES[scheme] : undefined;
  return opener !== undefined && Object.hasOwn(ADDRESS_OPENERS, opener) ? opener : undefined;
}

/** An id that has no place in the address is told with its line, before anything is asked. */
function checkIds(address: string | undefined, { questions }: Dataset): void {
  const seen = new Set<string>();
  for (const { databaseId, line } of address === undefined ? [] : questions) {
    if (seen.has(databaseId)) continue;
    seen.add(databaseId);
    try {
      addressOfId(address ?? '', databaseId);
    } catch (thrown) {
      const error = toAskemaError(thrown);
      if (error.code !== 'DATASET_INVALID') throw error;
      throw new AskemaError('DATASET_INVALID', `Line ${line}: ${error.message}`, { cause: error });
    }
  }
}

/** The metrics that were asked for, and that of the benchmark, whose figure is what people know it by. */
export function metricsOf(asked: readonly string[] | undefined, { official }: Dataset): readonly Metric[] | undefined {
  const ids = new Set([...(asked ?? []), ...(official === undefined ? [] : [official.metric])]);
  return ids.size === 0 ? undefined : [...ids].map(findMetric);
}

/** Opens the databases of a dataset, read only. */
export function databaseOpener(
  { database, allowFunction }: DatasetFlags,
  loaded: LoadedConfig,
  context: CommandContext,
): (database: DatasetDatabase) => Promise<Adapter> {
  const place = folderOfDatabases(database, loaded, context.host.cwd) === undefined ? database : undefined;
  return ({ id, file }) => {
    const address = place === undefined ? file : addressOfId(place, id);
    return resolveDatabase({ address, access: 'read', loaded, flags: { allowFunction } }, context);
  };
}

/**
 * Opens the file that --database names for all questions, and closes it again. Servers are left alone, for opening one
 * may ask for a password.
 */
async function checkDatabaseFile(
  address: string | undefined,
  loaded: LoadedConfig,
  context: CommandContext,
): Promise<void> {
  if (address === undefined || hasIdPlace(address)) return;
  const isConfigured = Object.hasOwn(loaded.config.databases ?? {}, address);
  if (isConfigured || !FILE_SCHEMES.includes(schemeOf(address))) return;
  const adapter = await resolveDatabase({ address, access: 'read', loaded }, context);
  await adapter.close();
}

/** A folder with several database files in it, which --database may name. */
function folderOfDatabases(address: string | undefined, loaded: LoadedConfig, cwd: string): string | undefined {
  if (address === undefined || schemeOf(address) !== undefined) return undefined;
  if (Object.hasOwn(loaded.config.databases ?? {}, address)) return undefined;
  const folder = resolve(cwd, address);
  return contentOfFolder(folder).databases.length > 0 ? folder : undefined;
}

/** `store: 24 questions, 1 unreadable`. */
export function describeDataset(dataset: Dataset): string {
  const broken = dataset.problems.length === 0 ? '' : `, ${dataset.problems.length} unreadable`;
  const left = (dataset.leftOut ?? []).reduce((sum, { questions }) => sum + questions, 0);
  const out = left === 0 ? '' : `, ${left} left out`;
  return `${printableLines(dataset.name)}: ${dataset.questions.length} questions${broken}${out}`;
}
