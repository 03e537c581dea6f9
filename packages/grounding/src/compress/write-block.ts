import type { Block } from './group-sheets.ts';
import { compactNames, firstName, runLength } from './name-patterns.ts';
import { type Notation, plainNotation } from './notation.ts';
import type { Sheet, SheetColumn } from './relation-sheet.ts';
import {
  columnRemark,
  type Detail,
  FULL_DETAIL,
  fieldLines,
  joinRemarks,
  NO_DETAIL,
  type RemarkSource,
  relationRemark,
  rowsRemark,
  withRemark,
} from './remarks.ts';

/** Fewer columns in a row are not written as a range. */
const MIN_COLUMN_RANGE = 3;

interface Item {
  readonly sql: string;
  readonly remark: string;
  readonly further: readonly string[];
}

/**
 * A block in the manner of CREATE TABLE, made for reading: one line for each attribute and key, comments behind `--`.
 * All text of the database is on one line and without control characters, so that no comment or name can begin a line
 * of its own.
 */
export function writeBlock(source: RemarkSource, block: Block, notation: Notation, wanted: Detail): string {
  const isBrief = block.members[0]?.isBrief === true;
  const detail = isBrief ? NO_DETAIL : wanted;
  const items = [
    ...(isBrief ? briefItem(block.columns, notation) : columnItems(block.columns, notation, remarks(source, detail))),
    ...(block.members[0]?.keys ?? []).map(({ sql, remark }) => ({ sql, remark, further: [] })),
  ];
  const remark = blockRemark(source, block, detail);
  const head = blockHead(block, notation);
  if (isBrief) notation.used.brief = true;
  if (block.base !== undefined && items.length === 0) return withRemark(`${head};`, remark);
  const lines = [withRemark(`${head} (`, remark)];
  for (const [position, { sql, remark: said, further }] of items.entries()) {
    lines.push(withRemark(`  ${sql}${position === items.length - 1 ? '' : ','}`, said));
    for (const line of further) lines.push(`    -- ${line}`);
  }
  lines.push(');');
  return lines.join('\n');
}

/** One relation with everything that is known of it and without any notation. */
export function writeSheet(source: RemarkSource, sheet: Sheet): string {
  const block = { members: [sheet], base: undefined, columns: sheet.columns, without: [] };
  return writeBlock(source, block, plainNotation(), FULL_DETAIL);
}

/** `CREATE TABLE a_{2015..2017}, b LIKE c WITHOUT (d)` */
function blockHead({ members, base, without }: Block, notation: Notation): string {
  const first = members[0];
  const names = writeNames(members, notation);
  if (names.length > 1) notation.used.lists = true;
  if (names.length < members.length) notation.used.parts = true;
  let head = `CREATE ${(first?.kind ?? 'table').toUpperCase()} ${first?.qualifier ?? ''}${names.join(', ')}`;
  if (base !== undefined) {
    notation.used.like = true;
    const pattern = writeNames(base.members, notation)[0] ?? '';
    head += ` LIKE ${base.members[0]?.qualifier ?? ''}${firstName(pattern, notation.brackets)}`;
  }
  if (without.length > 0) {
    const shortened = compactNames(without, notation.brackets);
    if (shortened.length < without.length) notation.used.ranges = true;
    head += ` WITHOUT (${shortened.join(', ')})`;
  }
  return head;
}

/** Names without their qualifiers, as patterns. */
export function writeNames(members: readonly Pick<Sheet, 'name'>[], notation: Notation): string[] {
  const names = compactNames(
    members.map(({ name }) => name),
    notation.brackets,
  );
  if (names.length < members.length) notation.used.ranges = true;
  return names;
}

function blockRemark(source: RemarkSource, { members }: Block, detail: Detail): string {
  const [first] = members;
  const count =
    members.length > 1 || first === undefined
      ? `${members.length} ${first?.kind ?? 'table'}s`
      : detail.samplesCharacters > 0
        ? rowsRemark(source, first.id)
        : '';
  const hidden = hiddenColumns(members);
  for (const { id } of members) {
    const remark = relationRemark(source, id, detail);
    if (remark !== '') return joinRemarks(count, hidden, remark);
  }
  return joinRemarks(count, hidden);
}

function hiddenColumns(members: readonly Sheet[]): string {
  const counts = members.map(({ hidden }) => hidden ?? 0);
  const most = counts.reduce((a, b) => Math.max(a, b), 0);
  const least = counts.reduce((a, b) => Math.min(a, b), most);
  return most === 0 ? '' : `${least === most ? most : `${least} to ${most}`} more columns not shown`;
}

/** Names on one line. */
function briefItem(columns: readonly SheetColumn[], notation: Notation): Item[] {
  const items = columnItems(columns, notation, () => NO_REMARK);
  return items.length === 0 ? [] : [{ sql: items.map(({ sql }) => sql).join(', '), remark: '', further: [] }];
}

type Remark = Pick<Item, 'remark' | 'further'>;

const NO_REMARK: Remark = { remark: '', further: [] };

function remarks(source: RemarkSource, detail: Detail): (column: SheetColumn) => Remark {
  return (column) => ({
    remark: columnRemark(source, column.id, detail),
    further: fieldLines(source, column, detail),
  });
}

function columnItems(
  columns: readonly SheetColumn[],
  notation: Notation,
  remarkOf: (column: SheetColumn) => Remark,
): Item[] {
  const items = columns.map((column) => ({
    column,
    rest: `${column.type === '' ? '' : ' '}${notation.types.get(column.type) ?? column.type}${column.constraints}`,
    ...remarkOf(column),
  }));
  const lines: Item[] = [];
  for (let at = 0; at < items.length; ) {
    const item = items[at];
    if (item === undefined) break;
    let end = at;
    while (items[end]?.rest === item.rest && items[end]?.remark === '' && items[end]?.further.length === 0) end += 1;
    const names = items.slice(at, Math.max(end, at + 1)).map(({ column }) => column.name);
    for (let next = 0; next < names.length; ) {
      const length = notation.brackets === undefined ? 1 : runLength(names, next);
      const pattern =
        length < MIN_COLUMN_RANGE ? undefined : compactNames(names.slice(next, next + length), notation.brackets);
      const isRange = pattern?.length === 1;
      if (isRange) notation.used.ranges = true;
      lines.push({
        sql: `${isRange ? pattern[0] : names[next]}${item.rest}`,
        remark: item.remark,
        further: item.further,
      });
      next += isRange ? length : 1;
    }
    at = Math.max(end, at + 1);
  }
  return lines;
}
