import { type CatalogGap, type DraftAttribute, type DraftRelation, type ErrorCode, isAskemaError } from '@askema/core';

/** What was read of one dataset. */
export interface DatasetDraft {
  readonly relations: readonly DraftRelation[];
  readonly gaps: readonly CatalogGap[];
  /** True when descriptions or keys are missing that another way of reading may give. */
  readonly isPartial: boolean;
}

/** https://cloud.google.com/bigquery/docs/querying-partitioned-tables#query_an_ingestion-time_partitioned_table */
export const INGESTION_TIME = '_PARTITIONTIME';

/** By it a table without a partitioning column of its own is partitioned; it is read by its name, and is not part of `*`. */
export const INGESTION_TIME_COLUMN: DraftAttribute = {
  name: INGESTION_TIME,
  nativeType: 'TIMESTAMP',
  comment: 'pseudo column: when the row was loaded, not part of *',
};

const REASON_CHARACTERS = 300;

/** Failures of the call or of the adapter, not of one dataset. */
const GENERAL: ReadonlySet<string> = new Set<ErrorCode>([
  'ABORTED',
  'QUERY_TIMEOUT',
  'DATABASE_CLOSED',
  'DEPENDENCY_MISSING',
  'CONFIG_INVALID',
  'INTERNAL',
]);

/** True for what ends the whole introspection: an abort, the deadline, a closed adapter, and what is no error of a database at all. */
export function isGeneral(error: unknown): boolean {
  return !isAskemaError(error) || GENERAL.has(error.code);
}

/** What a gap says of a failure: its first line. */
export function reasonOf(error: unknown): string {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return line.length > REASON_CHARACTERS ? `${line.slice(0, REASON_CHARACTERS)}…` : line;
}
