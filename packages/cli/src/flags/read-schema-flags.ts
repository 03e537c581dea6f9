import { COMPRESSIONS, type Compression } from '@askema/core';
import type { LoadedConfig } from '../config/load-config.ts';
import { oneOf } from './one-of.ts';
import { parseCount } from './parse-count.ts';

/** How the schema stands in prompts. */
export interface SchemaFlags {
  readonly maxSchemaTokens?: string | undefined;
  readonly compression?: string | undefined;
}

/**
 * `--max-schema-tokens`, else `defaults.maxSchemaTokens` of the configuration, and `--compression`; only what is given.
 *
 * @throws AskemaError `INPUT_INVALID` for an invalid count, and an unknown compression.
 */
export function readSchemaFlags(
  { maxSchemaTokens: tokens, compression }: SchemaFlags,
  { config }: LoadedConfig,
): { readonly maxSchemaTokens?: number; readonly compression?: Compression } {
  const maxSchemaTokens =
    tokens === undefined ? config.defaults?.maxSchemaTokens : parseCount(tokens, '--max-schema-tokens');
  return {
    ...(maxSchemaTokens === undefined ? {} : { maxSchemaTokens }),
    ...(compression === undefined ? {} : { compression: oneOf('--compression', compression, COMPRESSIONS) }),
  };
}
