import type { AttributeId } from '../schema/schema.ts';
import type { Sheet, SheetColumn, SheetSource } from './relation-sheet.ts';
import type { RemarkSource } from './remarks.ts';

/** Relevant columns that a shortened relation keeps beside its keys. */
const MAX_RELEVANT = 24;
/** With fewer relevant columns the first ones of the relation are shown up to this number: they tell what a row is. */
const MIN_COLUMNS = 8;

/**
 * A relation with its keys, the columns that share a word with the question, and a few of its first columns. The others are
 * counted in `hidden`. A relation of few columns stays as it is.
 */
export function shortenSheet(source: RemarkSource, sheet: Sheet, isRelevant: (text: string) => boolean): Sheet {
  if (sheet.columns.length <= MIN_COLUMNS) return sheet;
  const keys = keyAttributes(source, sheet);
  const scored = sheet.columns
    .map((column, position) => ({ column, position, score: relevance(source, column, isRelevant) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.position - b.position)
    .slice(0, MAX_RELEVANT);
  const kept = new Set<SheetColumn>(scored.map(({ column }) => column));
  for (const column of sheet.columns) if (keys.has(column.id)) kept.add(column);
  for (const column of sheet.columns) {
    if (kept.size >= MIN_COLUMNS) break;
    kept.add(column);
  }
  if (kept.size >= sheet.columns.length) return sheet;
  return {
    ...sheet,
    columns: sheet.columns.filter((column) => kept.has(column)),
    hidden: sheet.columns.length - kept.size,
  };
}

function keyAttributes({ index, uniqueKeys }: SheetSource, { id, columns }: Sheet): Set<AttributeId> {
  const keys = new Set<AttributeId>(index.primaryKey(id)?.attributes);
  for (const key of index.foreignKeysFrom(id)) for (const { from } of key.pairs) keys.add(from);
  for (const key of index.foreignKeysTo(id)) for (const { to } of key.pairs) keys.add(to);
  for (const attributes of uniqueKeys.get(id) ?? []) for (const attribute of attributes) keys.add(attribute);
  for (const column of columns) if (index.isUnique(column.id)) keys.add(column.id);
  return keys;
}

/** A name says more than a comment or a value. */
function relevance(
  { catalog, index, samples }: RemarkSource,
  column: SheetColumn,
  isRelevant: (text: string) => boolean,
): number {
  const name = index.attribute(column.id)?.name ?? '';
  const info = catalog.attributes[column.id];
  const values = Object.hasOwn(samples, column.id) ? (samples[column.id] ?? []) : [];
  return (
    (isRelevant(name) ? 4 : 0) +
    (isRelevant(info?.comment ?? '') ? 2 : 0) +
    (values.some((value) => typeof value === 'string' && isRelevant(value)) ? 1 : 0) +
    ((info?.nestedFields ?? []).some(({ path }) => isRelevant(path.join(' '))) ? 2 : 0)
  );
}
