import { dirname, resolve } from 'node:path';
import type { Adapter } from '@askema/core';
import { type CatalogCache, createCatalogCache } from '@askema/grounding';
import type { LoadedConfig } from '../config/load-config.ts';
import { openFolder } from '../process/compile-cache.ts';
import { type Environment, readVariable } from '../process/host.ts';

/** Values of `ASKEMA_CATALOGS` that turn it off. */
const OFF = new Set(['off', '0', 'false', 'no']);

/**
 * Where what was read of databases is kept: `ASKEMA_CATALOGS`, else `catalogs.folder` of the configuration, else
 * `askema/catalogs` in the user's cache folder. Undefined where it is off, and where no folder can be made.
 */
function catalogFolder({ config, file }: LoadedConfig, env: Environment): string | undefined {
  const named = readVariable(env, 'ASKEMA_CATALOGS');
  if (named !== undefined) return OFF.has(named.toLowerCase()) ? undefined : resolve(named);
  const { keep, folder } = config.catalogs ?? {};
  if (keep === false) return undefined;
  return folder === undefined ? openFolder(env, 'catalogs') : resolve(dirname(file ?? '.'), folder);
}

/** The files that keep what was read of this database; undefined where nothing is kept. */
export function keepCatalogs(adapter: Adapter, loaded: LoadedConfig, env: Environment): CatalogCache | undefined {
  if (adapter.stamps === undefined) return undefined;
  const folder = catalogFolder(loaded, env);
  if (folder === undefined) return undefined;
  return createCatalogCache(adapter, { folder, maxAgeMs: loaded.config.catalogs?.maxAgeMs });
}
