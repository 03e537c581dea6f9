import { AskemaError, type Parameter } from '@askema/core';

/** `QueryParameter` of the REST interface. */
interface RestParameter {
  readonly name?: string | undefined;
  readonly parameterType: { readonly type: string };
  readonly parameterValue: { readonly value: string | null };
}

export interface RestParameters {
  readonly parameterMode: 'POSITIONAL' | 'NAMED';
  readonly queryParameters: readonly RestParameter[];
}

const INT64_LEAST = -(2n ** 63n);
const INT64_MOST = 2n ** 63n - 1n;
/** 10^38, the whole numbers of NUMERIC with room for its scale of 9 below; BIGNUMERIC takes the rest. */
const BIGNUMERIC_MOST = 10n ** 38n;

/** How parameters that are NULL are sent. */
export interface NullParameters {
  /** Their types by position from 1, or by name: BigQuery tells them in a dry run. Default: STRING. */
  readonly types?: Readonly<Record<string, string>> | undefined;
  /** Leave them out, so that a dry run tells their types; by position all are left out. */
  readonly leftOut?: boolean | undefined;
}

/**
 * Values for `?` or `@name`, typed: whole numbers INT64 (BIGNUMERIC beyond its range), others FLOAT64, text STRING, bytes BYTES. A parameter
 * has no type of its own while it is NULL.
 *
 * @throws AskemaError `INPUT_INVALID` for a value that no type of BigQuery holds.
 */
export function restParameters(
  parameters: readonly Parameter[] | Readonly<Record<string, Parameter>> | undefined,
  { types = {}, leftOut = false }: NullParameters = {},
): RestParameters | undefined {
  if (parameters === undefined) return undefined;
  if (Array.isArray(parameters)) {
    const list = parameters as readonly Parameter[];
    if (list.length === 0) return undefined;
    const typed = list.map((value, index) => restParameter(value, `${index + 1}`, types));
    return { parameterMode: 'POSITIONAL', queryParameters: leftOut ? [] : typed };
  }
  const named = Object.entries(parameters as Readonly<Record<string, Parameter>>)
    .map(([name, value]) => [name.replace(/^@/, ''), value] as const)
    .filter(([, value]) => !leftOut || value !== null);
  if (named.length === 0 && !leftOut) return undefined;
  const queryParameters = named.map(([name, value]) => ({ name, ...restParameter(value, name, types) }));
  return { parameterMode: 'NAMED', queryParameters };
}

/** True when one of them is NULL. */
export function hasNull(parameters: Parameters<typeof restParameters>[0]): boolean {
  return parameters !== undefined && Object.values(parameters).includes(null);
}

function restParameter(value: Parameter, name: string, nullTypes: Readonly<Record<string, string>>): RestParameter {
  const typed = (type: string, text: string | null): RestParameter => ({
    parameterType: { type },
    parameterValue: { value: text },
  });
  if (value === null) return typed(nullTypes[name] ?? 'STRING', null);
  switch (typeof value) {
    case 'boolean':
      return typed('BOOL', String(value));
    case 'string':
      return typed('STRING', value);
    case 'bigint':
      if (value >= INT64_LEAST && value <= INT64_MOST) return typed('INT64', value.toString());
      if (value < BIGNUMERIC_MOST && value > -BIGNUMERIC_MOST) return typed('BIGNUMERIC', value.toString());
      throw tooLarge(name, value);
    case 'number':
      if (Number.isSafeInteger(value) && !Object.is(value, -0)) return typed('INT64', value.toString());
      return typed('FLOAT64', floatText(value));
    default:
      if (value instanceof Uint8Array)
        return typed('BYTES', Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64'));
      throw new AskemaError(
        'INPUT_INVALID',
        `The parameter ${name} is of a kind that BigQuery has no type for; give text, a number, a bigint, a boolean, bytes or null.`,
      );
  }
}

function floatText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (Number.isFinite(value)) return Object.is(value, -0) ? '-0.0' : String(value);
  return value > 0 ? 'Infinity' : '-Infinity';
}

function tooLarge(name: string, value: bigint): AskemaError {
  return new AskemaError(
    'INPUT_INVALID',
    `The parameter ${name} is ${value}, which no whole number of BigQuery can hold; give it as text.`,
  );
}
