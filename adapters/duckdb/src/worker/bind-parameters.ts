import type { Parameter } from '@askema/core';
import type { DuckDBPreparedStatement } from '@duckdb/node-api';
import type { QueryRequest } from '../protocol.ts';
import type { Driver } from './driver.ts';
import { RequestFailure } from './request-failure.ts';

const LEAST_BIGINT = -(2n ** 63n);
const MOST_BIGINT = 2n ** 63n - 1n;

/** Binds all parameters, by position or by name; too few or too many fail. */
export function bindParameters(
  driver: typeof Driver,
  statement: DuckDBPreparedStatement,
  parameters: QueryRequest['parameters'],
): void {
  const count = statement.parameterCount;
  const names = Array.from({ length: count }, (_, index) => statement.parameterName(index + 1));
  const values = parameters ?? [];
  if (Array.isArray(values)) {
    if (values.length !== count) throw misfit(`the statement has ${count}, and ${values.length} were given`);
    for (const [index, value] of values.entries()) bind(driver, statement, index + 1, value as Parameter);
    return;
  }
  const given = new Map(
    Object.entries(values).map(([name, value]) => [name.replace(/^[$:@]/, '').toLowerCase(), value]),
  );
  for (const [index, name] of names.entries()) {
    const value = given.get(name.toLowerCase());
    if (value === undefined) throw misfit(`nothing was given for $${name}`);
    given.delete(name.toLowerCase());
    bind(driver, statement, index + 1, value);
  }
  const [extra] = given.keys();
  if (extra !== undefined) throw misfit(`the statement has no $${extra}`);
}

function bind(driver: typeof Driver, statement: DuckDBPreparedStatement, index: number, value: Parameter): void {
  if (value === null || value === undefined) statement.bindNull(index);
  else if (typeof value === 'string') statement.bindVarchar(index, value);
  else if (typeof value === 'boolean') statement.bindBoolean(index, value);
  else if (value instanceof Uint8Array) statement.bindBlob(index, value);
  else if (typeof value === 'number' && !Number.isSafeInteger(value)) statement.bindDouble(index, value);
  else {
    const whole = BigInt(value);
    if (whole >= LEAST_BIGINT && whole <= MOST_BIGINT) statement.bindBigInt(index, whole);
    else if (whole >= driver.DuckDBHugeIntType.Min && whole <= driver.DuckDBHugeIntType.Max)
      statement.bindHugeInt(index, whole);
    else statement.bindBigNum(index, whole);
  }
}

function misfit(message: string): RequestFailure {
  return new RequestFailure({ kind: 'parameters', message });
}
