import type { FileFormat } from '../protocol.ts';

/** Endings of data files; DuckDB's own readers unpack `.gz` and `.zst` behind those of texts. */
const FORMATS: Readonly<Record<string, FileFormat>> = {
  '.parquet': 'parquet',
  '.parq': 'parquet',
  '.pq': 'parquet',
  '.csv': 'csv',
  '.tsv': 'csv',
  '.json': 'json',
  '.ndjson': 'json',
  '.jsonl': 'json',
};

/** Endings that mean a DuckDB database. */
export const DATABASE_ENDINGS: readonly string[] = ['.duckdb', '.ddb', '.db'];

/** What the name of a data file says of it. */
export interface FileKind {
  readonly format: FileFormat;
  /** The name without its endings. */
  readonly stem: string;
}

/** Undefined for a name without the ending of a data file. */
export function fileKind(name: string): FileKind | undefined {
  const lower = name.toLowerCase();
  const packed = ['.gz', '.zst'].find((ending) => lower.endsWith(ending));
  const inner = packed === undefined ? name : name.slice(0, -packed.length);
  const ending = Object.keys(FORMATS).find((candidate) => inner.toLowerCase().endsWith(candidate));
  if (ending === undefined) return undefined;
  const format = FORMATS[ending];
  const stem = inner.slice(0, -ending.length);
  // Parquet is packed inside.
  if (format === undefined || stem === '' || (packed !== undefined && format === 'parquet')) return undefined;
  return { format, stem };
}
