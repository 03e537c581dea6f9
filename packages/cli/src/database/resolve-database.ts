import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Access, type Adapter, AskemaError, didYouMean, nearestNames, resolveAdapter } from '@askema/core';
import { callEntry } from '../config/call-entry.ts';
import { isAdapterLike, type LoadedConfig } from '../config/load-config.ts';

/** Endings by which SQLite files are usually known. */
const DATABASE_FILE = /\.(sqlite3?|db3?|s3db|sl3)$/i;

export interface DatabaseSearch {
  /** A name of the configuration, a path, or `sqlite:` and a path. */
  readonly address: string;
  readonly access: Access;
  readonly loaded: LoadedConfig;
  readonly cwd: string;
}

/**
 * Opens what DATABASE means: a name of the configuration first, else the path of a SQLite file, with or without `sqlite:`.
 *
 * @throws AskemaError `DATABASE_NOT_FOUND` with the nearest names, `DATABASE_INVALID` for a folder, `CAPABILITY_UNSUPPORTED` for another
 * kind of address, `CONFIG_INVALID` when the entry is no adapter.
 */
export async function resolveDatabase(search: DatabaseSearch): Promise<Adapter> {
  const { config, file } = search.loaded;
  const { address } = search;
  if (Object.hasOwn(config.databases ?? {}, address)) return openConfigured(address, search);
  const scheme = schemeOf(address);
  if (scheme !== undefined && scheme !== 'sqlite' && scheme !== 'file' && !isThere(resolve(search.cwd, address))) {
    throw unsupportedScheme(scheme, file);
  }
  return openFile(pathOf(address, scheme, search.cwd), search);
}

/** The scheme in front of the colon, in lower case; a single letter is a drive of Windows. */
function schemeOf(address: string): string | undefined {
  return /^([a-z][a-z0-9+.-]+):/i.exec(address)?.[1]?.toLowerCase();
}

function pathOf(address: string, scheme: string | undefined, cwd: string): string {
  if (scheme === 'file' && address.startsWith('file://')) return fileURLToPath(address);
  const path = scheme === 'sqlite' || scheme === 'file' ? address.slice(scheme.length + 1) : address;
  return resolve(cwd, path.replace(/^\/\/(?=\/)/, ''));
}

async function openConfigured(name: string, search: DatabaseSearch): Promise<Adapter> {
  const { config, file } = search.loaded;
  const entry = config.databases?.[name];
  if (typeof entry === 'string') {
    const scheme = schemeOf(entry);
    if (scheme !== undefined && scheme !== 'sqlite' && scheme !== 'file') throw unsupportedScheme(scheme, file);
    return openFile(pathOf(entry, scheme, dirname(file ?? search.cwd)), search);
  }
  const opened =
    typeof entry === 'function'
      ? await callEntry(file, `databases.${name}`, () => entry({ access: search.access }))
      : entry;
  if (opened === undefined || !isAdapterLike(opened)) {
    throw new AskemaError('CONFIG_INVALID', `${file}: \`databases.${name}\` returned no adapter.`);
  }
  const adapter = resolveAdapter(opened);
  if (search.access === 'write' && adapter.access !== 'write') {
    await adapter.close();
    throw new AskemaError(
      'CONFIG_INVALID',
      `${file}: \`databases.${name}\` is opened for reading only, so --write cannot work; write it as a function that passes on \`access\`: ({ access }) => sqlite({ file, access }).`,
    );
  }
  return adapter;
}

async function openFile(path: string, search: DatabaseSearch): Promise<Adapter> {
  const status = statSync(path, { throwIfNoEntry: false });
  if (status === undefined) throw missingFile(path, search);
  if (status.isDirectory()) throw folderInstead(path, search.address);
  const { sqlite } = await import('@askema/sqlite');
  return resolveAdapter(sqlite({ file: path, access: search.access }));
}

function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

function unsupportedScheme(scheme: string, file: string | undefined): AskemaError {
  return new AskemaError(
    'CAPABILITY_UNSUPPORTED',
    `Addresses that start with \`${scheme}:\` need an adapter: give it a name in ${file ?? 'askema.config.ts'}, as in databases: { sales: () => adapter({ … }) }, and ask \`sales\`. Without one, DATABASE is the path of a SQLite file.`,
  );
}

function missingFile(path: string, search: DatabaseSearch): AskemaError {
  const configured = Object.keys(search.loaded.config.databases ?? {});
  const folder = dirname(path);
  const siblings = listFiles(folder).filter((name) => DATABASE_FILE.test(name));
  const near = [
    ...nearestNames(search.address, configured),
    ...nearestNames(basename(path), siblings).map((name) => join(dirname(search.address), name)),
  ].slice(0, 3);
  const hint = near.length > 0 ? didYouMeanThese(near) : othersThere(folder, siblings, configured);
  return new AskemaError('DATABASE_NOT_FOUND', `There is no database ${search.address}. ${hint}`.trim(), {
    details: { nearestNames: near },
  });
}

function didYouMeanThese(names: readonly string[]): string {
  return `Did you mean ${names.map((name) => `\`${name}\``).join(' or ')}?`;
}

function othersThere(folder: string, files: readonly string[], configured: readonly string[]): string {
  if (!isThere(folder)) {
    const parent = dirname(folder);
    const hint = didYouMean(basename(folder), listFiles(parent));
    return `The folder ${folder} does not exist. ${hint}`;
  }
  const known = [
    files.length > 0 ? `In ${folder}: ${files.slice(0, 5).join(', ')}.` : '',
    configured.length > 0 ? `In the configuration: ${configured.join(', ')}.` : '',
  ];
  return known.filter((each) => each !== '').join(' ') || 'Give the path of a SQLite file.';
}

function folderInstead(path: string, address: string): AskemaError {
  const files = listFiles(path).filter((name) => DATABASE_FILE.test(name));
  const hint =
    files.length > 0
      ? `Databases in it: ${files
          .slice(0, 5)
          .map((name) => join(address, name))
          .join(', ')}.`
      : 'Give the path of a SQLite file.';
  return new AskemaError('DATABASE_INVALID', `${address} is a folder. ${hint}`);
}

function listFiles(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
