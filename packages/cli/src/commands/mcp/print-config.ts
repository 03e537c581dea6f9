import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { AskemaError } from '@askema/core';
import type { Command, Option } from 'commander';
import { type LoadedConfig, loadConfig } from '../../config/load-config.ts';
import { nameDatabases } from '../../database/name-databases.ts';
import { resolveDatabase } from '../../database/resolve-database.ts';
import { schemeOf } from '../../database/scheme-of.ts';
import type { CommandContext } from '../../process/command-context.ts';
import { EXIT } from '../../process/exit-code.ts';
import { CLIENTS } from './clients.ts';
import type { McpClientName } from './mcp-command.ts';

/** Options that name a file or a folder. */
const PATHS: ReadonlySet<string> = new Set(['config', 'confidence', 'document', 'knowledge']);

/** Packages that npx keeps for a while. */
const NPX_CACHE = /[\\/]_npx[\\/]/;

/**
 * `askema mcp DATABASE… --print-config CLIENT`: the entry on stdout, where it goes on stderr; returns the exit code.
 * Clients start commands in a folder of their own and with another PATH. So all paths are absolute, the entry starts the
 * program that has printed it, and it names the configuration that holds here.
 */
export async function printConfig(
  databases: readonly string[],
  client: McpClientName,
  command: Command,
  context: CommandContext,
): Promise<number> {
  const { host, out, err } = context;
  const known = CLIENTS[client];
  const words = databases.map((word) => absoluteDatabase(word, host.cwd));
  const options = command.options.flatMap((option) => wordsOf(option, command, host.cwd));
  const named: string | undefined = command.getOptionValue('config');
  const loaded = await loadConfig(host.cwd, named, context);
  const configured = named !== undefined || loaded.file === undefined ? [] : ['--config', loaded.file];
  // A configuration says which database is asked where none is named.
  if (databases.length === 0 && loaded.file === undefined)
    throw new AskemaError('INPUT_INVALID', `DATABASE is missing: askema mcp DATABASE --print-config ${client}`);
  await checkFiles(databases, loaded, context);
  const started = host.command.some((word) => NPX_CACHE.test(word)) ? ['npx', '-y', 'askema'] : host.command;
  const [program = '', ...before] = started;
  const entry = { command: program, args: [...before, 'mcp', ...words, ...options, ...configured] };
  await out.write(`${JSON.stringify(known.configuration('askema', entry), null, 2)}\n`);
  await err.write(
    `${err.dim(`Add it to ${known.file}. The client passes on none of your variables: name in \`env\` those with keys of models and addresses.`)}\n`,
  );
  if (words.some((word) => /:\/\/[^/@]*:[^/@]+@/.test(word)))
    await err.write(`${err.yellow('note:')} the entry holds the password of a database.\n`);
  return EXIT.ok;
}

/**
 * Clients do not show why a server that they start ends, so a file that is no database is told here. Servers of databases
 * are not asked.
 */
async function checkFiles(databases: readonly string[], loaded: LoadedConfig, context: CommandContext): Promise<void> {
  for (const { address } of nameDatabases(databases, loaded))
    if (schemeOf(address) === undefined && !Object.hasOwn(loaded.config.databases ?? {}, address))
      await (await resolveDatabase({ address, access: 'read', loaded }, context)).close();
}

/** `NAME=path` and `path` of what is there; addresses and names of the configuration stay. */
function absoluteDatabase(word: string, cwd: string): string {
  if (existsSync(resolve(cwd, word))) return resolve(cwd, word);
  const [, name, path] = /^([^=/\\]+)=(.+)$/.exec(word) ?? [];
  return path !== undefined && existsSync(resolve(cwd, path)) ? `${name}=${resolve(cwd, path)}` : word;
}

/** What was typed of an option. */
function wordsOf(option: Option, command: Command, cwd: string): readonly string[] {
  const name = option.attributeName();
  if (name === 'printConfig' || command.getOptionValueSource(name) !== 'cli') return [];
  const value: unknown = command.getOptionValue(name);
  if (typeof value === 'boolean') return value === option.negate ? [] : [option.long ?? ''];
  const absolute = (text: string): string => (PATHS.has(name) ? resolve(cwd, text) : text);
  return option.negate ? [] : [value].flat().flatMap((each) => [option.long ?? '', absolute(String(each))]);
}
