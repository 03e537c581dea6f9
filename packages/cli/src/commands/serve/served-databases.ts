import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type Adapter, AskemaError, type Dialect, QUERY_DEFAULTS, resolveAdapter } from '@askema/core';
import { folderKnowledge, type OpenServed, type ServedDatabase, tenantFile } from '@askema/server';
import type { LoadedConfig } from '../../config/load-config.ts';
import { keptBack } from '../../database/kept-back.ts';
import { nameDatabases } from '../../database/name-databases.ts';
import { resolveDatabase } from '../../database/resolve-database.ts';
import { defaultFlow, resolveFlow } from '../../flow/resolve-flow.ts';
import { resolveModel } from '../../model/resolve-model.ts';
import type { CommandContext } from '../../process/command-context.ts';
import { parseDuration } from '../../terminal/duration.ts';
import { FALLBACK_NOTE, readQuestionSetup } from '../ask/open-asked.ts';
import { usedFolder } from '../ask/open-knowledge.ts';
import { askOnce } from './ask-once.ts';
import { tenantPlace } from './check-server-config.ts';
import type { ServeFlags } from './serve.ts';

export interface ServedDatabases {
  readonly databases: Readonly<Record<string, ServedDatabase>>;
  /** Why some of them cannot be asked now, by name. */
  readonly away: Readonly<Record<string, string>>;
  /** The names of those that are a file for each tenant. */
  readonly ofTenants: readonly string[];
  readonly model: string;
  readonly flow: string;
  /** Of the first database that was opened; undefined where each is a file of a tenant. */
  readonly dialect: Dialect | undefined;
  /** Closes adapters that the configuration made itself. */
  close(): Promise<void>;
}

/** A database that is served: where it is, or in which folder those of tenants are. */
interface Place {
  readonly name: string;
  readonly address: string;
  readonly tenants?: { readonly folder: string; readonly extension: string } | undefined;
}

/**
 * What is served, and how its questions are answered: as `askema ask` does. Each that is no file of a tenant is asked
 * once, so that what cannot be asked is told at the start. Rejects as `resolveDatabase` and `resolveModel`.
 */
export async function servedDatabases(
  words: readonly string[],
  flags: ServeFlags,
  configured: LoadedConfig,
  context: CommandContext,
): Promise<ServedDatabases> {
  const places = placesOf(words, configured);
  const { loaded, close } = keepAdapters(configured);
  try {
    return { ...(await openPlaces(places, flags, loaded, context)), close };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}

async function openPlaces(
  places: readonly Place[],
  flags: ServeFlags,
  loaded: LoadedConfig,
  context: CommandContext,
): Promise<Omit<ServedDatabases, 'close'>> {
  const { host, err, signal } = context;
  const { setup } = await readQuestionSetup(flags, loaded, context);
  const here = { ...loaded, cwd: host.cwd };
  const named = await resolveFlow(flags, here);
  const timeoutMs = flags.timeout === undefined ? QUERY_DEFAULTS.timeoutMs : parseDuration(flags.timeout, '--timeout');
  const model = await resolveModel({ flag: flags.model, loaded, env: host.env, signal });
  if (model.isFallback) await err.write(`${err.yellow(FALLBACK_NOTE)}\n`);
  const flow = named ?? (await defaultFlow(flags, here, { model: model.model, access: 'read' }));
  const { onEvent } = loaded.config.tracing ?? {};
  const text2sql = { model: model.model, flow: flow.flow, access: 'read', timeoutMs, onEvent, ...setup } as const;
  // The server hides and masks, for all and for a role at once.
  const whole = { ...loaded, config: { ...loaded.config, restrict: undefined } };
  const others = { ...flags, hide: [], mask: [] };
  const quiet = { ...context, host: silent(host) };
  const open = (address: string): Promise<Adapter> =>
    resolveDatabase({ address, access: 'read', loaded: whole, flags: others }, quiet);

  const openPlace = async ({ name, address, tenants }: Place) => {
    let dialect: Dialect | undefined;
    let away: string | undefined;
    const adapterOf = async (tenant: string | undefined): Promise<Adapter> => {
      const adapter = await open(tenants === undefined ? address : fileOf(tenants, tenant));
      dialect = adapter.dialect;
      return adapter;
    };
    if (tenants === undefined) {
      const adapter = await resolveDatabase({ address, access: 'read', loaded, flags }, quiet);
      dialect = adapter.dialect;
      away = await askOnce(adapter, signal);
    }
    const served: ServedDatabase = {
      ...keptBack(address, loaded, flags),
      open: async ({ tenant }): Promise<OpenServed> => ({ adapter: await adapterOf(tenant), text2sql }),
      knowledge: knowledgeOf(flags, loaded, host.cwd, () => dialect),
    };
    return { name, served, away, dialect };
  };
  // All of them end, and are closed, before one that fails is told.
  const settled = await Promise.allSettled(places.map(openPlace));
  const opened = settled.map((one) => {
    if (one.status === 'rejected') throw one.reason;
    return one.value;
  });
  const databases = Object.fromEntries(opened.map(({ name, served }) => [name, served]));
  const away = Object.fromEntries(opened.flatMap(({ name, away }) => (away === undefined ? [] : [[name, away]])));
  const first = opened.find(({ dialect }) => dialect !== undefined)?.dialect;
  const ofTenants = places.filter(({ tenants }) => tenants !== undefined).map(({ name }) => name);
  return { databases, away, ofTenants, model: model.label, flow: flow.label, dialect: first };
}

/** What is named, else all of the configuration. @throws AskemaError `INPUT_INVALID` where that is nothing. */
function placesOf(words: readonly string[], loaded: LoadedConfig): readonly Place[] {
  const { databases = {}, defaults, server } = loaded.config;
  const tenants = server?.tenants ?? {};
  const all = [...new Set([...Object.keys(databases), ...Object.keys(tenants)])];
  const preset = defaults?.database === undefined ? [] : [defaults.database];
  const named = nameDatabases(words.length > 0 ? words : all.length > 0 ? all : preset, loaded);
  if (named.length === 0)
    throw new AskemaError(
      'INPUT_INVALID',
      'Nothing is there to serve: askema serve DATABASE…, or `databases` of askema.config.ts, which `askema init` writes.',
    );
  const base = dirname(loaded.file ?? '.');
  return named.map(({ name, address }): Place => {
    const pattern = Object.hasOwn(tenants, address) ? tenants[address] : undefined;
    const place = pattern === undefined ? undefined : tenantPlace(pattern);
    return { name, address, tenants: place && { ...place, folder: resolve(base, place.folder) } };
  });
}

/** @throws AskemaError `CALLER_REFUSED` for a name that is none, and for a tenant without a file. */
function fileOf({ folder, extension }: NonNullable<Place['tenants']>, tenant: string | undefined): string {
  const file = tenantFile(folder, tenant, extension);
  if (existsSync(file)) return file;
  throw new AskemaError('CALLER_REFUSED', `There is no database of the tenant ${JSON.stringify(tenant)}.`);
}

/** A password that is missing is an error: nobody sits at the terminal of a server. */
function silent(host: CommandContext['host']): CommandContext['host'] {
  return { ...host, stdin: Object.create(host.stdin, { isTTY: { value: false } }) };
}

function knowledgeOf(
  flags: ServeFlags,
  loaded: LoadedConfig,
  cwd: string,
  dialect: () => Dialect | undefined,
): ServedDatabase['knowledge'] {
  const folder = usedFolder(flags.knowledge, loaded, cwd);
  if (folder === undefined) return undefined;
  const opened = () => folderKnowledge({ folder, dialect: dialect() as Dialect });
  return { list: (who) => opened().list(who), propose: (outcome, who) => opened().propose(outcome, who) };
}

/** The server closes what it opens; an adapter that the configuration made is there once, and outlives that. */
function keepAdapters(configured: LoadedConfig): { readonly loaded: LoadedConfig; close(): Promise<void> } {
  const kept: Adapter[] = [];
  const entries = Object.entries(configured.config.databases ?? {}).map(([name, entry]) => {
    if (typeof entry !== 'object') return [name, entry] as const;
    const adapter = resolveAdapter(entry);
    kept.push(adapter);
    const close = async (): Promise<void> => undefined;
    return [name, () => ({ ...adapter, close, [Symbol.asyncDispose]: close })] as const;
  });
  const config = { ...configured.config, databases: Object.fromEntries(entries) };
  return {
    loaded: { ...configured, config },
    async close() {
      for (const adapter of kept) await adapter.close();
    },
  };
}
