import type { ResultColumn, Row } from '@askema/core';
import type { RowFormat } from '../../format/output-formats.ts';
import type { CommandContext } from '../../process/command-context.ts';
import type { Output } from '../../process/output.ts';
import { printableLines } from '../../terminal/printable.ts';
import { csvText, jsonlText } from './format-rows.ts';

const TEXTS = { csv: csvText, jsonl: jsonlText } as const satisfies Record<RowFormat, unknown>;

interface Rows {
  readonly columns: readonly ResultColumn[];
  readonly batches: AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>;
}

/**
 * Writes rows as they come and waits until each batch was taken over. Stops when nobody reads any more. Returns how many
 * rows were written.
 */
export async function writeRows(
  { columns, batches }: Rows,
  format: RowFormat,
  { out, err }: Pick<CommandContext, 'out' | 'err'>,
): Promise<number> {
  const { header, lines } = TEXTS[format](columns);
  let count = 0;
  try {
    await out.write(forTerminal(header, out));
    for await (const rows of batches) {
      await out.write(forTerminal(lines(rows), out));
      if (out.isGone) break;
      count += rows.length;
    }
  } catch (thrown) {
    const rows = `${count.toLocaleString('en')} row${count === 1 ? '' : 's'}`;
    await err.write(`${err.yellow(`The result is not whole: ${rows} of it were written.`)}\n`);
    throw thrown;
  }
  return count;
}

/** A file gets the data as it is; a terminal gets it without what it would obey. */
function forTerminal(text: string, out: Output): string {
  return out.isTerminal ? printableLines(text) : text;
}
