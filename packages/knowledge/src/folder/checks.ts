import { createHash } from 'node:crypto';
import { AskemaError } from '@askema/core';
import type { z } from 'zod';
import { type KnowledgeEntry, ownParts } from '../model/entries.ts';
import { CHECKS } from './knowledge-files.ts';
import { CHECKS_FILE, readOwnFile } from './layout.ts';
import { replaceFile } from './replace-file.ts';

/** What the last check found: `checks.json`. Entries by their ids. */
export type KnowledgeChecks = z.infer<typeof CHECKS>;

/** The SHA-256 of what an entry says, in hexadecimal: the same wherever and in whatever order it is written. */
export function entryHash(entry: KnowledgeEntry): string {
  return createHash('sha256')
    .update(JSON.stringify(ownParts(entry), sortedKeys))
    .digest('hex');
}

function sortedKeys(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * What the last check of a folder found; undefined where there was none.
 *
 * @throws AskemaError `KNOWLEDGE_INVALID` for a file that is no longer as it was written.
 */
export function readChecks(folder: string): KnowledgeChecks | undefined {
  const text = readOwnFile(folder, CHECKS_FILE);
  if (text === undefined) return undefined;
  try {
    return CHECKS.parse(JSON.parse(text));
  } catch (thrown) {
    throw new AskemaError(
      'KNOWLEDGE_INVALID',
      `${CHECKS_FILE} cannot be read, so what failed the last check is not known. Remove it and run \`askema knowledge check\`.`,
      { cause: thrown, details: { file: CHECKS_FILE } },
    );
  }
}

/** Keeps what a check found, for `loadKnowledge` to mark what failed. */
export async function writeChecks(folder: string, checks: KnowledgeChecks): Promise<void> {
  await replaceFile(folder, CHECKS_FILE, `${JSON.stringify(checks, undefined, 2)}\n`);
}
