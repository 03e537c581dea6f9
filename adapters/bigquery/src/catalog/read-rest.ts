import type { CallLimits, CatalogGap, DraftRelation, NameParts, RelationKind } from '@askema/core';
import type { BigQueryClient } from '../client/client.ts';
import type { DatasetName } from '../dataset-name.ts';
import type { RestTable, RestTableEntry } from '../rest-types.ts';
import { mapBounded } from './bounded-pool.ts';
import { type DatasetDraft, INGESTION_TIME, INGESTION_TIME_COLUMN, isGeneral, reasonOf } from './dataset-draft.ts';
import { shardName } from './date-shards.ts';
import type { KeysOfTable } from './keys.ts';
import { restAttribute, tagged } from './rest-attributes.ts';

/** BigQuery answers about 100 such requests a second to one user: https://cloud.google.com/bigquery/quotas#api_request_quotas */
const REQUESTS_AT_ONCE = 10;

/** https://cloud.google.com/bigquery/docs/reference/rest/v2/tables, field type */
const KINDS: Readonly<Record<string, RelationKind>> = {
  VIEW: 'view',
  MATERIALIZED_VIEW: 'materialized view',
  EXTERNAL: 'external table',
};

export interface RestReadOptions {
  /** More requests than this are not made; the dataset is then not read. */
  readonly maxRequests?: number | undefined;
}

/**
 * Reads a dataset by `tables.list` and `tables.get`, free of charge: one request a table, but only one for all shards by day of a family, whose
 * columns are those of the newest; that is said in `gaps`. Undefined when it takes more requests than allowed. A table that may not be read is a gap.
 */
export async function readRest(
  client: BigQueryClient,
  name: DatasetName,
  limits: CallLimits,
  { maxRequests = Number.POSITIVE_INFINITY }: RestReadOptions = {},
): Promise<DatasetDraft | undefined> {
  const entries: RestTableEntry[] = [];
  for await (const page of client.listTables(name, limits)) entries.push(...page);
  const groups = groupShards(entries);
  if (groups.length > maxRequests) return undefined;
  const gaps: CatalogGap[] = [];
  const found = await mapBounded(groups, REQUESTS_AT_ONCE, async (members): Promise<readonly DraftRelation[]> => {
    const newest = members.at(-1);
    if (newest === undefined) return [];
    limits.throwIfOver();
    try {
      const table = await client.getTable(name, newest.tableReference.tableId, limits);
      return draftsOf(name, members, table, gaps);
    } catch (error) {
      if (isGeneral(error)) throw error;
      gaps.push({ subject: fullName(name, newest), reason: reasonOf(error) });
      return members.map((entry) => ({ nameParts: nameParts(name, entry), kind: kindOf(entry), attributes: [] }));
    }
  });
  return { relations: found.flat(), gaps, isPartial: false };
}

/** Shards by day of one family together, oldest first; every other table alone. */
function groupShards(entries: readonly RestTableEntry[]): RestTableEntry[][] {
  const groups = new Map<string, RestTableEntry[]>();
  for (const entry of entries) {
    const { tableId } = entry.tableReference;
    const shard = kindOf(entry) === 'table' ? shardName(tableId) : undefined;
    const key = shard?.isDay === true ? JSON.stringify([shard.prefix]) : tableId;
    const group = groups.get(key) ?? [];
    group.push(entry);
    groups.set(key, group);
  }
  for (const group of groups.values())
    group.sort((a, b) => (a.tableReference.tableId < b.tableReference.tableId ? -1 : 1));
  return [...groups.values()];
}

/** The table that was read, last of its group, and its older siblings. */
function draftsOf(
  name: DatasetName,
  members: readonly RestTableEntry[],
  table: RestTable,
  gaps: CatalogGap[],
): DraftRelation[] {
  const newest = draftOf(name, table);
  const { rowCount: _rows, rowCountExact: _exact, byteCount: _bytes, ...shared } = newest;
  const others = members.slice(0, -1).map((entry) => ({ ...shared, nameParts: nameParts(name, entry) }));
  const [first] = others;
  if (first !== undefined) {
    const subject = fullName(name, table);
    gaps.push({
      subject,
      reason: `only its columns were read; those of ${others.length} older shards (from ${first.nameParts.relation} on) are taken to be the same`,
    });
    gaps.push({
      subject,
      reason: `rows and bytes of its ${others.length} older shards were not read`,
      affects: 'counts',
    });
  }
  return [...others, newest];
}

function draftOf(name: DatasetName, table: RestTable): DraftRelation {
  const attributes = (table.schema?.fields ?? []).map(restAttribute);
  const isIngestion = table.timePartitioning !== undefined && table.timePartitioning.field === undefined;
  const definition = table.view?.query ?? table.materializedView?.query;
  const kind = kindOf(table);
  const isStored = kind === 'table' || kind === 'materialized view';
  return {
    nameParts: nameParts(name, table),
    kind,
    ...(table.description === undefined || table.description === '' ? {} : { comment: table.description }),
    ...(definition === undefined ? {} : { definition }),
    ...(isStored && table.numRows !== undefined ? { rowCount: Number(table.numRows), rowCountExact: true } : {}),
    ...(isStored && table.numBytes !== undefined ? { byteCount: Number(table.numBytes) } : {}),
    attributes: isIngestion ? [...attributes, INGESTION_TIME_COLUMN] : attributes,
    ...tagged(Object.entries(table.labels ?? {}).map(([label, value]) => ({ name: label, value }))),
    ...partitioningOf(table),
    ...keysOf(table),
  };
}

function partitioningOf(table: RestTable): Pick<DraftRelation, 'partitioning'> {
  const time = table.timePartitioning;
  const field = time === undefined ? table.rangePartitioning?.field : (time.field ?? INGESTION_TIME);
  if (field !== undefined) {
    const filterRequired = table.requirePartitionFilter ?? time?.requirePartitionFilter ?? false;
    return { partitioning: { attributes: [field], filterRequired, kind: 'partition' } };
  }
  const fields = table.clustering?.fields ?? [];
  return fields.length === 0 ? {} : { partitioning: { attributes: fields, filterRequired: false, kind: 'cluster' } };
}

function keysOf({ tableConstraints: constraints }: RestTable): KeysOfTable {
  if (constraints === undefined) return {};
  const primaryKey = constraints.primaryKey?.columns ?? [];
  const foreignKeys = (constraints.foreignKeys ?? []).flatMap(({ referencedTable: target, columnReferences = [] }) =>
    target === undefined || columnReferences.length === 0
      ? []
      : [
          {
            attributes: columnReferences.map(({ referencingColumn = '' }) => referencingColumn),
            target: { database: target.projectId, schema: target.datasetId, relation: target.tableId },
            targetAttributes: columnReferences.map(({ referencedColumn = '' }) => referencedColumn),
          },
        ],
  );
  return {
    ...(primaryKey.length > 0 ? { primaryKey } : {}),
    ...(foreignKeys.length > 0 ? { foreignKeys } : {}),
    keyStanding: 'informational',
  };
}

function kindOf({ type }: RestTableEntry): RelationKind {
  return KINDS[type ?? ''] ?? 'table';
}

function nameParts({ project, dataset }: DatasetName, { tableReference }: RestTableEntry): NameParts {
  return { database: project, schema: dataset, relation: tableReference.tableId };
}

function fullName({ project, dataset }: DatasetName, { tableReference }: RestTableEntry): string {
  return `${project}.${dataset}.${tableReference.tableId}`;
}
