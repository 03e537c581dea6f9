import { dirname } from 'node:path';
import { type Access, type Adapter, type AdapterSpec, AskemaError, resolveAdapter } from '@askema/core';
import { callEntry, isAdapterLike, type LoadedConfig, missingAdapterParts } from '../config/load-config.ts';
import type { CommandContext, DatabaseFlags } from '../process/command-context.ts';
import { createSecretAsker } from '../terminal/ask-secret.ts';
import { addressOfVariable } from './address-of-variable.ts';
import { ADDRESS_OPENERS, type AddressOpeners } from './address-openers.ts';
import { keptBack } from './kept-back.ts';
import { openAddress } from './open-address.ts';
import { schemeOf } from './scheme-of.ts';

interface DatabaseSearch {
  /** A name of the configuration, a path, or an address such as `postgres://host/database`. */
  readonly address: string;
  readonly access: Access;
  readonly loaded: LoadedConfig;
  /** What is kept back by flags is so beside what the configuration keeps back. */
  readonly flags?: DatabaseFlags | undefined;
}

/**
 * Opens what DATABASE means: a name of the configuration first, else an address or a path. Nothing is connected yet.
 *
 * What `restrict` of the configuration and the flags say is hidden or masked. With `tracing` its statements are spans.
 *
 * Rejects with `DATABASE_NOT_FOUND` with the nearest names, `DATABASE_INVALID` for a file that is no database,
 * `CAPABILITY_UNSUPPORTED` for another kind of address, `DEPENDENCY_MISSING` with the command that installs a driver,
 * `CONFIG_INVALID` when the entry is no adapter.
 */
export async function resolveDatabase(
  search: DatabaseSearch,
  context: Pick<CommandContext, 'host' | 'err' | 'signal' | 'worker'>,
  openers: AddressOpeners = ADDRESS_OPENERS,
): Promise<Adapter> {
  const { address, access, loaded, flags } = search;
  const { hide, mask } = keptBack(address, loaded, flags);
  const isRestricted = hide.length > 0 || mask.length > 0;
  if (isRestricted && access === 'write')
    throw new AskemaError(
      'INPUT_INVALID',
      'A database of which something is hidden or masked is read only; leave out --write, or what hides.',
    );
  const opened = await openNamed(search, context, openers);
  const adapter = loaded.config.tracing?.adapter(opened) ?? opened;
  if (!isRestricted) return adapter;
  const { restrictDatabase } = await import('./restrict-database.ts');
  return restrictDatabase(adapter, { hide, mask });
}

async function openNamed(
  { address, access, loaded, flags }: DatabaseSearch,
  context: Pick<CommandContext, 'host' | 'err' | 'signal' | 'worker'>,
  openers: AddressOpeners,
): Promise<Adapter> {
  const { host, worker } = context;
  const { config, file } = loaded;
  const allowFunctions = flags?.allowFunction;
  const configured = Object.keys(config.databases ?? {});
  const open = async (written: string, folder: string): Promise<Adapter> => {
    const askSecret = createSecretAsker(context);
    const { address: found, environment } = addressOfVariable(written, host.env);
    const request = { access, allowFunctions, environment, folder, askSecret };
    const place = { configured, openers, schemes: config.schemes, worker };
    const adapter = resolveAdapter(await openAddress(found, request, place));
    return Object.hasOwn(config.schemes ?? {}, schemeOf(found) ?? '') ? unkept(adapter) : adapter;
  };
  if (!Object.hasOwn(config.databases ?? {}, address)) return open(address, host.cwd);
  const entry = config.databases?.[address];
  if (typeof entry === 'string') return open(entry, dirname(file ?? host.cwd));
  const opened =
    typeof entry === 'function'
      ? await callEntry(file, `databases.${address}`, () => entry({ access, allowFunctions }))
      : entry;
  return checkOpened(opened, address, access, file);
}

async function checkOpened(
  opened: AdapterSpec | Adapter | undefined,
  name: string,
  access: Access,
  file: string | undefined,
): Promise<Adapter> {
  if (opened === undefined || !isAdapterLike(opened))
    throw new AskemaError(
      'CONFIG_INVALID',
      `${file}: \`databases.${name}\` returned no adapter${missingAdapterParts(opened)}.`,
    );
  const adapter = resolveAdapter(opened);
  if (access === 'write' && adapter.access !== 'write') {
    await adapter.close();
    throw new AskemaError(
      'CONFIG_INVALID',
      `${file}: \`databases.${name}\` is opened for reading only, so --write cannot work; write it as a function that passes on \`access\`: ({ access }) => sqlite({ file, access }).`,
    );
  }
  return unkept(adapter);
}

/** Code may narrow an adapter in ways that its stamps do not tell: nothing of it is kept on disk. */
function unkept(adapter: Adapter): Adapter {
  return adapter.stamps === undefined ? adapter : { ...adapter, stamps: undefined };
}
