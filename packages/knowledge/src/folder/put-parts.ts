import { AskemaError } from '@askema/core';
import { fileName, writeOssie } from '../formats/ossie/write-ossie.ts';
import { mapLists } from '../model/entries.ts';
import { entryId, type Knowledge } from '../model/knowledge.ts';
import { sameName } from '../model/same-name.ts';
import type { Dataset, SemanticModel } from '../model/semantic-model.ts';
import { isProposal, type Standing } from '../model/standing.ts';
import { ModelDocument, type ModelEntry } from './model-document.ts';
import { replaceFile } from './replace-file.ts';

/** Everything of a model that has a state of its own. */
export function partsOf(model: SemanticModel): readonly ModelEntry[] {
  return [
    ...model.datasets.map((value) => ({ kind: 'dataset', value }) as const),
    ...model.relationships.map((value) => ({ kind: 'relationship', value }) as const),
    ...model.metrics.map((value) => ({ kind: 'metric', value }) as const),
    ...model.filters.map((value) => ({ kind: 'filter', value }) as const),
  ];
}

/** Of a field, that of its dataset. */
export function standingOf(part: ModelEntry): Standing {
  return part.kind === 'field' ? part.dataset.standing : part.value.standing;
}

export function partId(part: ModelEntry): string {
  return entryId(part.kind, part.kind === 'field' ? `${part.dataset.name}.${part.value.name}` : part.value.name);
}

interface OpenFile {
  readonly model: SemanticModel;
  readonly document: ModelDocument;
}

/**
 * Puts entries into the accepted models that have them, or else into that of the name of `from`, which is made where
 * there is none.
 *
 * @param who Their owner where there is none.
 * @returns The file of the last one, relative to the folder.
 */
export async function putParts(
  folder: string,
  knowledge: Knowledge,
  from: SemanticModel,
  parts: readonly ModelEntry[],
  who: string | undefined,
): Promise<string> {
  const accepted = knowledge.models.filter(({ standing }) => !isProposal(standing));
  const files = new Map<string, OpenFile>();
  const open = async (model: SemanticModel | undefined): Promise<string> => {
    const file = model?.standing.place.file ?? `models/${fileName(from.name)}.ossie.yaml`;
    if (files.has(file)) return file;
    const target = model ?? mapLists(from, () => []);
    if (model === undefined) await replaceFile(folder, file, writeOssie(target).files[0]?.text ?? '');
    const document = new ModelDocument(folder, file, target, from.metrics);
    files.set(file, { model: target, document });
    return file;
  };
  const named = accepted.find(({ name }) => sameName(name, from.name));
  let last = parts.length === 0 ? await open(named) : '';
  for (const part of parts) {
    const holder = holderOf(accepted, part);
    if (part.kind === 'field' && holder === undefined)
      throw new AskemaError(
        'KNOWLEDGE_INVALID',
        `${partId(part)} needs its dataset. Accept ${entryId('dataset', part.dataset.name)} first.`,
      );
    last = await open(holder ?? named);
    const target = files.get(last);
    target?.document.put(owned(part, who, target.model));
  }
  for (const [file, { document }] of files) await replaceFile(folder, file, document.text());
  return last;
}

/** The model that has an entry of this name, or the dataset of a field. */
function holderOf(models: readonly SemanticModel[], part: ModelEntry | undefined): SemanticModel | undefined {
  if (part === undefined) return undefined;
  const id = part.kind === 'field' ? entryId('dataset', part.dataset.name) : partId(part);
  return models.find((model) => partsOf(model).some((each) => sameName(partId(each), id)));
}

/** What a person proposes names no other as its owner. */
export function ownerOf({ by, owner }: Standing, who: string | undefined): string | undefined {
  return by === undefined ? (owner ?? who) : who;
}

/** With who accepted it as its owner, and a dataset with the fields that it had. */
function owned(part: ModelEntry, who: string | undefined, model: SemanticModel): ModelEntry {
  if (part.kind === 'field') return part;
  const standing = { ...part.value.standing, owner: ownerOf(part.value.standing, who) };
  if (part.kind !== 'dataset') return { ...part, value: { ...part.value, standing } } as ModelEntry;
  const old = model.datasets.find(({ name }) => sameName(name, part.value.name));
  const fields = [
    ...(old?.fields ?? []).map((field) => part.value.fields.find(({ name }) => sameName(name, field.name)) ?? field),
    ...part.value.fields.filter(({ name }) => old?.fields.every((field) => !sameName(name, field.name)) ?? true),
  ];
  const value: Dataset = { ...part.value, fields, standing };
  return { kind: 'dataset', value };
}
