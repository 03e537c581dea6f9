/**
 * Measures the structure of the packages as a Markdown table, beside an earlier commit with `--base`; or lists the
 * small files that one file alone imports. Usage: node scripts/structure/measure.ts [--base REVISION] | --list
 * [packages/NAME]
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { mustRun } from '../run-command.ts';
import { publishedPackages, ROOT } from '../workspace.ts';
import { isSmallPart, measureStructure, SMALL_LINES, type Structure } from './measure-structure.ts';

const { values, positionals } = parseArgs({
  options: { base: { type: 'string' }, list: { type: 'boolean' } },
  allowPositionals: true,
});
const now = await measureStructure(ROOT);
if (values.list) console.log(listSmallParts(now, positionals[0]));
else console.log(figuresTable(now, values.base === undefined ? undefined : await measureRevision(values.base)));

/** The structure as it was at a commit, measured as today. */
async function measureRevision(revision: string): Promise<Structure> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'askema-structure-')));
  try {
    const archive = join(folder, 'sources.tar');
    mustRun('git', ['archive', '--output', archive, revision, 'packages', 'adapters'], { cwd: ROOT });
    mustRun('tar', ['-xf', archive, '-C', folder]);
    // Packages find each other by name, as after an installation; what they import from outside is only counted.
    for (const { folder: target, manifest } of publishedPackages(folder)) {
      const link = join(folder, 'node_modules', manifest.name);
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(target, link);
    }
    return await measureStructure(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function figuresTable(after: Structure, before: Structure | undefined): string {
  const headings = Object.keys(after.figures.values().next().value ?? {});
  const packages = [...new Set([...(before?.figures.keys() ?? []), ...after.figures.keys()])].sort();
  const rows = packages.map((name) => [
    name,
    ...headings.map((heading) => {
      const value = (structure: Structure): string => String(structure.figures.get(name)?.[heading] ?? '–');
      if (!before || value(before) === value(after)) return value(after);
      return `${value(before)} → ${value(after)}`;
    }),
  ]);
  return markdownTable(['package', ...headings], rows);
}

function listSmallParts({ files }: Structure, only: string | undefined): string {
  const parts = files.filter((file) => isSmallPart(file) && (only === undefined || file.package === only));
  const packages = [...new Set(parts.map((file) => file.package))];
  const sections = packages.map((name) => {
    const own = parts.filter((file) => file.package === name);
    const rows = own.map(({ file, lines, importers: [importer = ''] }) => [
      file.replace(`${name}/src/`, ''),
      String(lines),
      importer.replace(`${name}/src/`, ''),
      String(lines + (files.find((other) => other.file === importer)?.lines ?? 0)),
    ]);
    return `## ${name}: ${own.length}\n\n${markdownTable(['file', 'lines', 'importer', 'lines of both'], rows)}`;
  });
  return `# Files of at most ${SMALL_LINES} lines with one importer: ${parts.length}\n\n${sections.join('\n\n')}`;
}

function markdownTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const isNumber = (column: number): boolean => rows.every((row) => /^[–\d]/.test(row[column] ?? ''));
  const rule = headings.map((_, column) => (isNumber(column) ? '---:' : '---'));
  return [line(headings), line(rule), ...rows.map(line)].join('\n');
}
