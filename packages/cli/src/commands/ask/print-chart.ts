import { AskemaError, type Catalog, type Dialect, type QueryResult } from '@askema/core';
import type { CommandContext } from '../../process/command-context.ts';
import { printable } from '../../terminal/printable.ts';
import { writeWhole } from './write-whole.ts';

/** `--chart`: true on the terminal, or the name of a file. */
export type ChartFlag = string | true | undefined;

/** @throws AskemaError `INPUT_INVALID` for a file that is no SVG, before anything is asked */
export function checkChartFlag(flag: ChartFlag, option = '--chart'): void {
  if (typeof flag !== 'string' || flag.endsWith('.svg')) return;
  throw new AskemaError(
    'INPUT_INVALID',
    `${option} ${JSON.stringify(flag)}: the name of a chart ends in .svg. To see the chart on the terminal, put ${option} last.`,
  );
}

/** An answer, and what it was made with. */
export interface Charted {
  readonly sql: string;
  readonly result: QueryResult;
  /** The title; undefined for a statement that somebody wrote. */
  readonly question: string | undefined;
  readonly dialect: Dialect;
  /** Tells what is a key; read where something is drawn. */
  catalog(): Promise<Catalog>;
}

/**
 * Draws the rows of an answer, on stderr or into a file, or says why their table says more. What is only offered beside
 * the table is drawn as well: who asks for a chart wants one. With `onlyFirst`, what says more as a table is not drawn.
 */
export async function printChart(
  { sql, result, question, dialect, catalog }: Charted,
  flag: Exclude<ChartFlag, undefined>,
  { host, err, onlyFirst = false }: Pick<CommandContext, 'host' | 'err'> & { readonly onlyFirst?: boolean },
): Promise<void> {
  const { chartOf, drawSvg, drawText } = await import('@askema/chart');
  const { createSqlParser } = await import('@askema/sql-parser');
  const parser = createSqlParser();
  const parsed = await parser.parse(sql, dialect).finally(() => parser.close());
  const shape = parsed.ok ? parsed.shape : undefined;
  const choice = chartOf(result, { shape, catalog: await catalog(), question });
  const [spec] = choice.offered;
  if (onlyFirst && choice.first === 'table') return;
  if (choice.first === 'table') await err.write(`${err.yellow('chart:')} ${printable(choice.reason)}\n`);
  if (spec === undefined) return;
  if (flag === true) {
    const width = Math.min(500, Math.max(30, err.columns ?? 80));
    await err.write(drawText(spec, result, { width, color: err.hasColour }));
    return;
  }
  await writeWhole(`The chart ${flag}`, { cwd: host.cwd, file: flag }, [drawSvg(spec, result)]);
  await err.write(`${err.dim(printable(`The chart is in ${flag}`))}\n`);
}
