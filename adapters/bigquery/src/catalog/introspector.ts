import {
  AskemaError,
  buildCatalog,
  type CallContext,
  type CallLimits,
  type CatalogGap,
  type Introspector,
  startLimits,
} from '@askema/core';
import { bigqueryDialect } from '@askema/dialects';
import type { BigQueryClient } from '../client/client.ts';
import type { DatasetName } from '../dataset-name.ts';
import { mapBounded } from './bounded-pool.ts';
import { type DatasetDraft, isGeneral, reasonOf } from './dataset-draft.ts';
import { markShards } from './date-shards.ts';
import { readInformationSchema } from './read-information-schema.ts';
import { readRest } from './read-rest.ts';

/**
 * Where metadata comes from. `information-schema`: five statements a dataset, over eight views, each of which bills at least 10 MB
 * (https://cloud.google.com/bigquery/pricing#on_demand_pricing). `rest`: one request a table, free of charge. `auto`: the first, and the second for
 * a dataset where that fails. Policy tags and labels are read by `rest` alone, which is taken where they are asked for.
 */
export type MetadataSource = 'auto' | 'information-schema' | 'rest';

export interface BigQueryIntrospectorOptions {
  readonly client: BigQueryClient;
  /** Of the catalog; shown, never a secret. */
  readonly name: string;
  /** Without a project: in the one that pays. None at all: every dataset of the project that pays. */
  readonly datasets: readonly { readonly project?: string | undefined; readonly dataset: string }[];
  /** Default: `auto`. */
  readonly metadata?: MetadataSource | undefined;
  /** The whole introspection. */
  readonly timeoutMs: number;
}

const DATASETS_AT_ONCE = 4;

/** For keys and descriptions alone no more requests than these are made. */
const MAX_REQUESTS_FOR_DETAILS = 300;

/**
 * Reads datasets as one catalog: projects are databases, datasets are schemas, STRUCT and ARRAY are nested fields, shards by date are
 * families. What could not be read is a gap.
 *
 * Rejects with the error of the first dataset when none can be read, with `QUERY_TIMEOUT`, `ABORTED` or `DATABASE_CLOSED`.
 */
export function createIntrospector(options: BigQueryIntrospectorOptions): Introspector {
  return {
    async introspect({ include, tags, context }) {
      const limits = startLimits({
        timeoutMs: options.timeoutMs,
        signal: context.signal,
        what: 'Reading the catalog',
      });
      try {
        limits.throwIfOver();
        const drafts = await limits.race(
          readDatasets(tags === true ? { ...options, metadata: 'rest' } : options, limits, context),
        );
        return buildCatalog({
          dialect: bigqueryDialect,
          name: options.name,
          relations: markShards(drafts.flatMap(({ relations }) => relations)),
          gaps: drafts.flatMap(({ gaps }) => gaps),
          include,
        });
      } finally {
        limits.release();
      }
    },
  };
}

async function readDatasets(
  options: BigQueryIntrospectorOptions,
  limits: CallLimits,
  context: CallContext,
): Promise<DatasetDraft[]> {
  const names = await datasetNames(options, limits);
  const failures: unknown[] = [];
  const drafts = await mapBounded(names, DATASETS_AT_ONCE, async (name): Promise<DatasetDraft> => {
    try {
      return await readDataset(options, name, limits, context);
    } catch (error) {
      if (isGeneral(error)) throw error;
      failures.push(error);
      const gap: CatalogGap = { subject: `${name.project}.${name.dataset}`, reason: reasonOf(error) };
      return { relations: [], gaps: [gap], isPartial: true };
    }
  });
  if (failures.length > 0 && failures.length === names.length) throw failures[0];
  return drafts;
}

async function datasetNames(
  { client, datasets }: BigQueryIntrospectorOptions,
  limits: CallLimits,
): Promise<DatasetName[]> {
  const named = datasets.every(({ project }) => project !== undefined) && datasets.length > 0;
  const payer = named ? '' : await client.billingProject(limits);
  if (datasets.length > 0) return datasets.map(({ project = payer, dataset }) => ({ project, dataset }));
  const listed = await client.listDatasets(payer, limits);
  if (listed.length === 0)
    throw new AskemaError(
      'DATABASE_NOT_FOUND',
      `The project ${payer} has no datasets that may be listed. Name datasets, or grant roles/bigquery.metadataViewer.`,
    );
  return listed.map(({ datasetReference: { projectId, datasetId } }) => ({ project: projectId, dataset: datasetId }));
}

async function readDataset(
  { client, metadata = 'auto' }: BigQueryIntrospectorOptions,
  name: DatasetName,
  limits: CallLimits,
  context: CallContext,
): Promise<DatasetDraft> {
  if (metadata === 'rest') return readWhole(client, name, limits);
  let draft: DatasetDraft;
  try {
    draft = await readInformationSchema(client, name, limits, context);
  } catch (error) {
    if (metadata === 'information-schema' || isGeneral(error)) throw error;
    return readWhole(client, name, limits);
  }
  if (!draft.isPartial || metadata === 'information-schema') return draft;
  try {
    return (await readRest(client, name, limits, { maxRequests: MAX_REQUESTS_FOR_DETAILS })) ?? draft;
  } catch (error) {
    if (isGeneral(error)) throw error;
    return draft;
  }
}

async function readWhole(client: BigQueryClient, name: DatasetName, limits: CallLimits): Promise<DatasetDraft> {
  const draft = await readRest(client, name, limits);
  if (draft === undefined) throw new AskemaError('INTERNAL', 'A reading without a limit gave nothing.');
  return draft;
}
