import type {
  AttributeId,
  Catalog,
  CompressedCatalog,
  CompressOptions,
  Compressor,
  RelationId,
  TableFamily,
} from '@askema/core';
import { countTokensRoughly, indexSchema } from '@askema/core';
import { splitWords } from '../words/split-words.ts';
import { composeText } from './compose-text.ts';
import { findFamilies } from './find-families.ts';
import { findRelations } from './find-relations.ts';
import { type Budget, type Fitted, fitBudget } from './fit-budget.ts';
import { presetText } from './presets.ts';
import { questionWords } from './rank-families.ts';
import { makeSheet, type Sheet } from './relation-sheet.ts';
import { FULL_DETAIL, type RemarkSource } from './remarks.ts';
import { STANDARD_IDENTIFIERS, STANDARD_LEXER } from './standard-identifiers.ts';
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
  const source = makeSource(catalog, options);
  const sheets = catalog.schema.relations.map(({ id }) => makeSheet(source, id));
  const count = options.countTokens ?? countTokensRoughly;
  const budget = makeBudget(options, count);
  const preset = options.preset ?? 'lossless';
  const fitted =
    preset === 'lossless' ? losslessText(source, sheets, budget) : presetText(source, sheets, preset, budget);
  return {
    text: fitted.text,
    tokens: count(fitted.text),
    families: withKnownFamilies(catalog, sheets),
    ...findOmitted(sheets, fitted),
    expand: (name) => expand(source, name),
  } satisfies CompressedCatalog;
};

function losslessText(source: RemarkSource, sheets: readonly Sheet[], budget: Budget | undefined): Fitted & Hidden {
  if (budget !== undefined) return fitBudget(source, sheets, budget);
  const selection = { shown: sheets, unshown: [], nameCharacters: 0, detail: FULL_DETAIL };
  return { text: composeText(source, selection), shown: sheets };
}

interface Hidden {
  readonly hiddenAttributes?: readonly AttributeId[] | undefined;
}

function makeBudget(options: CompressOptions, count: Budget['count']): Budget | undefined {
  const { maxTokens, question = '', knowledge = '' } = options;
  if (maxTokens === undefined) return undefined;
  const wanted = questionWords(question);
  const isRelevant = (text: string): boolean => wanted.size > 0 && splitWords(text).some((word) => wanted.has(word));
  return { maxTokens, count, question, knowledge, isRelevant };
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
      const kept = new Set(found.columns);
      for (const column of sheet.columns) if (!kept.has(column)) omittedAttributes.push(column.id);
    }
  }
  return { omitted, omittedAttributes };
}

/** Families that the introspector knows come first; names are only looked at where it said nothing. */
function withKnownFamilies(catalog: Catalog, sheets: readonly Sheet[]): readonly TableFamily[] {
  if (catalog.families.length === 0) return findFamilies(sheets);
  const known = new Set(catalog.families.flatMap(({ members }) => members));
  return [...catalog.families, ...findFamilies(sheets.filter(({ id }) => !known.has(id)))];
}

function expand(source: RemarkSource, name: string): string | undefined {
  const found = findRelations(source, name);
  if (found.length === 0) return undefined;
  return found.map((id) => writeSheet(source, makeSheet(source, id))).join('\n\n');
}

function makeSource(catalog: Catalog, options: CompressOptions): RemarkSource {
  const uniqueKeys = new Map<RelationId, (readonly AttributeId[])[]>();
  for (const key of catalog.uniqueKeys) {
    if (key.attributes.length < 2) continue;
    const keys = uniqueKeys.get(key.relation);
    if (keys === undefined) uniqueKeys.set(key.relation, [key.attributes]);
    else keys.push(key.attributes);
  }
  const checks = new Map<RelationId, string[]>();
  for (const { relation, expression } of catalog.checks) {
    const expressions = checks.get(relation);
    if (expressions === undefined) checks.set(relation, [expression]);
    else expressions.push(expression);
  }
  const dialect = options.dialect ?? { identifiers: standardIdentifiers(catalog), lexer: STANDARD_LEXER };
  const index = indexSchema(catalog);
  return { catalog, index, dialect, samples: options.samples ?? {}, uniqueKeys, checks, names: new Map() };
}

/** Where stored names compare exactly, an unquoted name may be folded either way: all are quoted. */
const QUOTE_ALL = { ...STANDARD_IDENTIFIERS, plainPattern: '(?!)' };

function standardIdentifiers({
  nameComparison,
  relationComparison = nameComparison,
}: Catalog): typeof STANDARD_IDENTIFIERS {
  return nameComparison === 'insensitive' && relationComparison === 'insensitive' ? STANDARD_IDENTIFIERS : QUOTE_ALL;
}
