import { statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type AdapterSpec,
  type AddressRequest,
  AskemaError,
  didYouMean,
  didYouMeanOneOf,
  nearestNames,
  type OpenAddress,
  toAskemaError,
} from '@askema/core';
import type { StartedDriver } from '@askema/sqlite/start';
import { withoutUserInfo } from '../terminal/printable.ts';
import { ADDRESS_EXAMPLES, type AddressedAdapter, type AddressOpeners, SCHEMES } from './address-openers.ts';
import { contentOfFolder, type FileKind, isDatabaseName, kindOfFile, listFolder, statusOf } from './database-file.ts';
import { schemeOf } from './scheme-of.ts';

/** Where else a name may come from, for messages. */
interface AddressPlace {
  /** Names of the configuration. */
  readonly configured: readonly string[];
  readonly openers: AddressOpeners;
  /** What opens the addresses of further schemes. */
  readonly schemes?: Readonly<Record<string, OpenAddress>> | undefined;
  /** A worker of the SQLite adapter that was started ahead. */
  readonly worker?: StartedDriver | undefined;
}

/**
 * Opens an address: a scheme and what its adapter takes behind it, or the path of a file or folder, which is looked at.
 * Relative paths are meant from `request.folder`. Nothing is connected yet.
 *
 * Rejects with `DATABASE_NOT_FOUND` with the nearest names, `DATABASE_INVALID` for a file or folder that is no
 * database, `CAPABILITY_UNSUPPORTED` for a scheme that nobody knows, and what the adapter rejects with.
 */
export async function openAddress(address: string, request: AddressRequest, place: AddressPlace): Promise<AdapterSpec> {
  const scheme = schemeOf(address);
  if (scheme === undefined) return openPath(address, address, request, place);
  const kind = Object.hasOwn(SCHEMES, scheme) ? SCHEMES[scheme] : undefined;
  const { schemes = {} } = place;
  const own = Object.hasOwn(schemes, scheme) ? schemes[scheme] : undefined;
  if (kind !== undefined && own !== undefined)
    throw new AskemaError(
      'CONFIG_INVALID',
      `\`schemes.${scheme}\` is a scheme that the command opens itself; take another name for it.`,
    );
  if (own !== undefined) return openOwn(own, scheme, address, request);
  if (kind === undefined) {
    // A file may have a colon in its name.
    if (isThere(resolve(request.folder, address))) return openPath(address, address, request, place);
    throw unknownScheme(scheme, Object.keys(schemes));
  }
  if (kind === 'sqlite' || kind === 'file')
    return openPath(pathOf(address, scheme), address, request, place, kind === 'sqlite' ? 'sqlite' : undefined);
  return openAddressed(kind, address, request, place);
}

/** An opener promises an adapter; an adapter's own function, given in its place, throws or returns at once. */
async function openOwn(open: OpenAddress, scheme: string, address: string, request: AddressRequest) {
  let opening: unknown;
  let complaint = '';
  try {
    opening = open(address, request);
  } catch (thrown) {
    complaint = ` It said: ${thrown instanceof Error ? thrown.message : String(thrown)}`;
  }
  if (opening instanceof Promise) return opening as Promise<AdapterSpec>;
  throw new AskemaError(
    'CONFIG_INVALID',
    `\`schemes.${scheme}\` opens no addresses: it ${complaint === '' ? 'returned' : 'threw'} at once, where an opener returns a promise of an adapter. Give \`openAddress\` of the adapter's package, not the adapter's own function: schemes: { ${scheme}: openAddress }.${complaint}`,
  );
}

/** What stands behind `sqlite:` and `file:`; both are also written with two or three slashes. */
function pathOf(address: string, scheme: string): string {
  if (/^[^/]*:\/\/[^/]*@/.test(address))
    throw new AskemaError(
      'CONFIG_INVALID',
      `An address of a file names no user and no host: write ${scheme}:PATH. Was another scheme meant? Addresses are ${ADDRESS_EXAMPLES.join(', ')}.`,
    );
  if (scheme === 'file' && address.startsWith('file://')) return fileUrlPath(address);
  return address.slice(scheme.length + 1).replace(/^\/\/(?=\/)/, '');
}

function fileUrlPath(address: string): string {
  try {
    return fileURLToPath(address);
  } catch (error) {
    throw new AskemaError(
      'CONFIG_INVALID',
      `The address ${address} is no file: ${toAskemaError(error).message}. Write file:///absolute/path, or the path alone.`,
      { cause: error },
    );
  }
}

async function openPath(
  written: string,
  address: string,
  request: AddressRequest,
  place: AddressPlace,
  asked?: FileKind,
): Promise<AdapterSpec> {
  const path = resolve(request.folder, written);
  const status = statusOf(path);
  if (status === undefined) throw missingFile(path, address, place.configured);
  if (status.isDirectory()) {
    checkFolder(path, address, asked);
    return openAddressed('duckdb', `duckdb:${path}`, request, place);
  }
  if (!status.isFile())
    throw new AskemaError(
      'DATABASE_INVALID',
      `${address} is no regular file: it is a pipe, a socket or a device. Give the path of a file.`,
    );
  const kind = asked ?? readKind(path, address);
  if (kind === 'duckdb') return openAddressed('duckdb', `duckdb:${path}`, request, place);
  const { sqlite } = await import('@askema/sqlite');
  return sqlite({ file: path, access: request.access, worker: place.worker });
}

function readKind(path: string, address: string): FileKind {
  let kind: FileKind | undefined;
  try {
    kind = kindOfFile(path);
  } catch (error) {
    throw new AskemaError('DATABASE_INVALID', `${address} cannot be read: ${toAskemaError(error).message}`, {
      cause: error,
    });
  }
  if (kind !== undefined) return kind;
  throw new AskemaError(
    'DATABASE_INVALID',
    `${address} is no file that can be asked: SQLite and DuckDB databases are known by what is in them, as Parquet is; CSV, TSV and JSON by their ending (.csv, .tsv, .json, .jsonl, .ndjson, also with .gz).`,
  );
}

/** A folder of files of data is one database; a folder of databases is several. */
function checkFolder(path: string, address: string, asked: FileKind | undefined): void {
  const { databases, hasData } = contentOfFolder(path);
  if (databases.length > 0) {
    const names = databases.slice(0, 5).map((name) => join(address, name));
    throw new AskemaError('DATABASE_INVALID', `${address} is a folder. Databases in it: ${names.join(', ')}.`);
  }
  if (hasData && asked === undefined) return;
  throw new AskemaError(
    'DATABASE_INVALID',
    `${address} is a folder ${hasData ? 'of data, and sqlite: opens one file' : 'without databases and without Parquet, CSV or JSON files'}. ${hasData ? 'Leave the scheme out.' : 'Give the path of a file, or of a folder of such files.'}`,
  );
}

async function openAddressed(
  adapter: AddressedAdapter,
  address: string,
  request: AddressRequest,
  { openers }: AddressPlace,
): Promise<AdapterSpec> {
  const open = await openers[adapter]();
  return open(address, request);
}

function unknownScheme(scheme: string, own: readonly string[]): AskemaError {
  const hint = didYouMean(scheme, [...Object.keys(SCHEMES), ...own]);
  return new AskemaError(
    'CAPABILITY_UNSUPPORTED',
    `Nothing here opens addresses that start with \`${scheme}:\`. ${hint === '' ? '' : `${hint} `}Addresses are ${ADDRESS_EXAMPLES.join(', ')}; an adapter of your own gets a name in askema.config.ts, databases: { sales: () => adapter({ … }) }, or a scheme, schemes: { ${scheme}: openAddress }.`,
  );
}

function isThere(path: string): boolean {
  return statusOf(path) !== undefined;
}

/** `DATABASE_NOT_FOUND` for a path where nothing is, with the nearest names of the folder and of the configuration. */
function missingFile(path: string, address: string, configured: readonly string[]): AskemaError {
  const folder = dirname(path);
  const siblings = listFolder(folder).filter(isDatabaseName);
  const near = [
    ...nearestNames(address, configured),
    ...nearestNames(basename(path), siblings).map((name) => join(dirname(address), name)),
  ].slice(0, 3);
  const hint = isQuestion(address)
    ? 'It reads like a question, and the database comes first: askema ask DATABASE "QUESTION".'
    : near.length > 0
      ? didYouMeanOneOf(near)
      : othersThere(folder, siblings, configured);
  const message = `There is no database ${withoutUserInfo(address)}. ${hint}`.trim();
  return new AskemaError('DATABASE_NOT_FOUND', message, { details: { nearestNames: near } });
}

/** Words, or a question mark at the end, and nothing that paths have. */
function isQuestion(address: string): boolean {
  return /\?\s*$|\S\s+\S+\s+\S/.test(address) && !/[/\\]|\.\w{1,10}$/.test(address);
}

function othersThere(folder: string, files: readonly string[], configured: readonly string[]): string {
  if (statSync(folder, { throwIfNoEntry: false }) === undefined)
    return `The folder ${folder} does not exist. ${didYouMean(basename(folder), listFolder(dirname(folder)))}`;
  const known = [
    files.length > 0 ? `In ${folder}: ${files.slice(0, 5).join(', ')}.` : '',
    configured.length > 0 ? `In the configuration: ${configured.join(', ')}.` : '',
  ].filter((each) => each !== '');
  return known.length > 0
    ? known.join(' ')
    : 'Give the path of a file, or an address such as postgres://host/database.';
}
