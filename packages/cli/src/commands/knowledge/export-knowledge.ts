import { join, resolve } from 'node:path';
import { AskemaError } from '@askema/core';
import type { Exported, Knowledge } from '@askema/knowledge';
import { statusOf } from '../../database/database-file.ts';
import type { CommandContext } from '../../process/command-context.ts';
import { EXIT } from '../../process/exit-code.ts';
import { printable } from '../../terminal/printable.ts';
import { findFolder, type KnowledgeFlags, loadFolder } from './knowledge-folder.ts';
import { counted, tellLosses } from './tell-losses.ts';
import { writeOwnFile } from './write-own-file.ts';

export interface ExportFlags extends KnowledgeFlags {
  readonly format: 'ossie' | 'ossie-0.1.1' | 'snowflake' | 'dbt';
  readonly proposals?: boolean | undefined;
  readonly force?: boolean | undefined;
}

/** `askema knowledge export TO`; returns the exit code. */
export async function exportKnowledge(to: string, flags: ExportFlags, context: CommandContext): Promise<number> {
  const { folder } = await findFolder(flags, context);
  const loaded = await loadFolder(folder);
  const { usableKnowledge } = await import('@askema/knowledge');
  const { knowledge, leftOut } = usableKnowledge(loaded);
  const { files, lost } = await exported(flags.proposals === true ? loaded : knowledge, flags.format);
  const { host, out, err } = context;
  if (files.length === 0)
    throw new AskemaError(
      'INPUT_INVALID',
      `There is nothing to export: ${leftOut.proposed} proposed, ${leftOut.failed} failed. Accept it first, or export proposals with --proposals.`,
    );
  const root = resolve(host.cwd, to);
  const taken = files.find(({ path }) => statusOf(join(root, path)) !== undefined);
  if (taken !== undefined && flags.force !== true)
    throw new AskemaError('INPUT_INVALID', `${join(to, taken.path)} is there already; --force replaces it.`);
  for (const { path, text } of files) {
    writeOwnFile(join(root, path), join(to, path), text);
    await out.write(`${printable(join(to, path))}\n`);
  }
  await tellLosses(lost, context);
  if (flags.proposals !== true && leftOut.proposed + leftOut.failed > 0)
    await err.write(`Left out: ${leftOut.proposed} proposed, ${leftOut.failed} failed.\n`);
  await err.write(`${counted(files.length, 'file')}, ${counted(lost.length, 'loss', 'losses')}.\n`);
  return EXIT.ok;
}

async function exported(knowledge: Knowledge, format: ExportFlags['format']): Promise<Exported> {
  const { exportDbt, exportSnowflake, writeOssie } = await import('@askema/knowledge');
  if (format === 'dbt') return exportDbt(knowledge);
  if (format === 'snowflake') return exportSnowflake(knowledge);
  const written = knowledge.models.map((model) =>
    writeOssie(model, { version: format === 'ossie' ? 'flat' : '0.1.1' }),
  );
  const prose = [
    ...knowledge.verifiedQueries.map(({ id, standing }) => ({ what: `query ${id}`, place: standing.place })),
    ...knowledge.texts.map(({ kind, id, standing }) => ({ what: `${kind} ${id}`, place: standing.place })),
  ].map((one) => ({ ...one, reason: 'Ossie has no place for it; its file can be copied' }));
  return { files: written.flatMap(({ files }) => files), lost: [...written.flatMap(({ lost }) => lost), ...prose] };
}
