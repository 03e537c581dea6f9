import { remarksOn } from './remarks.ts';
import type { BenchResult, ComparisonResult, ComparisonRow, TableResult } from './result.ts';

/** The result of one bench as a page of Markdown: where and when it was measured, its tables, its notes. */
export function renderBench(result: BenchResult): string {
  const { processor, cores, memoryGb, system, load } = result.machine;
  const versions = Object.entries(result.versions).map(([name, version]) => `${name} ${version}`);
  const where = `${processor} (${cores} cores, ${memoryGb} GB), ${system}, load ${load[0]} before and ${load[1]} after`;
  const remarks = result.parts.flatMap(remarksOn);
  return [
    `# ${result.title}`,
    result.about,
    `\`${result.command}\`${result.quick ? ' (quick)' : ''} · ${result.measuredAt.slice(0, 16).replace('T', ' ')} UTC, ${result.seconds} s · ${where} · ${versions.join(', ')}`,
    ...result.parts.map(renderPart),
    ...(remarks.length === 0 ? [] : [remarks.map((remark) => `- ${remark}`).join('\n')]),
    ...result.notes,
  ]
    .join('\n\n')
    .concat('\n');
}

function renderPart(part: ComparisonResult | TableResult): string {
  const head = [`## ${part.title}`, ...(part.about === undefined ? [] : [part.about])];
  const table =
    part.kind === 'table'
      ? renderTable(
          part.columns,
          part.rows.map((row) => row.map(showCell)),
        )
      : renderComparison(part);
  return [...head, table].join('\n\n');
}

function renderComparison(part: ComparisonResult): string {
  const figures = [...new Set(part.rows.flatMap(({ measured }) => Object.keys(measured?.figures ?? {})))];
  const sizes = new Set(part.rows.map(({ size }) => size));
  const growth = part.grows && sizes.size > 1;
  const columns = [
    part.sizeName,
    '',
    'median',
    'quartiles',
    ...(part.perUnit ? ['µs each'] : []),
    `: ${part.peer}`,
    ...(growth ? ['grew as'] : []),
    ...(part.memory === false ? [] : ['peak', 'kept']),
    ...figures,
  ];
  const rows = part.rows.map((row) => {
    const lead = [row.size.toLocaleString('en'), row.own ? `**${row.contender}**` : row.contender];
    const { measured } = row;
    if (measured === undefined) return [...lead, row.absent ?? 'absent', ...Array<string>(columns.length - 3).fill('')];
    const peer = part.rows.find(({ contender, size }) => contender === part.peer && size === row.size)?.measured;
    const exponent = growthOf(part, row);
    return [
      ...lead,
      showMs(measured.medianMs),
      measured.quartilesMs.map(showMs).join(' … '),
      ...(part.perUnit ? [showNumber((measured.medianMs * 1_000) / row.size)] : []),
      peer === undefined ? '' : showNumber(measured.medianMs / peer.medianMs),
      ...(growth ? [exponent === undefined ? '' : `n^${exponent.toFixed(2)}`] : []),
      ...(part.memory === false ? [] : [showBytes(measured.peakBytes), showBytes(measured.keptBytes)]),
      ...figures.map((name) => showCell(measured.figures[name] ?? '')),
    ];
  });
  return renderTable(columns, rows);
}

/** The power of the size by which the time grew since the next smaller size. */
export function growthOf(part: ComparisonResult, row: ComparisonRow): number | undefined {
  const smaller = part.rows
    .filter(({ contender, size, measured }) => contender === row.contender && size < row.size && measured !== undefined)
    .reduce<ComparisonRow | undefined>(
      (most, one) => (most === undefined || one.size > most.size ? one : most),
      undefined,
    );
  if (smaller?.measured === undefined || row.measured === undefined) return undefined;
  return exponentOf(smaller.size, smaller.measured.medianMs, row.size, row.measured.medianMs);
}

/** The power of the size by which a cost grew from one size to the next. */
export const exponentOf = (sizeBefore: number, before: number, size: number, now: number): number =>
  Math.log(now / before) / Math.log(size / sizeBefore);

/** A table of Markdown: the first column to the left, the others to the right. */
export function renderTable(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(columns), line(columns.map((_, at) => (at === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n');
}

const showCell = (cell: number | string): string => (typeof cell === 'number' ? showNumber(cell) : cell);

/** Three significant digits, or the whole number from 1,000 on. */
export function showNumber(value: number): string {
  if (!Number.isFinite(value)) return '';
  if (Math.abs(value) >= 1_000 || Number.isInteger(value)) return Math.round(value).toLocaleString('en');
  return String(Number(value.toPrecision(3)));
}

export function showMs(milliseconds: number): string {
  if (milliseconds >= 10_000) return `${showNumber(milliseconds / 1_000)} s`;
  return milliseconds < 0.1 ? `${showNumber(milliseconds * 1_000)} µs` : `${showNumber(milliseconds)} ms`;
}

export function showBytes(bytes: number): string {
  if (bytes < 1e3) return `${bytes} B`;
  return bytes < 1e6 ? `${showNumber(bytes / 1e3)} kB` : `${showNumber(bytes / 1e6)} MB`;
}
