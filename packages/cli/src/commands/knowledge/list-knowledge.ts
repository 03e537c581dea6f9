import type { KnowledgeState, ListedEntry } from '@askema/knowledge';
import { escapeJson } from '../../format/format-json.ts';
import type { CommandContext } from '../../process/command-context.ts';
import { EXIT } from '../../process/exit-code.ts';
import { printable } from '../../terminal/printable.ts';
import { inColumns } from './in-columns.ts';
import { findFolder, type KnowledgeFlags, loadFolder } from './knowledge-folder.ts';
import { placeText, tellProblems } from './tell-losses.ts';

export interface ListFlags extends KnowledgeFlags {
  readonly state?: KnowledgeState | undefined;
  readonly fields?: boolean | undefined;
  readonly json?: boolean | undefined;
}

/** `askema knowledge list`; returns the exit code. */
export async function listKnowledge(flags: ListFlags, context: CommandContext): Promise<number> {
  const { out, err } = context;
  const { folder } = await findFolder(flags, context);
  const knowledge = await loadFolder(folder);
  const { listEntries } = await import('@askema/knowledge');
  const listed = listEntries(knowledge).filter(
    ({ kind, standing }) =>
      (flags.fields === true || kind !== 'field') && (flags.state === undefined || standing.state === flags.state),
  );
  await tellProblems(
    knowledge.problems.filter(({ severity, code }) => severity === 'error' || code === 'empty-folder'),
    context,
  );
  if (flags.json === true) {
    const entries = listed.map(({ id, kind, standing }) => ({ id, kind, ...standing }));
    await out.write(`${escapeJson(JSON.stringify({ schemaVersion: 1, folder, entries }, null, 2))}\n`);
    return EXIT.ok;
  }
  const rows = listed.map(({ id, standing }) =>
    [
      standing.state,
      id,
      standing.by === undefined ? standing.source : `${standing.source} by ${standing.by}`,
      placeText(standing.place),
      standing.reason ?? '',
    ].map(printable),
  );
  await out.write(inColumns(rows));
  await err.write(`${countsOf(listed)}\n`);
  return EXIT.ok;
}

function countsOf(listed: readonly ListedEntry[]): string {
  const states: readonly KnowledgeState[] = ['accepted', 'proposed', 'failed'];
  return states
    .map((state) => `${listed.filter(({ standing }) => standing.state === state).length} ${state}`)
    .join(', ');
}
