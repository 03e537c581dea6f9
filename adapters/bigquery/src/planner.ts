import { isAskemaError, type Planner, type PlanVerdict, startLimits } from '@askema/core';
import { bigqueryDialect } from '@askema/dialects';
import { statementKind } from '@askema/sql';
import type { OpenClient } from './client/create-client.ts';
import { costUsd, prepareStatement } from './executor/prepare-statement.ts';
import type { RestJob } from './rest-types.ts';

/**
 * Asks BigQuery what a statement would do, by a dry run, which is free: its kind, the tables it reads, the bytes and what they cost on demand. The bytes are
 * an upper bound (tables that are clustered may take less). What never runs here (a script, several statements, a
 * remote function) is `invalid`; a statement that writes is told as such, whatever the adapter may do.
 */
export function createPlanner(client: OpenClient): Planner {
  return {
    async check(sql, { timeoutMs, context, views }) {
      client.throwIfClosed();
      const what = 'Checking the statement';
      const limits = client.untilClosed(startLimits({ timeoutMs, signal: context.signal, what, sql, onlyPlans: true }));
      try {
        const prepared = await prepareStatement(client, { sql, access: 'any', limits, context, views });
        const verdict = verdictOf(sql, prepared.job, prepared.bytes, client.options.pricePerTib);
        return views === true ? { ...verdict, views: prepared.views } : verdict;
      } catch (thrown) {
        if (!isAskemaError(thrown) || !thrown.code.startsWith('QUERY_') || thrown.code === 'QUERY_TIMEOUT')
          throw thrown;
        return {
          verdict: 'invalid',
          ...kindOfRefused(thrown.details.vendorCode),
          error: { message: thrown.message, details: { ...thrown.details, code: thrown.code } },
        };
      } finally {
        limits.release();
      }
    },
  };
}

/** The verdict on a dry run that succeeded. `pricePerTib` in US dollars. */
export function verdictOf(sql: string, job: RestJob, bytes: number | undefined, pricePerTib: number): PlanVerdict {
  const query = job.statistics?.query;
  const tables = query?.referencedTables?.map(
    ({ projectId, datasetId, tableId }) => `${projectId}.${datasetId}.${tableId}`,
  );
  return {
    verdict: 'ok',
    statement: strictest(statementKind(sql, bigqueryDialect.lexer), query?.statementType),
    ...(tables === undefined ? {} : { relations: tables }),
    // Of more than 50 tables the list is not whole; those in it are read all the same.
    ...(query?.referencedTables === undefined
      ? {}
      : {
          reads: query.referencedTables.map(({ projectId, datasetId, tableId }) => ({
            nameParts: { database: projectId, schema: datasetId, relation: tableId },
          })),
        }),
    ...(bytes === undefined ? {} : { estimatedBytes: bytes, estimatedCostUsd: costUsd(pricePerTib, bytes) }),
  };
}

/** What text and server say of it; where the two differ (a stand-in calls everything SELECT), it does not count as reading. */
function strictest(byText: NonNullable<PlanVerdict['statement']>, statementType: string | undefined) {
  if (statementType === undefined) return byText;
  const byServer = statementOf(statementType);
  return byServer === 'read' ? byText : byServer;
}

const WRITES = new Set('INSERT UPDATE DELETE MERGE TRUNCATE_TABLE EXPORT_DATA EXPORT_MODEL LOAD_DATA'.split(' '));

/** https://cloud.google.com/bigquery/docs/reference/rest/v2/Job#JobStatistics2.FIELDS.statement_type */
export function statementOf(statementType: string): NonNullable<PlanVerdict['statement']> {
  if (statementType === 'SELECT') return 'read';
  if (WRITES.has(statementType)) return 'write';
  return /^(?:CREATE|ALTER|DROP|UNDROP)_/.test(statementType) ? 'ddl' : 'other';
}

function kindOfRefused(vendorCode: string | undefined): { readonly statement?: PlanVerdict['statement'] } {
  return vendorCode !== undefined && /^[A-Z_]+$/.test(vendorCode) ? { statement: statementOf(vendorCode) } : {};
}
