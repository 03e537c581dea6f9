import { lstatSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { AskemaError } from '@askema/core';
import type { CommandContext } from '../../process/command-context.ts';
import { EXIT } from '../../process/exit-code.ts';
import { printable } from '../../terminal/printable.ts';
import { formatNamed } from './format-named.ts';
import { findFolder, type KnowledgeFlags, loadFolder } from './knowledge-folder.ts';
import { counted, tellLosses } from './tell-losses.ts';
import { writeOwnFile } from './write-own-file.ts';

export interface ExportFlags extends KnowledgeFlags {
  readonly format: string;
  readonly proposals?: boolean | undefined;
  readonly force?: boolean | undefined;
}

/** `askema knowledge export TO`; returns the exit code. */
export async function exportKnowledge(to: string, flags: ExportFlags, context: CommandContext): Promise<number> {
  const { write } = await formatNamed(flags.format, 'write');
  const { folder } = await findFolder(flags, context);
  const loaded = await loadFolder(folder, {});
  const { usableKnowledge } = await import('@askema/knowledge');
  const { knowledge, leftOut } = usableKnowledge(loaded);
  const { files, lost } = write?.(flags.proposals === true ? loaded : knowledge) ?? { files: [], lost: [] };
  const { host, out, err } = context;
  if (files.length === 0)
    throw new AskemaError(
      'INPUT_INVALID',
      `There is nothing to export: ${leftOut.proposed} proposed, ${leftOut.failed} failed. Accept it first, or export proposals with --proposals.`,
    );
  const root = resolve(host.cwd, to);
  const taken = files.find(({ path }) => isTaken(join(root, path)));
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

/** A link counts as well, wherever it leads. */
function isTaken(file: string): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // Writing says why there can be no such file.
    return false;
  }
}
