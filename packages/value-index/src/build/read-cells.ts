import {
  type Adapter,
  AskemaError,
  type CallContext,
  castType,
  type Dialect,
  fillProbe,
  qualifiedName,
  quoteIdentifier,
  throwIfAborted,
} from '@askema/core';
import { SOURCE_PROBE } from '@askema/grounding';
import type { PlannedAttribute } from './plan-attributes.ts';

/** Where reading an attribute ends. */
export interface CellLimits {
  readonly maxValuesPerAttribute: number;
  /** Longer cells are left out. Characters, as the engine counts them. */
  readonly maxValueLength: number;
  /** Rows looked at for each attribute, whatever the engine gives first; undefined means all. */
  readonly sampleRows: number | undefined;
}

/** What one attribute gave. `bytes`: what the engine says it processed, else the cells in UTF-8. */
export interface CellReading {
  readonly bytes: number;
  /** Why there may be cells that were not read; undefined when all were. */
  readonly cut?: 'values' | 'length' | 'sample' | 'bytes' | 'time' | undefined;
}

const DEFAULT_SOURCE = '(SELECT {attributes} FROM {relation} LIMIT {limit}) AS {alias}';

/** The statement that gives the distinct cells of an attribute as text, and one NULL where cells are too long. */
export function cellStatement(attribute: PlannedAttribute, dialect: Dialect, limits: CellLimits): string {
  const name = quoteIdentifier(attribute.name, dialect);
  const text = `CAST(${name} AS ${castType('TEXT', dialect)})`;
  const relation = qualifiedName(attribute.relation, dialect, 'always');
  const source =
    limits.sampleRows === undefined
      ? `${relation} AS probed`
      : fillProbe(dialect.probes[SOURCE_PROBE] ?? DEFAULT_SOURCE, {
          attributes: name,
          relation,
          limit: limits.sampleRows,
          alias: 'sampled',
        });
  // One more than may be kept says that there are more; another one is for the NULL.
  return `SELECT DISTINCT CASE WHEN LENGTH(${text}) <= ${limits.maxValueLength} THEN ${text} END AS cell FROM ${source} WHERE ${name} IS NOT NULL LIMIT ${limits.maxValuesPerAttribute + 2}`;
}

interface ReadCellsOptions {
  readonly adapter: Adapter;
  readonly limits: CellLimits;
  readonly maxBytes: number;
  readonly timeoutMs: number;
  readonly context: CallContext;
  /** Takes cells as they come; different ones in all calls of one reading. */
  readonly take: (cells: readonly string[]) => Promise<void>;
}

/**
 * Streams the distinct cells of an attribute. A statement that runs out of its time leaves what came until then.
 *
 * Rejects with what the executor rejects with, and with `ABORTED`.
 */
export async function readCells(attribute: PlannedAttribute, options: ReadCellsOptions): Promise<CellReading> {
  const { adapter, limits, maxBytes, timeoutMs, context } = options;
  const progress: Progress = { kept: 0, bytes: 0, processed: undefined, cut: undefined };
  const events = adapter.executor.execute(cellStatement(attribute, adapter.dialect, limits), {
    maxRows: limits.maxValuesPerAttribute + 2,
    maxBytes,
    timeoutMs,
    access: 'read',
    context,
  });
  try {
    for await (const event of events) {
      throwIfAborted(context.signal, 'Building the value index');
      if (event.type === 'rows') {
        const cells = keepCells(event.rows, limits, maxBytes, progress);
        if (cells.length > 0) await options.take(cells);
        if (progress.cut === 'values' || progress.cut === 'bytes') break;
      } else if (event.type === 'end') {
        progress.processed = event.bytesProcessed;
        if (event.truncated !== undefined) progress.cut = event.truncated === 'rows' ? 'values' : 'bytes';
      }
    }
  } catch (thrown) {
    throwIfAborted(context.signal, 'Building the value index');
    if (!(thrown instanceof AskemaError) || thrown.code !== 'QUERY_TIMEOUT' || progress.kept === 0) throw thrown;
    progress.cut = 'time';
  }
  const cut = progress.cut ?? (limits.sampleRows === undefined ? undefined : sampleCut(attribute, limits.sampleRows));
  return { bytes: Math.max(progress.bytes, progress.processed ?? 0), cut };
}

interface Progress {
  kept: number;
  bytes: number;
  processed: number | undefined;
  cut: CellReading['cut'];
}

function keepCells(
  rows: readonly (readonly unknown[])[],
  limits: CellLimits,
  maxBytes: number,
  progress: Progress,
): string[] {
  const cells: string[] = [];
  for (const [cell] of rows) {
    if (typeof cell !== 'string' || cell.length > limits.maxValueLength * 2) {
      // The text of a cell is a text; what else there is stands for cells that are too long.
      progress.cut ??= 'length';
      continue;
    }
    if (progress.kept >= limits.maxValuesPerAttribute) {
      progress.cut = 'values';
      break;
    }
    const bytes = Buffer.byteLength(cell);
    if (progress.bytes + bytes > maxBytes) {
      progress.cut = 'bytes';
      break;
    }
    progress.bytes += bytes;
    progress.kept += 1;
    cells.push(cell);
  }
  return cells;
}

/** A sample that is no smaller than the relation is the whole relation. */
function sampleCut({ rowCount }: PlannedAttribute, sampleRows: number): CellReading['cut'] {
  return rowCount !== undefined && rowCount <= sampleRows ? undefined : 'sample';
}
