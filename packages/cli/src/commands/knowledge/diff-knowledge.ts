import { resolve } from 'node:path';
import { shortened } from '@askema/core';
import type { EntryDifference, ListedEntry } from '@askema/knowledge';
import { escapeJson } from '../../format/format-json.ts';
import type { CommandContext } from '../../process/command-context.ts';
import { EXIT } from '../../process/exit-code.ts';
import { printable } from '../../terminal/printable.ts';
import { findFolder, type KnowledgeFlags, loadFolder } from './knowledge-folder.ts';
import { counted } from './tell-losses.ts';

export interface DiffFlags extends KnowledgeFlags {
  readonly json?: boolean | undefined;
}

/** Values longer than that are cut where people read them. */
const MAX_SHOWN = 120;

/** `askema knowledge diff [OTHER]`; returns the exit code. Without OTHER, what is only accepted is no difference. */
export async function diffKnowledge(
  other: string | undefined,
  flags: DiffFlags,
  context: CommandContext,
): Promise<number> {
  const { host, out, err } = context;
  const { folder } = await findFolder(flags, context);
  const { diffEntries, listEntries } = await import('@askema/knowledge');
  const entries = listEntries(await loadFolder(folder));
  const isProposal = ({ standing }: ListedEntry): boolean => standing.place.file.startsWith('proposals/');
  const accepted = entries.filter((one) => !isProposal(one));
  const differences =
    other === undefined
      ? diffEntries(accepted, entries.filter(isProposal)).filter(({ kind }) => kind !== 'removed')
      : diffEntries(
          accepted,
          listEntries(await loadFolder(resolve(host.cwd, other))).filter((one) => !isProposal(one)),
        );
  if (flags.json === true) {
    await out.write(`${escapeJson(JSON.stringify({ schemaVersion: 1, differences }, null, 2))}\n`);
    return EXIT.ok;
  }
  await out.write(
    differences
      .flatMap(linesOf)
      .map((line) => `${printable(line)}\n`)
      .join(''),
  );
  await err.write(`${counted(differences.length, 'difference')}.\n`);
  return EXIT.ok;
}

function linesOf({ id, kind, parts }: EntryDifference): readonly string[] {
  return [
    `${id} ${kind}`,
    ...parts.map(({ part, before, after }) => {
      if (before === undefined) return `  ${part}: ${shown(after)} is new`;
      if (after === undefined) return `  ${part}: ${shown(before)} is gone`;
      return `  ${part}: ${shown(before)} is now ${shown(after)}`;
    }),
  ];
}

function shown(value: unknown): string {
  return shortened(JSON.stringify(value), MAX_SHOWN);
}
