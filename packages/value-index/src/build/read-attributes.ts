import { type Adapter, type AttributeId, isAskemaError, throwIfAborted, toAskemaError } from '@askema/core';
import { deleteAttributeRow, insertAttributeRow, updateAttributeRow } from '../store/attribute-rows.ts';
import { type CellWriter, createCellWriter } from '../store/cell-writer.ts';
import { noteRemoved } from '../store/compact-index.ts';
import type { Database } from '../store/driver.ts';
import { type AttributeWork, limitsText } from './attribute-work.ts';
import type { BuildProgress, BuildSettings } from './build-options.ts';
import { type CellReading, cellStatement, readCells } from './read-cells.ts';

interface ReadAttributesOptions {
  readonly database: Database;
  readonly adapter: Adapter;
  readonly settings: BuildSettings;
  /** Attributes that need not be read, for the progress. */
  readonly unchanged: number;
  readonly onProgress?: ((progress: BuildProgress) => void) | undefined;
}

const REASONS: Readonly<Record<NonNullable<CellReading['cut']>, string>> = {
  values: 'it has more distinct cells than maxValuesPerAttribute',
  length: 'cells longer than maxValueLength were left out',
  sample: 'only sampleRows rows were looked at',
  bytes: 'the budget of maxBytes ended in its midst',
  time: 'its statement ran out of attributeTimeoutMs',
};

/**
 * Reads attributes one after another into the index. An attribute that fails is noted, and the next one follows. When
 * the caller stops it, what was read whole is kept.
 *
 * Rejects with `ABORTED`, and with what the index file refuses.
 */
export async function readAttributes(work: readonly AttributeWork[], options: ReadAttributesOptions): Promise<void> {
  const { database, settings, onProgress, unchanged } = options;
  const writer = createCellWriter(database);
  const report = progressReporter(work, unchanged, onProgress);
  let bytesLeft = settings.maxBytes ?? Number.MAX_SAFE_INTEGER;
  try {
    for (const item of work) {
      throwIfAborted(settings.context.signal, 'Building the value index');
      const bytes = await readOne(item, { ...options, writer, bytesLeft, noteValues: (count) => report(item, count) });
      if (settings.maxBytes !== undefined) bytesLeft = Math.max(0, bytesLeft - bytes);
      report(item, 0, true);
      if (writer.due) await writer.commit();
    }
  } finally {
    // Also when the caller stops: attributes that are ready stay, one that was being read is forgotten by the next
    // build.
    await writer.commit();
  }
}

interface ReadOneOptions extends ReadAttributesOptions {
  readonly writer: CellWriter;
  readonly bytesLeft: number;
  readonly noteValues: (count: number) => void;
}

/** @returns the bytes that it took. */
async function readOne(item: AttributeWork, options: ReadOneOptions): Promise<number> {
  const { adapter, bytesLeft, database, settings, writer } = options;
  const { planned, before, digest } = item;
  const fresh = {
    attribute: planned.id,
    coverage: 'part',
    count: 0,
    entry: planned.entry,
    limits: limitsText(settings),
    digest: digest ?? null,
    rowCount: planned.rowCount ?? null,
  } as const;
  const hasReady = before.some(({ state }) => state === 'ready');
  writer.begin();
  const tooDear = await exceedsBudget(item, options);
  if (tooDear !== undefined) {
    if (!hasReady) await replace(database, item, { ...fresh, state: 'pending', reason: tooDear });
    return 0;
  }
  const number = insertAttributeRow(database, { ...fresh, state: 'reading', reason: null });
  let count = 0;
  try {
    const { bytes, cut } = await readCells(planned, {
      adapter,
      limits: settings.limits,
      maxBytes: bytesLeft,
      timeoutMs: settings.timeoutMs,
      context: settings.context,
      take: async (cells) => {
        await writer.add(number, count, cells);
        count += cells.length;
        options.noteValues(cells.length);
        if (writer.due) await writer.commit();
        writer.begin();
      },
    });
    for (const row of before) await forget(database, row);
    updateAttributeRow(database, number, {
      state: 'ready',
      coverage: cut === undefined ? 'whole' : 'part',
      count,
      limits: limitsText(settings, cut === 'bytes' ? settings.maxBytes : undefined),
      reason: cut === undefined ? null : REASONS[cut],
    });
    return bytes;
  } catch (thrown) {
    if (settings.context.signal?.aborted || isFileError(thrown)) throw thrown;
    await forget(database, { number, count });
    // The code alone: a driver's message may quote a cell.
    const { code, details } = toAskemaError(thrown);
    const reason = details.errorClass === undefined ? code : `${code} (${details.errorClass})`;
    await replace(database, item, { ...fresh, state: 'failed', reason });
    return 0;
  }
}

async function replace(
  database: Database,
  { before }: AttributeWork,
  row: Parameters<typeof insertAttributeRow>[1],
): Promise<void> {
  for (const old of before) await forget(database, old);
  insertAttributeRow(database, row);
}

async function forget(
  database: Database,
  { number, count }: { readonly number: number; readonly count: number },
): Promise<void> {
  await deleteAttributeRow(database, number);
  noteRemoved(database, count);
}

/** Errors of the index file itself end a build; those of the database that is read end an attribute. */
function isFileError(thrown: unknown): boolean {
  return !isAskemaError(thrown) && thrown instanceof Error && thrown.name === 'SqliteError';
}

/** Why an attribute is left for a later build, or undefined. */
async function exceedsBudget({ planned }: AttributeWork, options: ReadOneOptions): Promise<string | undefined> {
  const { adapter, bytesLeft, settings } = options;
  if (settings.maxBytes === undefined) return undefined;
  if (bytesLeft < 1) return 'the budget of maxBytes was used up before its turn';
  try {
    const sql = cellStatement(planned, adapter.dialect, settings.limits);
    const { timeoutMs, context } = settings;
    const { estimatedBytes } = await adapter.planner.check(sql, { timeoutMs, context });
    return estimatedBytes !== undefined && estimatedBytes > bytesLeft
      ? `reading it takes about ${estimatedBytes} bytes, and ${bytesLeft} of maxBytes were left`
      : undefined;
  } catch {
    // An estimate is an aid; the statement itself says what is wrong.
    return undefined;
  }
}

type Report = (item: AttributeWork, values: number, done?: boolean) => void;

function progressReporter(
  work: readonly AttributeWork[],
  unchanged: number,
  onProgress: ((progress: BuildProgress) => void) | undefined,
): Report {
  const weight = ({ planned }: AttributeWork): number => (planned.rowCount ?? 1_000) + 10;
  const total = work.reduce((sum, item) => sum + weight(item), 0);
  const started = performance.now();
  let done = 0;
  let weightDone = 0;
  let values = 0;
  return (item, count, isDone = false) => {
    values += count;
    if (isDone) {
      done += 1;
      weightDone += weight(item);
    }
    if (onProgress === undefined) return;
    const elapsedMs = performance.now() - started;
    try {
      onProgress({
        attribute: item.planned.id as AttributeId,
        done: done + unchanged,
        total: work.length + unchanged,
        values,
        etaMs: weightDone === 0 ? undefined : Math.round((elapsedMs / weightDone) * (total - weightDone)),
      });
    } catch {
      // A listener that throws must not fail an attribute.
    }
  };
}
