import type { Imported, KnowledgeProblem, TextFile } from '@askema/knowledge';
import { escapeJson } from '../../format/format-json.ts';
import type { CommandContext } from '../../process/command-context.ts';
import { EXIT } from '../../process/exit-code.ts';
import { printable } from '../../terminal/printable.ts';
import { formatOfFiles, type ImportFormat } from './format-of-files.ts';
import { findFolder, type KnowledgeFlags } from './knowledge-folder.ts';
import { readFiles } from './read-files.ts';
import { counted, tellLosses, tellProblems } from './tell-losses.ts';

export interface ImportFlags extends KnowledgeFlags {
  readonly format?: ImportFormat | undefined;
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
  const format = flags.format ?? formatOfFiles(files);
  const { imported, problems } = await importFiles(files, format, flags);
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

const NEXT =
  'Look at them with `askema knowledge list`, and hold them against a database with `askema knowledge check`.';

async function importFiles(
  files: readonly TextFile[],
  format: ImportFormat,
  { database, schema, only }: ImportFlags,
): Promise<{ readonly imported: Imported; readonly problems: readonly KnowledgeProblem[] }> {
  const { importDbt, importSnowflake, importWren, readOssie } = await import('@askema/knowledge');
  if (format === 'dbt') return { imported: importDbt(files, { database, schema }), problems: [] };
  if (format === 'wren') return { imported: importWren(files), problems: [] };
  const models = files.filter(({ path }) => !/\.(md|sql)$/i.test(path));
  if (format === 'snowflake') return { imported: importSnowflake(models), problems: [] };
  const read = models.map(({ path, text }) =>
    readOssie(text, path, 'ossie', { state: 'proposed', ...(only !== undefined && { model: only }) }),
  );
  const knowledge = { models: read.flatMap((one) => one.models), settings: {}, texts: [], verifiedQueries: [] };
  return { imported: { knowledge, lost: [] }, problems: read.flatMap((one) => one.problems) };
}

function summaryOf({ knowledge, lost }: Imported, format: ImportFormat): string {
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
