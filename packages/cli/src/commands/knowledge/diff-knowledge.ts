import { resolve } from 'node:path';
import type { ListedEntry } from '@askema/knowledge';
import { escapeJson } from '../../format/format-json.ts';
import type { CommandContext } from '../../process/command-context.ts';
import { EXIT } from '../../process/exit-code.ts';
import { diffAnswersIn } from './diff-answers.ts';
import { type Difference, differenceLines } from './difference-lines.ts';
import { findFolder, type KnowledgeFlags, loadFolder, proposalsOf } from './knowledge-folder.ts';
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
  const entries = listEntries(await loadFolder(folder, proposalsOf(flags.of)));
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
  await out.write(differences.map(differenceLines).join(''));
  await err.write(`${counted(differences.length, 'difference')}.\n`);
  return EXIT.ok;
}
