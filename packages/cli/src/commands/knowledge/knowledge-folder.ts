import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { AskemaError } from '@askema/core';
import type { LoadKnowledgeOptions } from '@askema/knowledge';
import { type LoadedConfig, loadConfig } from '../../config/load-config.ts';
import type { CommandContext, CommonFlags } from '../../process/command-context.ts';

/** Options of all commands about knowledge. */
export interface KnowledgeFlags extends CommonFlags {
  readonly folder?: string | undefined;
}

export interface KnowledgePlace {
  /** Absolute. */
  readonly folder: string;
  readonly loaded: LoadedConfig;
}

/** `--folder`, else `knowledge.folder` of the configuration, else `knowledge` in the working folder. */
export async function findFolder(flags: KnowledgeFlags, context: CommandContext): Promise<KnowledgePlace> {
  const { host } = context;
  const loaded = await loadConfig(host.cwd, flags.config, context);
  const configured = loaded.config.knowledge?.folder;
  const folder =
    flags.folder === undefined && configured !== undefined
      ? resolve(dirname(loaded.file ?? host.cwd), configured)
      : resolve(host.cwd, flags.folder ?? 'knowledge');
  return { folder, loaded };
}

/** The address of the database of a command. */
export function databaseOf(named: string | undefined, { config }: LoadedConfig, command: string): string {
  const address = named ?? config.defaults?.database;
  if (address === undefined)
    throw new AskemaError('INPUT_INVALID', `DATABASE is missing: askema knowledge ${command} DATABASE.`);
  return address;
}

/** Whose proposals `--of` means; everybody's without it. */
export function proposalsOf(of: string | undefined): LoadKnowledgeOptions {
  return of === undefined ? { allProposals: true } : of === '' ? {} : { proposalsOf: of };
}

/** Loads the folder, by default with the proposals of everybody; one that is not there is named with what makes one. */
export async function loadFolder(folder: string, options: LoadKnowledgeOptions = proposalsOf(undefined)) {
  if (!existsSync(folder))
    throw new AskemaError(
      'INPUT_INVALID',
      `There is no folder of knowledge at ${folder}. Name one with --folder, or make one with \`askema knowledge init\`.`,
    );
  const { loadKnowledge } = await import('@askema/knowledge');
  return loadKnowledge(folder, options);
}
