import type { LoadedConfig } from '../config/load-config.ts';
import { parseCount } from './parse-count.ts';

/**
 * `--max-schema-tokens`, else `defaults.maxSchemaTokens` of the configuration; nothing where neither is given.
 *
 * @throws AskemaError `INPUT_INVALID` for an invalid count.
 */
export function readSchemaTokens(
  flag: string | undefined,
  { config }: LoadedConfig,
): { readonly maxSchemaTokens?: number } {
  const maxSchemaTokens =
    flag === undefined ? config.defaults?.maxSchemaTokens : parseCount(flag, '--max-schema-tokens');
  return maxSchemaTokens === undefined ? {} : { maxSchemaTokens };
}
