import { mkdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { AskemaError } from '@askema/core';
import type { LoadedConfig } from '../../config/load-config.ts';
import { stateFolder } from '../../history/history-folder.ts';
import type { Environment } from '../../process/host.ts';
import { fileReason } from '../../terminal/file-reason.ts';

/** Where a server keeps what outlives it; undefined for what it does not keep. */
export interface StateFiles {
  readonly auditFile?: string | undefined;
  readonly journalFolder?: string | undefined;
  /** Whether each entry waits for the disk. */
  readonly journalFsync?: boolean | undefined;
  /** Only read. */
  readonly evaluationsFolder?: string | undefined;
}

/** What the configuration names, else the state folder. @throws AskemaError `CONFIG_INVALID` where no home is known. */
export function stateFiles({ config, file }: LoadedConfig, env: Environment): StateFiles {
  const { audit, journal, evaluations } = config.server ?? {};
  const named = (path: string): string => resolve(dirname(file ?? '.'), path);
  const usual = (name: string): string => {
    const folder = stateFolder(env, 'server');
    if (folder !== undefined) return join(folder, name);
    throw new AskemaError(
      'CONFIG_INVALID',
      'No home folder is known for the audit and the journal. Name places in askema.config.ts: server: { audit: { file }, journal }, or false for none.',
    );
  };
  const runs = typeof journal === 'string' ? { folder: journal } : journal;
  const auditNamed = audit === false ? undefined : audit?.file;
  return {
    ...(audit === false ? {} : { auditFile: auditNamed === undefined ? usual('audit.jsonl') : named(auditNamed) }),
    ...(evaluations === undefined ? {} : { evaluationsFolder: named(evaluations) }),
    ...(runs === false
      ? {}
      : { journalFolder: runs?.folder === undefined ? usual('runs') : named(runs.folder), journalFsync: runs?.fsync }),
  };
}

/** Makes the folders, for this user alone. @throws AskemaError `CONFIG_INVALID` where they cannot be made. */
export async function makeFolders({ auditFile, journalFolder }: StateFiles): Promise<void> {
  for (const folder of [auditFile === undefined ? undefined : dirname(auditFile), journalFolder]) {
    if (folder === undefined) continue;
    await mkdir(folder, { recursive: true, mode: 0o700 }).catch((cause: unknown) => {
      throw new AskemaError(
        'CONFIG_INVALID',
        `The folder ${folder} cannot be made: ${fileReason(cause)} Set XDG_STATE_HOME, or \`server.audit.file\` and \`server.journal\`.`,
        { cause },
      );
    });
  }
}
