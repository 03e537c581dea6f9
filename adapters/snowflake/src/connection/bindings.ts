import { AskemaError, type Parameter } from '@askema/core';
import { snowflakeDialect } from '@askema/dialects';
import { lexSql } from '@askema/sql';
import type { Binding } from './session-http.ts';

/** A statement as it is sent, with its values by number. */
export interface BoundStatement {
  readonly sql: string;
  readonly bindings?: Readonly<Record<string, Binding>> | undefined;
}

/**
 * Binds values by their number, for `?` and `:1`. Snowflake knows no other names: a `:name` becomes the number of its value, followed by
 * blanks, so that the positions of errors stay.
 *
 * @throws AskemaError `QUERY_FAILED` for a name without a value.
 */
export function bindParameters(
  sql: string,
  parameters: readonly Parameter[] | Readonly<Record<string, Parameter>> | undefined,
): BoundStatement {
  if (parameters === undefined) return { sql };
  if (isList(parameters)) return parameters.length === 0 ? { sql } : { sql, bindings: numbered(parameters) };
  const values: Parameter[] = [];
  const numbers = new Map<string, number>();
  let text = '';
  let end = 0;
  for (const token of lexSql(sql, snowflakeDialect.lexer)) {
    if (token.kind !== 'parameter' || !/^:[A-Za-z_]/.test(token.text)) continue;
    const name = token.text.slice(1);
    if (!Object.hasOwn(parameters, name))
      throw new AskemaError(
        'QUERY_FAILED',
        `There is no value for the parameter \`:${name}\`; give one by that name.`,
        {
          details: { sql, errorClass: 'identifier' },
        },
      );
    const number = numbers.get(name) ?? values.push(parameters[name] as Parameter);
    numbers.set(name, number);
    text += sql.slice(end, token.start) + `:${number}`.padEnd(token.text.length);
    end = token.start + token.text.length;
  }
  return values.length === 0 ? { sql } : { sql: text + sql.slice(end), bindings: numbered(values) };
}

function isList(value: object): value is readonly Parameter[] {
  return Array.isArray(value);
}

function numbered(values: readonly Parameter[]): Record<string, Binding> {
  return Object.fromEntries(values.map((value, index) => [String(index + 1), bindingOf(value)]));
}

/** Types as the protocol names them: `FIXED`, `REAL`, `TEXT`, … */
function bindingOf(value: Parameter): Binding {
  if (value === null) return { type: 'TEXT', value: null };
  if (typeof value === 'boolean') return { type: 'BOOLEAN', value: String(value) };
  if (typeof value === 'bigint') return { type: 'FIXED', value: String(value) };
  if (typeof value === 'number') {
    if (Number.isSafeInteger(value)) return { type: 'FIXED', value: String(value) };
    return { type: 'REAL', value: Number.isNaN(value) ? 'NaN' : String(value).replace('Infinity', 'inf') };
  }
  if (value instanceof Uint8Array) return { type: 'BINARY', value: Buffer.from(value).toString('hex') };
  return { type: 'TEXT', value };
}
