import { resolve } from 'node:path';
import { shortened } from '@askema/core';
import type { EntryDifference, ListedEntry } from '@askema/knowledge';
import { escapeJson } from '../../format/format-json.ts';
import type { CommandContext } from '../../process/command-context.ts';
import { EXIT } from '../../process/exit-code.ts';
import { printable } from '../../terminal/printable.ts';
import { diffAnswersIn } from './diff-answers.ts';
import { findFolder, type KnowledgeFlags, loadFolder } from './knowledge-folder.ts';
import { counted } from './tell-losses.ts';

export interface DiffFlags extends KnowledgeFlags {
  /** Whose proposals; empty for those that everybody sees, undefined for all. */
  readonly of?: string | undefined;
  /** A database in which verified queries are run before and after. */
  readonly run?: string | undefined;
  readonly maxStatements?: string | undefined;
  readonly timeout?: string | undefined;
  readonly json?: boolean | undefined;
}

/** A difference, and of a proposal of one person whose it is. */
type Difference = EntryDifference & { readonly by?: string | undefined };

/** Values longer than that are cut where people read them. */
const MAX_SHOWN = 120;

/** `askema knowledge diff [OTHER]`; returns the exit code. Without OTHER, what is only accepted is no difference. */
export async function diffKnowledge(
  other: string | undefined,
  flags: DiffFlags,
  context: CommandContext,
): Promise<number> {
  if (flags.run !== undefined) return diffAnswersIn(flags.run, other, flags, context);
  const { host, out, err } = context;
  const { folder } = await findFolder(flags, context);
  const { diffEntries, listEntries } = await import('@askema/knowledge');
  const entries = listEntries(await loadFolder(folder));
  const isProposal = ({ standing }: ListedEntry): boolean => standing.place.file.startsWith('proposals/');
  const accepted = entries.filter((one) => !isProposal(one));
  // Each person for itself: several may propose one name.
  const byPerson = Map.groupBy(entries.filter(isProposal), ({ standing }) => standing.by);
  const differences: readonly Difference[] =
    other === undefined
      ? [...byPerson].flatMap(([by, proposals]) =>
          flags.of === undefined || flags.of === (by ?? '')
            ? diffEntries(accepted, proposals)
                .filter(({ kind }) => kind !== 'removed')
                .map((one) => (by === undefined ? one : { ...one, by }))
            : [],
        )
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

function linesOf({ id, kind, parts, by }: Difference): readonly string[] {
  return [
    `${id} ${kind}${by === undefined ? '' : ` by ${by}`}`,
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
