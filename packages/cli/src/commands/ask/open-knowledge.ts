import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { AskemaError, type KnowledgeSource } from '@askema/core';
import type { LoadedConfig } from '../../config/load-config.ts';
import type { CommandContext } from '../../process/command-context.ts';
import { printable } from '../../terminal/printable.ts';

/**
 * The knowledge of `--knowledge`, else of `knowledge.folder` of the configuration; undefined without either, and with
 * `--no-knowledge`. A folder of which nothing is used is said.
 *
 * @throws AskemaError `INPUT_INVALID` for a folder that is not there.
 */
export async function openKnowledge(
  flag: string | false | undefined,
  loaded: LoadedConfig,
  { host, err }: Pick<CommandContext, 'host' | 'err'>,
): Promise<KnowledgeSource | undefined> {
  const folder = usedFolder(flag, loaded, host.cwd);
  if (folder === undefined) return undefined;
  if (!existsSync(folder))
    throw new AskemaError(
      'INPUT_INVALID',
      `There is no folder of knowledge at ${folder}. Name one with --knowledge, make one with \`askema knowledge init\`, or leave it out with --no-knowledge.`,
    );
  const { createKnowledge, loadKnowledge, usableKnowledge } = await import('@askema/knowledge');
  const knowledge = await loadKnowledge(folder);
  const { knowledge: usable, leftOut } = usableKnowledge(knowledge);
  const isEmpty = [usable.models, usable.verifiedQueries, usable.texts].every((entries) => entries.length === 0);
  if (isEmpty)
    await err.write(
      `${err.yellow('note:')} nothing in ${printable(folder)} is used: ${leftOut.proposed} entries are proposed, ${leftOut.failed} failed their check. See \`askema knowledge list\`.\n`,
    );
  return createKnowledge(knowledge);
}

/** The folder of `--knowledge`, else that of the configuration. */
export function usedFolder(flag: string | false | undefined, loaded: LoadedConfig, cwd: string): string | undefined {
  if (flag === false) return undefined;
  if (flag !== undefined) return resolve(cwd, flag);
  const configured = loaded.config.knowledge?.folder;
  return configured === undefined ? undefined : resolve(dirname(loaded.file ?? cwd), configured);
}
