import type { AttributeId, RelationId, Value } from '@askema/core';
import { oneLine, quoteString } from '@askema/core';
import { fieldPath, keyStanding, type SheetColumn, type SheetSource, typeTells } from './relation-sheet.ts';

/** Lengths beyond which text of the database is cut. */
const COMMENT_CHARACTERS = 240;
const SAMPLE_CHARACTERS = 40;
const SAMPLES_CHARACTERS = 160;

/** How much is said beyond names, types and keys. */
export interface Detail {
  /** Longer comments are cut. */
  readonly commentCharacters: number;
  /** Values shown behind an attribute, in characters. */
  readonly samplesCharacters: number;
  /** With a question: true for text that shares a word with it. Values that do come first. */
  readonly isRelevant?: ((text: string) => boolean) | undefined;
  /** Only relevant comments and values are shown. */
  readonly onlyRelevant: boolean;
}

/** Everything, each comment and value list cut on its own. */
export const FULL_DETAIL: Detail = {
  commentCharacters: COMMENT_CHARACTERS,
  samplesCharacters: SAMPLES_CHARACTERS,
  onlyRelevant: false,
};

/** Nothing beyond names, types and keys. */
export const NO_DETAIL: Detail = { commentCharacters: 0, samplesCharacters: 0, onlyRelevant: true };

/** What remarks are made of. */
export interface RemarkSource extends SheetSource {
  readonly samples: Readonly<Record<AttributeId, readonly Value[]>>;
  /** Attributes that have no other values than their samples. */
  readonly wholeSamples?: ReadonlySet<AttributeId> | undefined;
  /** The least and the greatest value of an attribute. */
  readonly ranges?: Readonly<Record<AttributeId, readonly [Value, Value]>> | undefined;
}

/** What stands behind the name of a relation: its comment, and what a warehouse wants to know. */
export function relationRemark(source: RemarkSource, relation: RelationId, detail: Detail): string {
  const { catalog, index } = source;
  const info = catalog.relations[relation];
  const parts = info?.partitioning;
  const by = parts?.attributes.map((id) => index.attribute(id)?.name ?? id).join(', ') ?? '';
  const partitioning =
    parts === undefined
      ? ''
      : oneLine(`${parts.kind === 'partition' ? 'partitioned' : 'clustered'} by ${by}`, COMMENT_CHARACTERS);
  const filter = parts?.filterRequired ? 'every query must filter on it' : '';
  const key = index.primaryKey(relation);
  const standing = keyStanding(catalog, relation);
  const soleKey =
    key?.attributes.length === 1 && standing !== ''
      ? `key ${oneLine(index.attribute(key.attributes[0] ?? '')?.name ?? '')} (${standing})`
      : '';
  return joinRemarks(comment(info?.comment, detail), soleKey, partitioning, filter);
}

/** `1,204 rows`, `about 1,200 rows`; empty where nobody knows. */
export function rowsRemark({ catalog }: RemarkSource, relation: RelationId): string {
  const { rowCount, rowCountExact } = catalog.relations[relation] ?? {};
  if (rowCount === undefined) return '';
  const about = rowCountExact === true ? '' : 'about ';
  return rowCount === 0 && rowCountExact === true
    ? 'no rows'
    : `${about}${rowCount.toLocaleString('en-US')} ${rowCount === 1 ? 'row' : 'rows'}`;
}

/** What stands behind an attribute. */
export function columnRemark(source: RemarkSource, attribute: AttributeId, detail: Detail): string {
  const info = source.catalog.attributes[attribute];
  const generated = info?.generated === undefined || info.generated === 'identity' ? '' : 'generated';
  return joinRemarks(comment(info?.comment, detail), generated, sampleRemark(source, attribute, detail));
}

/** Lines below an attribute: fields that its type does not tell, and those with a comment. */
export function fieldLines(source: RemarkSource, column: SheetColumn, detail: Detail): string[] {
  const nested = source.catalog.attributes[column.id]?.nestedFields ?? [];
  if (nested.length === 0) return [];
  const attribute = source.index.attribute(column.id)?.name ?? column.name;
  const lines: string[] = [];
  let silent: string[] = [];
  const flush = (): void => {
    if (silent.length > 0) lines.push(silent.join(', '));
    silent = [];
  };
  for (const { path, nativeType, comment: text } of nested) {
    const said = comment(text, detail);
    const field = fieldPath(attribute, path);
    if (said === '') {
      if (!typeTells(column.type, path)) silent.push(oneLine(`${field} ${nativeType}`));
      continue;
    }
    flush();
    // The type of an inner node repeats those of its fields.
    const type = nativeType.length > 40 && typeTells(column.type, path) ? '' : ` ${nativeType}`;
    lines.push(joinRemarks(oneLine(`${field}${type}`), said));
  }
  flush();
  return lines;
}

/** `one of 'F', 'T'` where these are all, `e.g. 'Ann'` or `3 to 80` elsewhere; then `some NULL, ''`. */
function sampleRemark(source: RemarkSource, attribute: AttributeId, detail: Detail): string {
  if (detail.samplesCharacters <= 0) return '';
  const { samples, dialect, wholeSamples } = source;
  const values = Object.hasOwn(samples, attribute) ? (samples[attribute] ?? []) : [];
  const [missing, telling] = [values.filter(isMissing), values.filter((value) => !isMissing(value))];
  const { isRelevant } = detail;
  const relevant = isRelevant === undefined ? [] : telling.filter((value) => isRelevant(String(value)));
  // A condition needs the few values that an attribute has, also where no word of the question is among them.
  const isClosed = wholeSamples?.has(attribute) === true;
  const others = detail.onlyRelevant && !isClosed ? [] : telling.filter((value) => !relevant.includes(value));
  const shown: string[] = [];
  let characters = 0;
  for (const value of [...relevant, ...others]) {
    const text = sampleText(value, dialect);
    characters += text.length + 2;
    if (shown.length > 0 && characters > detail.samplesCharacters) break;
    shown.push(text);
  }
  const isCut = telling.some((value) => typeof value === 'string' && value.length > SAMPLE_CHARACTERS);
  const isWhole = isClosed && shown.length === telling.length && !isCut;
  const range = source.ranges !== undefined && Object.hasOwn(source.ranges, attribute) ? source.ranges[attribute] : [];
  return joinRemarks(
    shown.length === 0 ? '' : `${isWhole ? 'one of' : 'e.g.'} ${shown.join(', ')}`,
    range === undefined || range.length === 0 || detail.onlyRelevant
      ? ''
      : range.map((end) => sampleText(end, dialect)).join(' to '),
    missing.length === 0 || detail.onlyRelevant
      ? ''
      : `some ${missing.map((value) => sampleText(value, dialect)).join(', ')}`,
  );
}

function isMissing(value: Value): boolean {
  return value === null || (typeof value === 'string' && value.trim() === '');
}

function sampleText(value: Value, dialect: SheetSource['dialect']): string {
  if (value === null) return 'NULL';
  if (typeof value === 'string') {
    const cut = oneLine(value.replaceAll('\0', '\\0'), SAMPLE_CHARACTERS);
    return quoteString(cut, { lexer: { ...dialect.lexer, backslashEscapes: false } });
  }
  if (value instanceof Uint8Array) {
    const hex = Buffer.from(value.subarray(0, SAMPLE_CHARACTERS / 4)).toString('hex');
    return `x'${hex}${value.byteLength > SAMPLE_CHARACTERS / 4 ? '…' : ''}'`;
  }
  return typeof value === 'object' ? oneLine(JSON.stringify(value), SAMPLE_CHARACTERS) : String(value);
}

function comment(text: string | undefined, { commentCharacters, isRelevant, onlyRelevant }: Detail): string {
  if (text === undefined || commentCharacters <= 0) return '';
  if (onlyRelevant && isRelevant?.(text) !== true) return '';
  return oneLine(text.trim().replace(/\s+/g, ' '), commentCharacters);
}

export function joinRemarks(...remarks: readonly string[]): string {
  return remarks.filter((remark) => remark !== '').join('; ');
}

export function withRemark(line: string, remark: string): string {
  return remark === '' ? line : `${line} -- ${remark}`;
}
