import type { AttributeId, CompressedCatalog, CompressOptions, Compressor, RelationId } from '@askema/core';
import { countTokensRoughly } from '@askema/core';
import { contentWords } from '../words/content-words.ts';
import { splitWords } from '../words/split-words.ts';
import { composeText } from './compose-text.ts';
import { findRelations } from './find-relations.ts';
import { type Budget, type Fitted, fitBudget } from './fit-budget.ts';
import { type PreparedCatalog, prepareCatalog } from './prepared-catalog.ts';
import { presetText } from './presets.ts';
import { makeSheet, type Sheet } from './relation-sheet.ts';
import { FULL_DETAIL, type RemarkSource } from './remarks.ts';
import { writeSheet } from './write-block.ts';

/**
 * The default compressor: a catalog as prompt text, one CREATE TABLE of short lines for each relation. Names, types and
 * keys are never lost. Relations whose names differ in numbers or dates only, and large ones with the same columns, are
 * described once; relations with nearly the same columns are told as a difference. What is used of this notation is
 * explained in the first lines. It ends with what the catalog could not read.
 *
 * With `maxTokens` the text never counts more. Comments and values give way first, then columns of relations that the
 * question is not about, then these relations; what is left out is in `omitted` and `omittedAttributes`, and the text
 * says so.
 */
export const compress: Compressor = (catalog, options = {}) => {
  const prepared = prepareCatalog(catalog, options.dialect);
  const { samples = {}, wholeSamples, ranges } = options;
  const source: RemarkSource = { ...prepared.source, samples, wholeSamples, ranges };
  const count = options.countTokens ?? countTokensRoughly;
  const budget = makeBudget(options, count);
  const preset = options.preset ?? 'lossless';
  const fitted =
    preset === 'lossless'
      ? losslessText(prepared, source, budget)
      : presetText(source, prepared.sheets, preset, budget);
  return {
    text: fitted.text,
    tokens: count(fitted.text),
    families: prepared.families,
    ...findOmitted(prepared.sheets, fitted),
    expand: (name) => expand(source, name),
  } satisfies CompressedCatalog;
};

function losslessText(prepared: PreparedCatalog, source: RemarkSource, budget: Budget | undefined): Fitted & Hidden {
  if (budget !== undefined) return fitBudget(prepared, source, budget);
  const { sheets, brackets } = prepared;
  return { text: composeText(source, { shown: sheets, detail: FULL_DETAIL, brackets })(), shown: sheets };
}

interface Hidden {
  readonly hiddenAttributes?: readonly AttributeId[] | undefined;
}

function makeBudget(options: CompressOptions, count: Budget['count']): Budget | undefined {
  const { maxTokens, question = '', knowledge = '' } = options;
  if (maxTokens === undefined) return undefined;
  return { maxTokens, count, question, knowledge, isRelevant: sharesWord(question), isKnown: sharesWord(knowledge) };
}

/** A letter, as the `s` of a genitive, and a small number stand in too many names and values. */
const TELLS_NOTHING = /^(?:[a-z]|\d{1,2})$/;

/** True for text that has a word of this one. */
function sharesWord(of: string): (text: string) => boolean {
  const wanted = new Set([...contentWords(of)].filter((word) => !TELLS_NOTHING.test(word)));
  const known = new Map<string, boolean>();
  return (text) => {
    if (wanted.size === 0 || text === '') return false;
    const found = known.get(text) ?? splitWords(text).some((word) => wanted.has(word));
    known.set(text, found);
    return found;
  };
}

function findOmitted(
  sheets: readonly Sheet[],
  { shown, hiddenAttributes = [] }: Fitted & Hidden,
): Required<Pick<CompressedCatalog, 'omitted' | 'omittedAttributes'>> {
  const byId = new Map(shown.map((sheet) => [sheet.id, sheet]));
  const omitted: RelationId[] = [];
  const omittedAttributes: AttributeId[] = [...hiddenAttributes];
  for (const sheet of sheets) {
    const found = byId.get(sheet.id);
    if (found === undefined) omitted.push(sheet.id);
    else if (found.columns.length < sheet.columns.length) {
      const kept = new Set(found.columns.map(({ id }) => id));
      for (const { id } of sheet.columns) if (!kept.has(id)) omittedAttributes.push(id);
    }
  }
  return { omitted, omittedAttributes };
}

function expand(source: RemarkSource, name: string): string | undefined {
  const found = findRelations(source, name);
  if (found.length === 0) return undefined;
  return found.map((id) => writeSheet(source, makeSheet(source, id))).join('\n\n');
}
