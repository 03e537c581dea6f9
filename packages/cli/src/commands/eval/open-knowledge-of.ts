import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { AskemaError, type KnowledgeSource } from '@askema/core';
import { linkOutOf } from '@askema/core/node';
import { databasePathProblem } from '@askema/eval';

/** The knowledge that questions of a dataset are asked with. */
export interface KnowledgeOfDatabases {
  /** By the id of the database. */
  readonly sources: ReadonlyMap<string, KnowledgeSource>;
  /** Of what is used: another one is another run. */
  readonly fingerprint: string;
}

/**
 * Reads a folder of knowledge, which has a `knowledge.yml` and holds for all databases, or a folder with such a folder
 * for each database, by its id. A verified query neither answers its own question nor is shown for it.
 *
 * @throws AskemaError `INPUT_INVALID` where there is neither, or a link leads out of the folder; as `loadKnowledge` does.
 */
export async function openKnowledgeOf(
  place: string,
  databases: Readonly<Record<string, unknown>>,
  cwd: string,
): Promise<KnowledgeOfDatabases> {
  const folder = resolve(cwd, place);
  const { createKnowledge, loadKnowledge, usableKnowledge } = await import('@askema/knowledge');
  const sources = new Map<string, KnowledgeSource>();
  const hash = createHash('sha256');
  const read = async (from: string, ids: readonly string[]): Promise<void> => {
    const knowledge = await loadKnowledge(from);
    const { models, texts, verifiedQueries } = usableKnowledge(knowledge).knowledge;
    hash.update(JSON.stringify([ids, models, texts, verifiedQueries]));
    const source = createKnowledge(knowledge, { leaveOutAsked: true });
    for (const id of ids) sources.set(id, source);
  };
  const ids = Object.keys(databases).sort();
  if (existsSync(join(folder, 'knowledge.yml'))) await read(folder, ids);
  else for (const id of ids.filter((each) => isWithin(folder, each))) await read(join(folder, id), [id]);
  if (sources.size === 0)
    throw new AskemaError(
      'INPUT_INVALID',
      `${folder} has no knowledge.yml, and no folder that is called like a database of the dataset: ${ids.slice(0, 5).join(', ')}. Name a folder of knowledge, or one that holds such a folder for each database.`,
    );
  return { sources, fingerprint: hash.digest('hex').slice(0, 12) };
}

function isWithin(folder: string, id: string): boolean {
  if (databasePathProblem(id) !== undefined || !existsSync(join(folder, id))) return false;
  const link = linkOutOf(folder, join(folder, id));
  if (link !== undefined) throw new AskemaError('INPUT_INVALID', link);
  return true;
}
