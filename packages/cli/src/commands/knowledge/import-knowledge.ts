import { AskemaError } from '@askema/core';
import type { Imported, KnowledgeFormat, TextFile } from '@askema/knowledge';
import { escapeJson } from '../../format/format-json.ts';
import type { CommandContext } from '../../process/command-context.ts';
import { EXIT } from '../../process/exit-code.ts';
import { printable } from '../../terminal/printable.ts';
import { formatNamed } from './format-named.ts';
import { findFolder, type KnowledgeFlags } from './knowledge-folder.ts';
import { readFiles } from './read-files.ts';
import { counted, tellLosses, tellProblems } from './tell-losses.ts';

export interface ImportFlags extends KnowledgeFlags {
  readonly format?: string | undefined;
  readonly database?: string | undefined;
  readonly schema?: string | undefined;
  /** The name of a model. */
  readonly only?: string | undefined;
  readonly json?: boolean | undefined;
}

/** `askema knowledge import FROM`; returns the exit code. */
export async function importKnowledge(
  from: readonly string[],
  flags: ImportFlags,
  context: CommandContext,
): Promise<number> {
  const { folder } = await findFolder(flags, context);
  const files = readFiles(from, context.host.cwd);
  const { database, schema, only: model } = flags;
  const { name: format, read } = await readerOf(files, flags.format);
  const { problems = [], ...imported } = read(files, { database, schema, model });
  const { writeProposals } = await import('@askema/knowledge');
  const written = await writeProposals(folder, imported);
  await tellProblems(problems, context);
  await tellLosses(imported.lost, context);
  const { out, err } = context;
  if (flags.json === true) {
    const document = { schemaVersion: 1, format, folder, files: written, lost: imported.lost, problems };
    await out.write(`${escapeJson(JSON.stringify(document, null, 2))}\n`);
    return EXIT.ok;
  }
  await out.write(written.map((file) => `${printable(file)}\n`).join(''));
  await err.write(`${summaryOf(imported, format)} They stand in ${printable(folder)}. ${NEXT}\n`);
  return EXIT.ok;
}

type Reader = KnowledgeFormat & { readonly read: NonNullable<KnowledgeFormat['read']> };

async function readerOf(files: readonly TextFile[], named: string | undefined): Promise<Reader> {
  const { formatOfFiles } = await import('@askema/knowledge');
  const format = named === undefined ? formatOfFiles(files) : await formatNamed(named, 'read');
  if (format?.read !== undefined) return { ...format, read: format.read };
  throw new AskemaError(
    'INPUT_INVALID',
    `No tool is known that writes ${files.length === 1 ? `a file like ${files[0]?.path}` : 'files like these'}. Say which one it was with --format.`,
  );
}

const NEXT =
  'Look at them with `askema knowledge list`, and hold them against a database with `askema knowledge check`.';

function summaryOf({ knowledge, lost }: Imported, format: string): string {
  const { models, verifiedQueries, texts } = knowledge;
  const sum = (count: (model: (typeof models)[number]) => number) => models.reduce((all, one) => all + count(one), 0);
  const parts = [
    counted(
      sum(({ datasets }) => datasets.length),
      'dataset',
    ),
    counted(
      sum(({ metrics }) => metrics.length),
      'metric',
    ),
    ...(verifiedQueries.length > 0 ? [counted(verifiedQueries.length, 'verified query', 'verified queries')] : []),
    ...(texts.length > 0 ? [counted(texts.length, 'text')] : []),
  ];
  return `${parts.join(', ')} of ${format} are proposed; ${counted(lost.length, 'loss', 'losses')}.`;
}
