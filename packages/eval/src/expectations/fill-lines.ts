import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { AskemaError, checkWhole, type Solved, toAskemaError } from '@askema/core';
import { acquireFileLock } from '@askema/core/node';
import pLimit from 'p-limit';
import { openResultLines } from '../run/result-lines.ts';
import type { ResultCheck, StoredResult } from '../run/results-file.ts';
import type { Remark } from '../schemas/design-summary.ts';

/** What every line says of its model calls. */
interface AnsweredLine extends StoredResult {
  readonly calls: number;
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
}

interface FillLinesOptions<Item extends { readonly id: string }, Line extends AnsweredLine> {
  /** A JSONL file; made when missing, and gone on with when there. */
  readonly file: string;
  readonly items: readonly Item[];
  readonly isLine: ResultCheck<Line>;
  /** Why a line that is there makes the file another one's; undefined: it does not. */
  readonly differs: (line: Line) => string | undefined;
  /** False: the item is done again, and its later line counts. */
  readonly isDone: (item: Item, line: Line) => boolean;
  readonly make: (item: Item) => Promise<Line>;
  readonly concurrency: number | undefined;
  readonly onProgress: ((progress: LinesProgress) => void) | undefined;
  readonly signal: AbortSignal | undefined;
}

/** How many requirements have their line. */
export interface LinesProgress {
  readonly done: number;
  readonly total: number;
}

/** What a start came to. */
interface FilledLines<Line> {
  /** Of the items, in their order, as far as they are done. */
  readonly lines: readonly Line[];
  /** What failed in this start; the next one tries it again. */
  readonly failures: readonly Remark[];
}

/**
 * Makes the line of each item that has none yet. Each is on the disk at once, so that a start that was killed goes on.
 *
 * @throws AskemaError `CONFIG_INVALID` where the file was begun otherwise; `JOURNAL_INVALID` for a broken file;
 * `JOURNAL_LOCKED` while another process writes it.
 */
export async function fillLines<Item extends { readonly id: string }, Line extends AnsweredLine>(
  options: FillLinesOptions<Item, Line>,
): Promise<FilledLines<Line>> {
  const { file, items, signal } = options;
  const limiter = pLimit(checkWhole('concurrency', options.concurrency ?? 1));
  await mkdir(path.dirname(file), { recursive: true });
  const lock = await acquireFileLock(`${file}.lock`, (holder) => inUse(file, holder));
  try {
    const known = new Map<string, Line>();
    const lines = await openResultLines<Line>(file, options.isLine, (line) => known.set(line.id, line));
    try {
      refuseOthers(file, known, options.differs);
      const isDone = (item: Item): boolean => {
        const line = known.get(item.id);
        return line !== undefined && options.isDone(item, line);
      };
      const finished = items.filter(isDone).length;
      const failures: Remark[] = [];
      let made = 0;
      options.onProgress?.({ done: finished, total: items.length });
      const makeOne = async (item: Item): Promise<void> => {
        if (signal?.aborted) return;
        try {
          await lines.append([await options.make(item)]);
          made += 1;
        } catch (thrown) {
          if (!signal?.aborted) failures.push({ id: item.id, message: toAskemaError(thrown).message });
        }
        options.onProgress?.({ done: finished + made, total: items.length });
      };
      await Promise.all(items.filter((item) => !isDone(item)).map((item) => limiter(() => makeOne(item))));
      return { lines: items.flatMap((item) => (isDone(item) ? (known.get(item.id) ?? []) : [])), failures };
    } finally {
      await lines.close();
    }
  } finally {
    await lock.release();
  }
}

function inUse(file: string, holder: string): AskemaError {
  return new AskemaError('JOURNAL_LOCKED', `${file} is in use by ${holder}. Wait for it, or choose another file.`, {
    retryable: true,
  });
}

function refuseOthers<Line>(
  file: string,
  known: ReadonlyMap<string, Line>,
  differs: (line: Line) => string | undefined,
): void {
  for (const line of known.values()) {
    const difference = differs(line);
    if (difference !== undefined)
      throw new AskemaError(
        'CONFIG_INVALID',
        `${file} was begun with other settings: ${difference}. Choose another file.`,
      );
  }
}

/** What the calls of a line cost, as it keeps it. */
export function costFields({
  calls,
  usage,
}: Pick<Solved<unknown>, 'calls' | 'usage'>): Pick<AnsweredLine, 'calls' | 'inputTokens' | 'outputTokens'> {
  return {
    calls,
    ...(usage.inputTokens === undefined ? {} : { inputTokens: usage.inputTokens }),
    ...(usage.outputTokens === undefined ? {} : { outputTokens: usage.outputTokens }),
  };
}
