import { existsSync } from 'node:fs';
import { AskemaError } from '@askema/core';
import { inTurn } from '../folder/in-turn.ts';
import { folderIn, loadKnowledge } from '../folder/load-knowledge.ts';
import { personFolder } from '../folder/person-folder.ts';
import { usableKnowledge } from '../folder/usable-knowledge.ts';
import { slugOf } from '../formats/entry-slug.ts';
import { fileName } from '../formats/ossie/write-ossie.ts';
import type { Knowledge, VerifiedQuery } from '../model/knowledge.ts';
import { listEntries } from '../model/list-entries.ts';
import type { Metric } from '../model/semantic-model.ts';

/** A folder of knowledge as one person sees it who teaches it something. */
export interface OwnKnowledge {
  /** Where files stand. */
  readonly folder: string;
  /** Where this person's proposals stand, relative to the folder. */
  readonly ownFolder: string;
  /** With the person's own proposals. */
  readonly knowledge: Knowledge;
  /** What is accepted and did not fail. */
  readonly accepted: Knowledge;
  readonly ownQueries: readonly VerifiedQuery[];
}

/** More that wait for somebody to accept them are of no use, and could fill a disk. */
const MAX_OWN = 1_000;

/**
 * Changes what one person proposes, while nobody else does.
 *
 * @throws AskemaError `INPUT_INVALID` for what is no name, `KNOWLEDGE_INVALID` as `loadKnowledge` and `inTurn` do.
 */
export async function changeOwn<T>(path: string, by: string, change: (own: OwnKnowledge) => Promise<T>): Promise<T> {
  const ownFolder = personFolder(by);
  const folder = folderIn(path);
  // No folder is made where there was none.
  if (!existsSync(folder)) return change(await openOwn(path, by));
  return inTurn(folder, ownFolder, async () => change(await openOwn(path, by)));
}

/** @throws AskemaError `INPUT_INVALID` for what is no name, `KNOWLEDGE_INVALID` as `loadKnowledge` does. */
export async function openOwn(path: string, by: string): Promise<OwnKnowledge> {
  const ownFolder = personFolder(by);
  const folder = folderIn(path);
  const knowledge = await loadKnowledge(folder, { proposalsOf: by });
  const ownQueries = knowledge.verifiedQueries.filter(({ standing }) => standing.by === by);
  return { folder, ownFolder, knowledge, accepted: usableKnowledge(knowledge).knowledge, ownQueries };
}

/** @throws AskemaError `INPUT_INVALID` where a person has so many proposals that nobody looks at more. */
export function checkRoom({ knowledge }: OwnKnowledge, by: string): void {
  const own = listEntries(knowledge).filter(({ standing }) => standing.by === by).length;
  if (own >= MAX_OWN)
    throw new AskemaError(
      'INPUT_INVALID',
      `${own} proposals of ${by} wait already. Accept some with \`askema knowledge accept\`, or remove their files.`,
    );
}

/** An id made from words, of which there is no other, accepted or one's own. */
export function freeId(words: string, taken: readonly string[]): string {
  const wanted = fileName(slugOf(words, 'unnamed'));
  const used = new Set(taken.map((id) => id.toLowerCase()));
  let id = wanted;
  for (let next = 2; used.has(id.toLowerCase()); next += 1) id = `${wanted}-${next}`;
  return id;
}

/** Who stands by an accepted entry, where that is written. */
export function voucherOf(entry: VerifiedQuery | Metric): string | undefined {
  return ('verifiedBy' in entry ? entry.verifiedBy : undefined) ?? entry.standing.owner;
}
