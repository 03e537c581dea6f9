import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readMarkdown } from '../formats/front-matter.ts';
import { fileName } from '../formats/ossie/write-ossie.ts';
import type { VerifiedQuery } from '../model/knowledge.ts';
import type { SemanticModel } from '../model/semantic-model.ts';
import { inTurn } from './in-turn.ts';
import { folderIn, loadKnowledge } from './load-knowledge.ts';
import { markdown, queryMatter, withMatter } from './markdown-text.ts';
import type { ModelEntry } from './model-document.ts';
import { putParts, standingOf } from './put-parts.ts';
import { replaceFile } from './replace-file.ts';

/** What is written: a verified query, or an entry of the model of this name, which is made where there is none. */
export type WrittenEntry =
  | { readonly kind: 'query'; readonly value: VerifiedQuery }
  | (ModelEntry & { readonly model: string });

/**
 * Adds an accepted entry to a folder of knowledge, or replaces the one of its name. Comments and whatever else stands in
 * the file stay.
 *
 * @returns The file in which it stands, relative to the folder.
 * @throws AskemaError `KNOWLEDGE_INVALID` for a field whose dataset is not there.
 */
export async function putEntry(path: string, entry: WrittenEntry): Promise<string> {
  const folder = folderIn(path);
  return inTurn(folder, '', () => putInto(folder, entry));
}

async function putInto(folder: string, entry: WrittenEntry): Promise<string> {
  if (entry.kind === 'query') return putQuery(folder, entry.value);
  const { model: name, ...part } = entry;
  const model: SemanticModel = {
    name,
    datasets: [],
    relationships: [],
    metrics: [],
    filters: [],
    extensions: [],
    standing: standingOf(part),
  };
  return putParts(folder, await loadKnowledge(folder), model, [part], undefined);
}

async function putQuery(folder: string, query: VerifiedQuery): Promise<string> {
  const path = `sql/${query.id.split('/').map(fileName).join('/')}.md`;
  const matter = queryMatter(query);
  const before = existsSync(join(folder, path)) ? readFileSync(join(folder, path), 'utf8') : undefined;
  const old = before === undefined ? undefined : readMarkdown(before, path);
  // SQL in a block of the body would stay there, beside the new one.
  const isKept = old?.matter.sql !== undefined && old.body.trim() === (query.notes ?? '');
  const text = before !== undefined && isKept ? withMatter(before, matter) : markdown(matter, query.notes ?? '');
  await replaceFile(folder, path, text);
  return path;
}
