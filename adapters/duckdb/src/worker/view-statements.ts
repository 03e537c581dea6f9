import type { FileRelation } from '../protocol.ts';

/** So small a CSV or JSON file is read whole to find its types; of a larger one DuckDB looks at a sample. */
const READ_WHOLE_BYTES = 8 * 1024 * 1024;

/** What a reader of files calls that column. */
export const FILE_COLUMN = '__askema_file';

/** The column that says from which of several files a row comes. */
export const FILE_NAME_COLUMN = 'file_name';

/** What makes the view of a relation of files. Nothing is read but what DuckDB needs to know the columns. */
export function viewStatements({ name, format, files, bytes, hive, pattern }: FileRelation): readonly string[] {
  const options = [`hive_partitioning = ${hive}`];
  if (files.length > 1) options.push('union_by_name = true');
  if (format !== 'parquet' && bytes <= READ_WHOLE_BYTES) options.push('sample_size = -1');
  if (pattern !== undefined) options.push(`filename = ${FILE_COLUMN}`);
  const call = `${READERS[format]}([${files.map(literal).join(', ')}], ${options.join(', ')})`;
  const columns =
    pattern === undefined ? '*' : `* EXCLUDE (${FILE_COLUMN}), parse_filename(${FILE_COLUMN}) AS ${FILE_NAME_COLUMN}`;
  return [`CREATE VIEW ${quote(name)} AS SELECT ${columns} FROM ${call}`];
}

const READERS = { parquet: 'read_parquet', csv: 'read_csv', json: 'read_json' } as const;

/** A text as a literal. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** A name in quotes. */
export function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
