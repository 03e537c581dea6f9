import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Adapter, AskemaError, createCallContext, type ValueIndex } from '@askema/core';
import type { OpenMeaning } from './open-meaning.ts';

/** A look-up takes milliseconds; one that takes longer than this reads a file that somebody else has made. */
const MAX_LOOKUP_MS = 10_000;

/** What the file of an index is called beside other files. */
export const VALUES_ENDING = '.values.sqlite';

/** Where an index is looked for, and how it is read. */
export interface ValuesPlace {
  readonly cwd: string;
  readonly signal: AbortSignal;
  /** Of each look-up. */
  readonly timeoutMs?: number | undefined;
  /** Undefined: no model is asked, and cells are looked up by spelling alone. */
  readonly meaning?: OpenMeaning | undefined;
}

/**
 * Opens the index of `--value-index` for the database of an adapter, of which the schema is read to tell what in the
 * index is out of date.
 *
 * @throws AskemaError `INPUT_INVALID` when there is no such file; `CONFIG_INVALID` for the index of another database;
 * what the file is wrong in otherwise.
 */
export async function openValues(
  file: string,
  adapter: Adapter,
  { cwd, signal, timeoutMs, meaning }: ValuesPlace,
): Promise<ValueIndex> {
  const path = resolve(cwd, file);
  if (!existsSync(path))
    throw new AskemaError(
      'INPUT_INVALID',
      `--value-index ${file} is not there. Build it with: askema index DATABASE --out ${file}`,
    );
  const { openValueIndex } = await import('@askema/value-index');
  const catalog = adapter.introspect({ context: createCallContext({ signal }) });
  return openValueIndex(path, {
    catalog,
    embeddings: meaning,
    signal,
    timeoutMs: Math.min(timeoutMs ?? MAX_LOOKUP_MS, MAX_LOOKUP_MS),
  });
}
