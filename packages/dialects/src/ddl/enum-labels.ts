import { type Attribute, type Dialect, oneLine, quoteIfNeeded, quoteString } from '@askema/core';
import type { DdlSource } from './ddl-source.ts';
import { nativeType } from './native-type.ts';

/** `ENUM('a', 'b')`, `mood (enum: 'happy', 'sad')`. */
const ENUMERATION = /^(?<before>[^'"]*)\b(?<word>enum|set)\b\d*\s*[(:](?<list>.*)\)/is;
const LABEL = /\s*'((?:[^'\\]|'')*)'\s*(?:,|$)/y;

/** What stands behind a column because its type is an enumeration that the dialect cannot write. */
export interface EnumText {
  readonly check?: string | undefined;
  readonly remark?: string | undefined;
}

/**
 * What keeps the labels of an enumeration that is written as text: a CHECK where the dialect has such and the labels
 * can be read, else a remark. Undefined for all other types, and for an enumeration that is written as it is.
 */
export function enumText(source: DdlSource, attribute: Attribute, dialect: Dialect): EnumText | undefined {
  const known = source.catalog?.attributes[attribute.id]?.nativeType ?? '';
  const found = ENUMERATION.exec(known)?.groups;
  if (found === undefined || nativeType(source, attribute, dialect) === known) return undefined;
  const isSet = found.word?.toUpperCase() === 'SET';
  const labels = isSet ? undefined : labelsOf(found.list ?? '');
  if (labels === undefined || dialect.ddl.check !== true)
    return { remark: `its type ${oneLine(known)} is written as text, without the labels` };
  const list = labels.map((label) => quoteString(label, dialect)).join(', ');
  return { check: `CHECK (${quoteIfNeeded(attribute.name, dialect)} IN (${list}))` };
}

/** Labels as standard strings. A backslash means one thing here and another there: such labels are not read. */
function labelsOf(list: string): string[] | undefined {
  const labels: string[] = [];
  const pattern = new RegExp(LABEL);
  while (pattern.lastIndex < list.length) {
    const label = pattern.exec(list)?.[1];
    if (label === undefined || label.includes('\0')) return undefined;
    labels.push(label.replaceAll("''", "'"));
  }
  return labels.length === 0 || /,\s*$/.test(list) ? undefined : labels;
}
