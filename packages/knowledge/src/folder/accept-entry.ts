import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AskemaError, didYouMean } from '@askema/core';
import { chunkIds, chunksOf } from '../formats/chunks.ts';
import { readMarkdown } from '../formats/front-matter.ts';
import { fileName } from '../formats/ossie/write-ossie.ts';
import type { KnowledgeEntry } from '../model/entries.ts';
import { entryId, type Knowledge, type KnowledgeText, type VerifiedQuery } from '../model/knowledge.ts';
import { sameName } from '../model/same-name.ts';
import type { SemanticModel } from '../model/semantic-model.ts';
import { acceptedPlace, isProposal, type Standing } from '../model/standing.ts';
import { plainKey } from '../verified/plain-question.ts';
import { inTurn } from './in-turn.ts';
import type { LoadKnowledgeOptions } from './layout.ts';
import { folderIn, loadKnowledge } from './load-knowledge.ts';
import { markdown, textMatter, withMatter } from './markdown-text.ts';
import { ModelDocument, type ModelEntry } from './model-document.ts';
import { ownerOf, partId, partsOf, putParts, standingOf } from './put-parts.ts';
import { removeFile, replaceFile } from './replace-file.ts';
import { folderOf } from './write-proposals.ts';

interface Proposal {
  readonly id: string;
  /** Of a text: its id while others stood in its file. */
  readonly formerId?: string | undefined;
  readonly standing: Standing;
  readonly entry: KnowledgeEntry;
  accept(): Promise<string>;
}

/**
 * Moves an entry out of `proposals/`. It replaces the accepted one of its name; a field goes into its dataset, and a
 * dataset keeps the accepted fields that the proposal does not have. A text whose file holds other accepted texts goes
 * into one beside it.
 *
 * @param id See `entryId`: `metric:revenue`.
 * @param who Stands by it from now on: the owner where there is none, and who verified a query.
 * @param of Whose proposal it is, where several persons propose an entry of that id; empty for the one that everybody
 *   sees.
 * @param shown What who accepts has seen of it, as `listEntries` gives it: what is another by now is not accepted.
 * @returns The file in which it stands now, relative to the folder.
 * @throws AskemaError `KNOWLEDGE_INVALID` for an id that is not proposed, that failed its check or that has changed since
 *   it was shown, and for a field whose dataset is not accepted.
 */
export async function acceptEntry(
  path: string,
  id: string,
  who: string,
  at: Date = new Date(),
  of?: string,
  shown?: KnowledgeEntry,
): Promise<string> {
  const folder = folderIn(path);
  return inTurn(folder, '', () => acceptIn(folder, id, who, at, of, shown));
}

async function acceptIn(
  folder: string,
  id: string,
  who: string,
  at: Date,
  of: string | undefined,
  shown: KnowledgeEntry | undefined,
): Promise<string> {
  const read = async (options: LoadKnowledgeOptions): Promise<readonly Proposal[]> =>
    proposalsIn(folder, await loadKnowledge(folder, options), who, at);
  const wanted = await read(of ? { proposalsOf: of } : { allProposals: true });
  const [found, second] = wanted.filter(
    (each) => isCalled(each, id) && (of === undefined || (each.standing.by ?? '') === of),
  );
  if (found === undefined) {
    const proposals = await read({ allProposals: true });
    const ofId = proposals.filter((each) => isCalled(each, id));
    const hint = didYouMean(
      id,
      proposals.map((each) => each.id),
    );
    const others = ofId.length === 0 ? hint : `It is proposed by ${ofId.map(authorOf).join(', ')}.`;
    const whose = of === undefined ? '' : ` by ${of || 'everybody'}`;
    throw refused(`${id} is not proposed${whose} in ${folder}. ${others || 'See `askema knowledge list`.'}`);
  }
  if (second !== undefined)
    throw refused(
      found.standing.by === second.standing.by
        ? `${id} is proposed in ${found.standing.place.file} and ${second.standing.place.file}. Remove one of them.`
        : `${id} is proposed by ${authorOf(found)} and by ${authorOf(second)}. Say whose is meant: \`--of ${found.standing.by ?? second.standing.by}\`, or \`--of ''\` for the one that everybody sees.`,
    );
  if (found.standing.state === 'failed') throw refused(`${id} failed: ${found.standing.reason}`);
  if (shown !== undefined && contentOf(shown) !== contentOf(found.entry))
    throw refused(`${id} has changed since it was shown. Look at it again with \`askema knowledge diff\`.`);
  return found.accept();
}

function isCalled({ id, formerId }: Proposal, name: string): boolean {
  return sameName(id, name) || sameName(formerId, name);
}

/** What an entry says, with all that stands in it and wherever that is. */
function contentOf(entry: KnowledgeEntry): string {
  return JSON.stringify(entry, (key, value: unknown) => (key === 'standing' || key === 'id' ? undefined : value));
}

function authorOf({ standing }: Pick<Proposal, 'standing'>): string {
  return standing.by ?? 'nobody in particular';
}

function proposalsIn(folder: string, knowledge: Knowledge, who: string, at: Date): readonly Proposal[] {
  const all: Proposal[] = [
    ...knowledge.verifiedQueries.map((query) => ({
      id: entryId('query', query.id),
      standing: query.standing,
      entry: query,
      accept: () => acceptQuery(folder, knowledge, query, who, at),
    })),
    ...knowledge.texts.map((text) => ({
      id: entryId(text.kind, text.id),
      formerId: entryId(text.kind, `${text.id}#${text.title}`),
      standing: text.standing,
      entry: text,
      accept: () => acceptText(folder, knowledge, text, who),
    })),
    ...knowledge.models.flatMap((model) => [
      {
        id: entryId('model', model.name),
        standing: model.standing,
        entry: model,
        accept: () => acceptModel(folder, knowledge, model, who),
      },
      ...[...partsOf(model), ...fieldsOf(model)].map((part) => ({
        id: partId(part),
        standing: standingOf(part),
        entry: part.value,
        accept: () => acceptPart(folder, knowledge, model, part, who),
      })),
    ]),
  ];
  return all.filter(({ standing }) => isProposal(standing));
}

function fieldsOf({ datasets }: SemanticModel): readonly ModelEntry[] {
  return datasets.flatMap((dataset) => dataset.fields.map((value) => ({ kind: 'field', value, dataset }) as const));
}

async function acceptQuery(
  folder: string,
  { verifiedQueries }: Knowledge,
  query: VerifiedQuery,
  who: string,
  at: Date,
): Promise<string> {
  const from = query.standing.place.file;
  // The names of files of persons are made from questions: two may be alike.
  const isFree = (path: string): boolean =>
    query.standing.by === undefined ||
    verifiedQueries.every(
      ({ standing, question }) =>
        !isSamePath(standing.place.file, path) || plainKey(question) === plainKey(query.question),
    );
  const to = freePath(acceptedPlace(from), isFree);
  // Nobody proposes in the name of another.
  const { verifiedBy, verifiedAt } = query.standing.by === undefined ? query : {};
  const values = { verified_by: verifiedBy ?? who, verified_at: verifiedAt ?? at.toISOString() };
  await replaceFile(folder, to, withMatter(readFileSync(join(folder, from), 'utf8'), values));
  await removeFile(folder, from);
  return to;
}

/** A heading with what stands below it moves into a file of its own name; a whole file moves as it is. */
async function acceptText(folder: string, knowledge: Knowledge, text: KnowledgeText, who: string): Promise<string> {
  const from = text.standing.place.file;
  const file = readFileSync(join(folder, from), 'utf8');
  const { body } = readMarkdown(file, from);
  const name = acceptedPlace(from).replace(/^[^/]+\/|\.md$/g, '');
  const chunks = chunksOf(body);
  const owner = ownerOf(text.standing, who);
  if (chunks.length === 1) {
    const to = placeOf(acceptedPlace(from), knowledge, text);
    await replaceFile(folder, to, withMatter(file, { owner }));
    await removeFile(folder, from);
    return to;
  }
  const at = chunkIds(name, chunks).indexOf(text.id);
  const { start, end } = chunks[at] ?? { start: 0, end: 0 };
  const lines = body.split('\n');
  const to = placeOf(`${folderOf(text.kind)}/${fileName(text.id)}.md`, knowledge, text);
  const matter = textMatter({ ...text, standing: { ...text.standing, owner } });
  await replaceFile(folder, to, markdown(matter, lines.slice(start, end).join('\n')));
  const rest = [...lines.slice(0, start), ...lines.slice(end)].join('\n');
  await replaceFile(
    folder,
    from,
    file.slice(0, file.length - body.length) + (rest.endsWith('\n') ? rest : `${rest}\n`),
  );
  return to;
}

/** Where a text goes: into the file of the accepted one that it replaces, else where nothing else is accepted. */
function placeOf(wanted: string, { texts }: Knowledge, { id, title, standing: own }: KnowledgeText): string {
  const isFree = (path: string): boolean => {
    const there = texts.filter(({ standing }) => isSamePath(standing.place.file, path));
    // What a person proposes is named by its words, and is never meant to take the place of something accepted.
    const mayReplace = own.by === undefined && there.length === 1;
    return there.length === 0 || (mayReplace && (there[0]?.id === id || there[0]?.title === title));
  };
  return freePath(wanted, isFree);
}

function freePath(wanted: string, isFree: (path: string) => boolean): string {
  let path = wanted;
  for (let next = 2; !isFree(path); next += 1) path = wanted.replace(/\.md$/, `-${next}.md`);
  return path;
}

function isSamePath(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

async function acceptModel(folder: string, knowledge: Knowledge, model: SemanticModel, who: string): Promise<string> {
  const to = await putParts(folder, knowledge, model, partsOf(model), who);
  await removeFile(folder, model.standing.place.file);
  return to;
}

async function acceptPart(
  folder: string,
  knowledge: Knowledge,
  model: SemanticModel,
  part: ModelEntry,
  who: string,
): Promise<string> {
  const to = await putParts(folder, knowledge, model, [part], who);
  const from = model.standing.place.file;
  const remaining = partsOf(model).filter((each) => partId(each) !== partId(part));
  if (remaining.length === 0) await removeFile(folder, from);
  else {
    const document = new ModelDocument(folder, from, model);
    document.remove(part);
    await replaceFile(folder, from, document.text());
  }
  return to;
}

function refused(message: string): AskemaError {
  return new AskemaError('KNOWLEDGE_INVALID', message);
}
