import { documentFields } from '@askema/adapter-kit';
import {
  type CallContext,
  type CallLimits,
  type CatalogGap,
  type DraftRelation,
  type NestedField,
  qualifiedName,
  quoteIdentifier,
  startLimits,
} from '@askema/core';
import { snowflakeDialect } from '@askema/dialects';
import type { SnowflakeSession } from '../connection/session.ts';
import { documentType } from './document-type.ts';
import { isRefusal } from './metadata-reader.ts';

/** Rows of a table that are looked at: the first that come, so that only the beginning of it is read. */
const SAMPLE_ROWS = 100;
/** Characters of one document. */
const SAMPLE_CHARACTERS = 16_384;
/** Columns of one table, and different tables, that are looked at. */
const MAX_COLUMNS = 20;
const MAX_TABLES = 200;
/** All samples of a catalog, and one of them. */
const ALL_MS = 60_000;
const ONE_MS = 15_000;
/** More gaps of the same kind are told as one. */
const MAX_GAPS = 5;

export interface NestedSampler {
  readonly session: SnowflakeSession;
  readonly limits: CallLimits;
  readonly context: CallContext;
  readonly concurrency: number;
}

export interface SampledRelations {
  readonly relations: readonly DraftRelation[];
  readonly gaps: readonly CatalogGap[];
}

/**
 * Adds the fields of VARIANT, OBJECT and ARRAY columns, as the first rows of their tables show them: one `SELECT … LIMIT` a table. Views are not looked
 * at, because a LIMIT does not bound what a view computes. Tables whose names differ in digits only and whose columns are the same (`EVENTS_20240101`) share
 * one sample. What could not be looked at is a gap.
 *
 * Rejects as the session does, but for refusals, and with the error of `limits`.
 */
export async function sampleNestedFields(
  sampler: NestedSampler,
  relations: readonly DraftRelation[],
): Promise<SampledRelations> {
  const groups = [...Map.groupBy(relations.filter(canBeSampled), shapeOf).values()];
  if (groups.length === 0) return { relations, gaps: [] };
  const found = new Map<DraftRelation, ReadonlyMap<string, readonly NestedField[]>>();
  const failed: { readonly relation: DraftRelation; readonly reason: string }[] = [];
  const waiting = groups.slice(0, MAX_TABLES);
  for (const [relation] of groups.slice(MAX_TABLES))
    if (relation !== undefined)
      failed.push({ relation, reason: `only ${MAX_TABLES} tables with nested columns are looked at` });
  const all = startLimits({ timeoutMs: ALL_MS, signal: sampler.limits.signal, what: 'Looking for nested fields' });
  try {
    const work = async (): Promise<void> => {
      for (let group = waiting.shift(); group !== undefined; group = waiting.shift()) {
        const [relation] = group;
        if (relation === undefined) continue;
        const fields = await sampleOne(sampler, all, relation);
        sampler.limits.throwIfOver();
        if (typeof fields === 'string') failed.push({ relation, reason: fields });
        else for (const member of group) found.set(member, fields);
      }
    };
    await Promise.all(Array.from({ length: Math.max(1, sampler.concurrency) }, work));
  } finally {
    waiting.length = 0;
    all.release();
  }
  return {
    relations: relations.map((relation) => withFields(relation, found.get(relation))),
    gaps: gapsOf(failed),
  };
}

/** The fields by column, or why there are none. */
async function sampleOne(
  { session, context }: NestedSampler,
  all: CallLimits,
  relation: DraftRelation,
): Promise<ReadonlyMap<string, readonly NestedField[]> | string> {
  const over = all.error();
  if (over !== undefined) return `there was no time left: ${over.message}`;
  const limits = startLimits({ timeoutMs: ONE_MS, signal: all.signal, what: 'Looking for nested fields' });
  const columns = nestedColumns(relation).slice(0, MAX_COLUMNS);
  const cells = columns.map(
    (name, at) => `LEFT(TO_JSON(${quoteIdentifier(name, snowflakeDialect)}), ${SAMPLE_CHARACTERS}) AS DOCUMENT_${at}`,
  );
  const sql = `SELECT ${cells.join(', ')} FROM ${qualifiedName(relation.nameParts, snowflakeDialect, 'always')} LIMIT ${SAMPLE_ROWS}`;
  try {
    const { rows } = await session.query(sql, { limits, context, maxRows: SAMPLE_ROWS });
    return new Map(
      columns.map((name, at) => [
        name,
        documentFields(
          rows.flatMap((row) => (typeof row[at] === 'string' ? [row[at]] : [])),
          documentType,
        ),
      ]),
    );
  } catch (problem) {
    // The own time is up, or the server refuses: nobody else is hindered.
    if (isRefusal(problem) || limits.signal.aborted) return messageOf(problem);
    throw problem;
  } finally {
    limits.release();
  }
}

function messageOf(problem: unknown): string {
  return problem instanceof Error ? problem.message : String(problem);
}

function canBeSampled(relation: DraftRelation): boolean {
  return relation.kind !== 'view' && relation.rowCount !== 0 && nestedColumns(relation).length > 0;
}

/** VARIANT, OBJECT, ARRAY and MAP, also structured ones: `ARRAY(NUMBER(38,0))`. */
function nestedColumns({ attributes }: DraftRelation): string[] {
  return attributes
    .filter(({ nativeType }) => /^(VARIANT|OBJECT|ARRAY|MAP)\b/i.test(nativeType))
    .map(({ name }) => name);
}

function shapeOf({ nameParts: { database, schema, relation }, attributes }: DraftRelation): string {
  const columns = attributes.map(({ name, nativeType }) => [name, nativeType]);
  return JSON.stringify([database, schema, relation.replaceAll(/\d+/g, '#'), columns]);
}

function withFields(
  relation: DraftRelation,
  fields: ReadonlyMap<string, readonly NestedField[]> | undefined,
): DraftRelation {
  if (fields === undefined) return relation;
  return {
    ...relation,
    attributes: relation.attributes.map((attribute) => {
      const nested = fields.get(attribute.name) ?? [];
      return nested.length === 0 ? attribute : { ...attribute, nestedFields: nested };
    }),
  };
}

function gapsOf(failed: readonly { readonly relation: DraftRelation; readonly reason: string }[]): CatalogGap[] {
  const [first] = failed;
  if (first === undefined) return [];
  if (failed.length > MAX_GAPS)
    return [
      {
        subject: 'catalog',
        reason: `the fields of VARIANT, OBJECT and ARRAY columns of ${failed.length} tables could not be looked at; of ${nameOf(first.relation)}: ${first.reason}`,
      },
    ];
  return failed.map(({ relation, reason }) => ({
    subject: nameOf(relation),
    reason: `the fields of its VARIANT, OBJECT and ARRAY columns could not be looked at: ${reason}`,
  }));
}

function nameOf({ nameParts: { database, schema, relation } }: DraftRelation): string {
  return [database, schema, relation].filter((part) => part !== undefined).join('.');
}
