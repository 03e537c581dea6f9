/** A nested value: STRUCT, ARRAY, VARIANT, JSON. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/**
 * One cell. Values are exact: integers beyond 2^53 are `bigint`, decimals are strings, bytes are `Uint8Array`, dates
 * and times are ISO 8601 strings, nested values are JSON. Floating point numbers may be NaN or infinite.
 */
export type Value = null | boolean | number | bigint | string | Uint8Array | JsonValue;

/** A row, by position. */
export type Row = readonly Value[];

/** A statement parameter. */
export type Parameter = null | boolean | number | bigint | string | Uint8Array;
