import type { Adapter } from '../adapter/adapter-spec.ts';
import { fillProbe } from '../adapter/fill-probe.ts';
import { qualifiedName, quoteIdentifier } from '../adapter/quote-name.ts';
import type { NameParts } from '../catalog/catalog.ts';
import type { CallContext } from '../task/call-context.ts';
import type { Value } from '../values/value.ts';
import { type SurfaceForms, surfaceForms } from './surface-forms.ts';

/** The probe of `Dialect.probes` that reads distinct cells, for engines without LIMIT. */
export const CELLS_PROBE = 'cells';

const DEFAULT_SKELETON = 'SELECT DISTINCT {attribute} FROM {relation} WHERE {attribute} IS NOT NULL LIMIT {limit}';

/** The distinct cells of one attribute. */
export interface CellSet {
  readonly cells: readonly SurfaceForms[];
  /** Every distinct cell is there. */
  readonly isWhole: boolean;
  /** Roughly what it takes in memory. */
  readonly bytes: number;
}

export interface ReadCellsLimits {
  readonly maxCells: number;
  readonly maxBytes: number;
  readonly timeoutMs: number;
}

/** What a cell takes beside its text: its forms, once they were made. */
const BYTES_PER_CELL = 400;

/**
 * Reads the distinct cells of an attribute with one bounded statement. Texts and numbers are cells, other values are not.
 *
 * @throws AskemaError what the adapter rejects with.
 */
export async function readCells(
  adapter: Adapter,
  relation: NameParts,
  attribute: string,
  limits: ReadCellsLimits,
  context: CallContext,
): Promise<CellSet> {
  const sql = fillProbe(adapter.dialect.probes[CELLS_PROBE] ?? DEFAULT_SKELETON, {
    relation: qualifiedName(relation, adapter.dialect, 'always'),
    attribute: quoteIdentifier(attribute, adapter.dialect),
    limit: limits.maxCells + 1,
  });
  const result = await adapter.query(sql, {
    maxRows: limits.maxCells + 1,
    maxBytes: limits.maxBytes,
    timeoutMs: limits.timeoutMs,
    access: 'read',
    context,
  });
  const texts = result.rows.slice(0, limits.maxCells).flatMap((row) => cellText(row[0] ?? null) ?? []);
  return {
    cells: texts.map(surfaceForms),
    isWhole: result.truncated === undefined && result.rows.length <= limits.maxCells,
    bytes: texts.reduce((sum, text) => sum + 2 * text.length + BYTES_PER_CELL, 0),
  };
}

/** Engines with loose types keep numbers in text columns. */
function cellText(value: Value): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : undefined;
}
