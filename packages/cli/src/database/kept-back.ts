import type { RestrictOptions } from '@askema/lint';
import type { LoadedConfig } from '../config/load-config.ts';

/** What is hidden from everybody and masked in a database: by `restrict` of the configuration, and by flags. */
export function keptBack(
  address: string,
  { config }: LoadedConfig,
  flags: Pick<RestrictOptions, 'hide' | 'mask'> = {},
): { readonly hide: readonly string[]; readonly mask: readonly string[] } {
  const { restrict = {} } = config;
  const named = Object.hasOwn(restrict, address) ? restrict[address] : undefined;
  return {
    hide: [...(named?.hide ?? []), ...(flags.hide ?? [])],
    mask: [...(named?.mask ?? []), ...(flags.mask ?? [])],
  };
}
