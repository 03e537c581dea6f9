import { basename, extname } from 'node:path';
import { AskemaError } from '@askema/core';
import type { LoadedConfig } from '../config/load-config.ts';
import { withoutUserInfo } from '../terminal/printable.ts';
import { schemeOf } from './scheme-of.ts';

/** A database, and what it is called where there are several. */
export interface NamedDatabase {
  readonly name: string;
  readonly address: string;
}

/** What a conversation of `@askema/text2sql` takes as a name. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{N}_.-]{0,39}$/u;

/**
 * What databases are called: as `NAME=DATABASE` says, as the configuration calls them, else by the file without its
 * ending, or the last part of the address.
 *
 * @throws AskemaError `INPUT_INVALID` for two of one name.
 */
export function nameDatabases(written: readonly string[], { config }: LoadedConfig): readonly NamedDatabase[] {
  const named = written.map((word): NamedDatabase => {
    const [, name = '', address] = /^([^=]*)=(.+)$/.exec(word) ?? [];
    if (NAME.test(name) && address !== undefined) return { name, address };
    const isCalledSo = Object.hasOwn(config.databases ?? {}, word) && NAME.test(word);
    return { name: isCalledSo ? word : nameOf(word), address: word };
  });
  for (const [at, { name, address }] of named.entries()) {
    const other = named.slice(0, at).find((one) => one.name === name);
    if (other === undefined) continue;
    const both = withoutUserInfo(`${other.address} and ${address}`);
    throw new AskemaError(
      'INPUT_INVALID',
      `Two databases are called \`${name}\`: ${both}. Name one of them otherwise: other=${withoutUserInfo(address)}`,
    );
  }
  return named;
}

/** A name for a database, by the file without its ending, or the last part of the address. */
export function nameOf(address: string): string {
  const path = schemeOf(address) === undefined ? address : address.replace(/[?#].*$/s, '');
  const last = basename(path.replaceAll('\\', '/'));
  const name = basename(last, extname(last))
    .replaceAll(/[^\p{L}\p{N}_.-]+/gu, '-')
    .replace(/^[^\p{L}\p{N}]+/u, '');
  return name === '' ? 'database' : [...name].slice(0, 40).join('');
}
