import type { DraftAttribute } from '@askema/core';

/** https://cloud.google.com/bigquery/docs/querying-partitioned-tables#query_an_ingestion-time_partitioned_table */
export const INGESTION_TIME = '_PARTITIONTIME';

/** By it a table without a partitioning column of its own is partitioned; it is read by its name, and is not part of `*`. */
export const INGESTION_TIME_COLUMN: DraftAttribute = {
  name: INGESTION_TIME,
  nativeType: 'TIMESTAMP',
  comment: 'pseudo column: when the row was loaded, not part of *',
};
