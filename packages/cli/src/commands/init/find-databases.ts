import { type Dirent, readdirSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import { FILE_SCHEMES, SCHEMES } from '../../database/address-openers.ts';
import { isDatabaseFileName, isTableName } from '../../database/database-file.ts';
import { nameOf } from '../../database/name-databases.ts';
import { schemeOf } from '../../database/scheme-of.ts';
import type { Environment } from '../../process/host.ts';

/** A place that may be a database: a path from the working folder, or `env:NAME`. */
export interface FoundDatabase {
  readonly name: string;
  readonly address: string;
  /** The variable that holds the address. */
  readonly variable?: string | undefined;
}

/** How deep folders are looked into, at how many names, and how many databases are taken. */
const MAX_DEPTH = 3;
const MAX_NAMES = 5_000;
const MAX_FOUND = 20;

/** What is in the environment, then what is below the folder, the nearest first. Each has a name of its own. */
export function findDatabases(cwd: string, env: Environment): readonly FoundDatabase[] {
  const found = [...ofEnvironment(env), ...belowFolder(cwd)].slice(0, MAX_FOUND);
  const taken = new Set<string>();
  return found.map(({ name, ...rest }) => {
    let own = name;
    for (let count = 2; taken.has(own); count += 1) own = `${name}-${count}`;
    taken.add(own);
    return { name: own, ...rest };
  });
}

/** `DATABASE_URL` is `database`, `SHOP_DB_URL` is `shop_db`. */
function ofEnvironment(env: Environment): readonly FoundDatabase[] {
  return Object.entries(env)
    .filter(([variable, value = '']) => /^[A-Za-z]\w*$/.test(variable) && isServerAddress(value.trim()))
    .map(([variable]) => {
      const name = variable.toLowerCase().replace(/_+(?:url|uri|dsn)$/, '');
      return { name, address: `env:${variable}`, variable };
    });
}

function isServerAddress(value: string): boolean {
  const scheme = schemeOf(value);
  return /^[^:]*:\/\/\S+$/.test(value) && Object.hasOwn(SCHEMES, scheme ?? '') && !FILE_SCHEMES.includes(scheme);
}

/** Files that are databases; files that are tables, where there are several in a folder the folder. */
function belowFolder(cwd: string): readonly FoundDatabase[] {
  const paths: string[] = [];
  let level = [cwd];
  let left = MAX_NAMES;
  for (let depth = 0; depth <= MAX_DEPTH && left > 0; depth += 1) {
    const inner: string[] = [];
    for (const folder of level) {
      const entries = entriesOf(folder).slice(0, left);
      left -= entries.length;
      const files = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
      const databases = files.filter(isDatabaseFileName);
      const tables = files.filter(isTableName);
      const isOneDatabase = folder !== cwd && tables.length > 1 && databases.length === 0;
      if (isOneDatabase) paths.push(folder);
      else paths.push(...[...databases, ...tables].map((name) => join(folder, name)));
      const isLookedInto = ({ name }: Dirent): boolean => !/^[._]|^node_modules$/.test(name);
      if (!isOneDatabase)
        inner.push(
          ...entries
            .filter((entry) => entry.isDirectory() && isLookedInto(entry))
            .map(({ name }) => join(folder, name)),
        );
    }
    level = inner;
  }
  return paths.map((path) => ({
    name: nameOf(basename(path)),
    address: `./${relative(cwd, path).split(sep).join('/')}`,
  }));
}

/** In order of names; none where the folder cannot be read. */
function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((one, other) => (one.name < other.name ? -1 : 1));
  } catch {
    return [];
  }
}
