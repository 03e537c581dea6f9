import { AskemaError, offsetAt, statementError } from '@askema/core';
import { snowflakeDialect } from '@askema/dialects';
import type { ResolvedOptions } from '../options.ts';
import { connectionError } from './connection-error.ts';
import type { DriverFailure } from './driver-error.ts';

export interface QueryFailure {
  readonly sql: string;
  readonly failure: DriverFailure;
  readonly options: ResolvedOptions;
  /** Names that exist. */
  readonly names?: Iterable<string> | undefined;
}

/** Why a statement failed: what the server says of it, or what happened to the request. */
export function queryError({ sql, failure, options, names }: QueryFailure): AskemaError {
  const { http, code, message, refused } = failure;
  if (http !== undefined) return connectionError(http, options, 'The statement');
  const details = { sql, vendorCode: code, ...(failure.queryId === undefined ? {} : { queryId: failure.queryId }) };
  switch (code) {
    case '000606':
    case '000607':
      return new AskemaError(
        'CONFIG_INVALID',
        `The statement needs a warehouse, and the session has none that it may use (${code}: ${oneLine(message)}). Give \`warehouse\`, and let the role use it: GRANT USAGE ON WAREHOUSE … TO ROLE ….`,
        { details },
      );
    case '090073':
      return new AskemaError(
        'DATABASE_UNAVAILABLE',
        `The warehouse cannot be resumed (${code}: ${oneLine(message)}).`,
        {
          details,
        },
      );
    case '000630':
      return new AskemaError(
        'QUERY_TIMEOUT',
        `The statement was stopped by Snowflake's own time limit (${code}: ${oneLine(message)}). Narrow it with a filter or a LIMIT, or allow more time.`,
        { details: { ...details, errorClass: 'timeout' } },
      );
    default:
  }
  if (!refused)
    return new AskemaError(
      'DATABASE_UNAVAILABLE',
      `The statement failed in the driver (${code === undefined ? '' : `${code}: `}${oneLine(message)}).`,
      {
        details,
        retryable: true,
      },
    );
  const error = statementError(snowflakeDialect, {
    sql,
    message: withoutPreamble(message),
    vendorCode: code,
    offset: offsetOf(sql, message),
    names,
  });
  return new AskemaError(error.code, error.message, { details: { ...error.details, ...details } });
}

/** `error line 1 at position 7`: lines count from 1, positions from 0. */
export function offsetOf(sql: string, message: string): number | undefined {
  const match = /\bline (\d{1,9}) at position (-?\d{1,9})/.exec(message.slice(0, 2_000));
  if (match === null) return undefined;
  return offsetAt(sql, Number(match[1]), Math.max(0, Number(match[2])) + 1);
}

/** The position stands in the details, and the sentence says that it is about the statement. */
function withoutPreamble(message: string): string {
  return oneLine(
    message.replace(/^SQL compilation error:\s{0,9}(?:error line \d{1,9} at position -?\d{1,9}\s{0,9})?/, ''),
  );
}

function oneLine(message: string): string {
  return message.replaceAll(/\s*\n\s*/g, ' ').trim();
}
