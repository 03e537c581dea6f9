import {
  AskemaError,
  type CallContext,
  type CallLimits,
  isAskemaError,
  type Parameter,
  type Value,
} from '@askema/core';
import type { SnowflakeSession } from '../connection/session.ts';

/** A row of metadata by its column names in lower case: views have upper-case names, SHOW has lower-case ones. */
export type MetadataRow = Readonly<Record<string, Value>>;

/** Statements about metadata, within one deadline and so many at a time. */
export interface MetadataReader {
  /** Rejects with what the session rejects with; with `QUERY_FAILED` when there are more rows than can be read. */
  read(sql: string, parameters?: readonly Parameter[] | undefined): Promise<readonly MetadataRow[]>;
}

/** One schema has hardly as many columns; more would not fit into a catalog either. */
const MAX_ROWS = 2_000_000;

/** Reads through sessions. When one statement fails for good, those that wait are not sent. */
export function createMetadataReader(
  session: SnowflakeSession,
  options: { readonly limits: CallLimits; readonly context: CallContext; readonly concurrency: number },
): MetadataReader {
  const { limits, context } = options;
  const waiting: (() => void)[] = [];
  let running = 0;
  let lost: unknown;
  return {
    async read(sql, parameters) {
      // Who waits is handed the place of the one that ends.
      if (running >= options.concurrency) await new Promise<void>((resolve) => waiting.push(resolve));
      else running += 1;
      try {
        limits.throwIfOver();
        if (lost !== undefined) throw lost;
        const result = await session.query(sql, { parameters, limits, context, maxRows: MAX_ROWS });
        if (result.truncated)
          throw new AskemaError('QUERY_FAILED', `Snowflake gave more than ${MAX_ROWS} rows of metadata.`, {
            details: { sql },
          });
        const names = result.columns.map(({ name }) => name.toLowerCase());
        return result.rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at] ?? null])));
      } catch (problem) {
        if (!isRefusal(problem)) lost ??= problem;
        throw problem;
      } finally {
        const next = waiting.shift();
        if (next === undefined) running -= 1;
        else next();
      }
    },
  };
}

/** True when the server refused the statement, so that something else may be tried; a lost connection or a deadline is none. */
export function isRefusal(problem: unknown): problem is AskemaError {
  return isAskemaError(problem) && problem.code === 'QUERY_FAILED';
}

/** A cell as text; undefined for NULL and for an empty one. */
export function textOf(row: MetadataRow, column: string): string | undefined {
  const value = row[column];
  return value === null || value === undefined || value === '' ? undefined : String(value);
}

/** A cell as a number; undefined where there is none. */
export function numberOf(row: MetadataRow, column: string): number | undefined {
  const text = textOf(row, column);
  const value = text === undefined ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : undefined;
}

/** How views (YES), SHOW (Y, true) and the driver (true) say yes. */
export function saysYes(row: MetadataRow, column: string): boolean {
  return ['yes', 'y', 'true'].includes(textOf(row, column)?.toLowerCase() ?? '');
}
