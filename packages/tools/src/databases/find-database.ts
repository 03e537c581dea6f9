import { AskemaError, didYouMean, invalidOption, nearestNames } from '@askema/core';
import { z } from 'zod';
import type { ToolDatabase } from '../contract.ts';

export interface FoundDatabase extends ToolDatabase {
  readonly name: string;
}

/** The databases of one caller. */
export interface Databases {
  /** The input field `database`; nothing where there is only one. */
  readonly field: { readonly database: z.ZodType<string | undefined> };
  readonly names: readonly string[];
  readonly titles: Readonly<Record<string, string | undefined>>;
  readonly all: Readonly<Record<string, ToolDatabase>>;
  /** The only one; undefined where there are several. */
  readonly only: FoundDatabase | undefined;
  /** @throws AskemaError `INPUT_INVALID` for a name that is not there, with the nearest. */
  find(name: string | undefined): FoundDatabase;
}

/** Names that a description and a message list. */
const MAX_LISTED = 20;

/**
 * @throws AskemaError `CONFIG_INVALID` where there is none, and for one that is opened for writing: the hints of the
 * tools say that they only read.
 */
export function namedDatabases(given: Readonly<Record<string, ToolDatabase>>): Databases {
  const names = Object.keys(given);
  const [first] = names;
  if (first === undefined) throw invalidOption('`databases` is empty: give one, as `{ shop: { text2sql, adapter } }`.');
  for (const name of names)
    if (given[name]?.adapter.access === 'write')
      throw invalidOption(
        `\`databases.${name}\` is opened for writing, and tools only read: open it with access 'read'.`,
      );
  const listed = `${names.slice(0, MAX_LISTED).join(', ')}${names.length > MAX_LISTED ? ', …' : ''}`;
  const found = (name: string): FoundDatabase => ({ ...(given[name] as ToolDatabase), name });
  return {
    // What an input does not have reads as undefined.
    field: (names.length === 1 ? {} : { database: z.string().describe(`One of: ${listed}`) }) as Databases['field'],
    names,
    titles: Object.fromEntries(Object.entries(given).map(([name, { title }]) => [name, title])),
    all: given,
    only: names.length === 1 ? found(first) : undefined,
    find(name) {
      if (name === undefined && names.length === 1) return found(first);
      if (name !== undefined && Object.hasOwn(given, name)) return found(name);
      const nearest = nearestNames(name ?? '', names);
      const hint = nearest.length > 0 ? didYouMean(name ?? '', names) : `There are: ${listed}.`;
      const problem = name === undefined ? '`database` is missing.' : `There is no database ${JSON.stringify(name)}.`;
      throw new AskemaError('INPUT_INVALID', `${problem} ${hint}`, { details: { nearestNames: nearest } });
    },
  };
}
