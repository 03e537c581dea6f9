/**
 * A tolerant reader of the CREATE TABLE statements of the Spider 2.0 schemas (Snowflake, BigQuery, SQLite): names,
 * types, keys and comments. For measurements; no product code reads DDL.
 */

interface DdlColumn {
  readonly name: string;
  readonly type: string;
  readonly comment: string | undefined;
  readonly notNull: boolean;
  readonly unique: boolean;
  /** Fields of a STRUCT, by path. */
  readonly fields: readonly {
    readonly path: readonly string[];
    readonly type: string;
    readonly comment: string | undefined;
  }[];
}

export interface DdlTable {
  readonly columns: readonly DdlColumn[];
  readonly primaryKey: readonly string[];
  readonly foreignKeys: readonly {
    readonly from: readonly string[];
    readonly target: string;
    readonly to: readonly string[];
  }[];
  readonly comment: string | undefined;
}

const CLOSES: Readonly<Record<string, string>> = { '(': ')', '<': '>', '[': ']' };

/** The position behind a quoted piece that begins at `at`. */
function skipQuoted(text: string, at: number): number {
  const quote = text[at] ?? '';
  const backslashes = quote !== "'" || !text.includes('create or replace');
  for (let next = at + 1; next < text.length; next += 1) {
    if (text[next] === '\\' && backslashes) next += 1;
    else if (text[next] === quote) {
      if (text[next + 1] !== quote) return next + 1;
      next += 1;
    }
  }
  return text.length;
}

const isQuote = (character: string | undefined): boolean => character === '"' || character === "'" || character === '`';

/** The position behind the bracket that closes the one at `at`. */
function skipBracket(text: string, at: number): number {
  const open: string[] = [];
  for (let next = at; next < text.length; next += 1) {
    const character = text[next] ?? '';
    if (isQuote(character)) next = skipQuoted(text, next) - 1;
    else if (text.startsWith('--', next)) next = (text.indexOf('\n', next) + 1 || text.length + 1) - 2;
    else if (character in CLOSES) open.push(CLOSES[character] ?? '');
    else if (character === open.at(-1)) {
      open.pop();
      if (open.length === 0) return next + 1;
    }
  }
  return text.length;
}

/** The pieces between commas that stand in no bracket and no quotes, trimmed, without line comments. */
function splitCommas(text: string): string[] {
  const pieces: string[] = [];
  let piece = '';
  for (let at = 0; at < text.length; ) {
    const character = text[at] ?? '';
    if (text.startsWith('--', at)) {
      at = text.indexOf('\n', at) + 1 || text.length;
      continue;
    }
    if (character === ',') {
      pieces.push(piece.trim());
      piece = '';
      at += 1;
      continue;
    }
    const next = isQuote(character) ? skipQuoted(text, at) : character in CLOSES ? skipBracket(text, at) : at + 1;
    piece += text.slice(at, next);
    at = next;
  }
  pieces.push(piece.trim());
  return pieces.filter((part) => part !== '');
}

function unquote(text: string): string {
  const quote = text[0] ?? '';
  if (quote === '[') return text.slice(1, -1);
  if (!isQuote(quote)) return text;
  const inner = text.slice(1, -1).replaceAll(quote + quote, quote);
  return inner.replace(/\\(.)/gs, (_, escaped: string) => ({ n: '\n', t: '\t', r: '\r' })[escaped] ?? escaped);
}

/** A name at the beginning, and what follows. */
function readName(text: string): [name: string, rest: string] {
  if (isQuote(text[0]) || text[0] === '[') {
    const end = text[0] === '[' ? text.indexOf(']') + 1 : skipQuoted(text, 0);
    return [unquote(text.slice(0, end)), text.slice(end).trim()];
  }
  const end = text.search(/[\s(]/);
  return end < 0 ? [text, ''] : [text.slice(0, end), text.slice(end).trim()];
}

const TYPE_ENDS =
  /^(?:NOT|NULL|DEFAULT|PRIMARY|UNIQUE|REFERENCES|CHECK|COLLATE|COMMENT|OPTIONS|AUTOINCREMENT|IDENTITY|CONSTRAINT|GENERATED|ON|WITH)\b/i;

/** A type at the beginning, without the options inside, and what follows. */
function readType(
  text: string,
  fields: DdlColumn['fields'][number][],
  path: readonly string[],
): [type: string, rest: string] {
  let type = '';
  let rest = text;
  while (rest !== '' && !(TYPE_ENDS.test(rest) && !/^WITH(?:OUT)? (?:LOCAL )?TIME ZONE/i.test(rest))) {
    const first = rest[0] ?? '';
    if (first === '<') {
      const end = skipBracket(rest, 0);
      const inner = rest.slice(1, end - 1);
      type += `<${/STRUCT$/i.test(type) ? readFields(inner, fields, path) : readType(inner, fields, [...path, '[]'])[0]}>`;
      rest = rest.slice(end).trim();
    } else if (first === '(') {
      const end = skipBracket(rest, 0);
      type += rest.slice(0, end);
      rest = rest.slice(end).trim();
    } else {
      const end = rest.slice(1).search(/[\s<(]/);
      const word = end < 0 ? rest : rest.slice(0, end + 1);
      type += (type === '' ? '' : ' ') + word;
      rest = rest.slice(word.length).trim();
    }
  }
  return [type, rest];
}

function readFields(text: string, fields: DdlColumn['fields'][number][], path: readonly string[]): string {
  return splitCommas(text)
    .map((piece) => {
      const [name, rest] = readName(piece);
      const own = [...path, name];
      const at = fields.length;
      const [type, options] = readType(rest, fields, own);
      fields.splice(at, 0, { path: own, type, comment: readComment(options) });
      return `${name} ${type}`;
    })
    .join(', ');
}

function readComment(options: string): string | undefined {
  const found = /\b(?:COMMENT\s*=?\s*|description\s*=\s*)(["'])/i.exec(options);
  if (found === null) return undefined;
  const start = found.index + found[0].length - 1;
  const comment = unquote(options.slice(start, skipQuoted(options, start))).trim();
  return comment === '' ? undefined : comment;
}

function namesInBrackets(text: string): string[] {
  const start = text.indexOf('(');
  return start < 0
    ? []
    : splitCommas(text.slice(start + 1, skipBracket(text, start) - 1)).map((name) => readName(name)[0]);
}

const CONSTRAINT = /^(?:CONSTRAINT\s+\S+\s+)?(PRIMARY\s+KEY|FOREIGN\s+KEY|UNIQUE|CHECK|INDEX|KEY)\s*\(/i;
const REFERENCES = /\bREFERENCES\s+/i;

function readReference(text: string): { target: string; to: string[] } | undefined {
  const found = REFERENCES.exec(text);
  if (found === null) return undefined;
  const [target, rest] = readName(text.slice(found.index + found[0].length));
  return { target, to: rest.startsWith('(') ? namesInBrackets(rest) : [] };
}

/** Reads one statement; an empty text gives a table without columns. */
export function readDdl(ddl: string): DdlTable {
  const columns: DdlColumn[] = [];
  const primaryKey: string[] = [];
  const foreignKeys: DdlTable['foreignKeys'][number][] = [];
  let start = 0;
  while (start < ddl.length && ddl[start] !== '(') start = isQuote(ddl[start]) ? skipQuoted(ddl, start) : start + 1;
  const end = skipBracket(ddl, start);
  for (const item of splitCommas(ddl.slice(start + 1, end - 1))) {
    const constraint = CONSTRAINT.exec(item)?.[1]?.toUpperCase() ?? '';
    if (constraint.startsWith('PRIMARY')) primaryKey.push(...namesInBrackets(item));
    const reference = readReference(item);
    if (constraint.startsWith('FOREIGN') && reference !== undefined)
      foreignKeys.push({ from: namesInBrackets(item), ...reference });
    if (constraint !== '') continue;
    const [name, rest] = readName(item);
    const fields: DdlColumn['fields'][number][] = [];
    const [type, options] = readType(rest, fields, []);
    const words = options.replace(/'(?:[^']|'')*'|"(?:[^"\\]|\\.)*"/g, '');
    if (/\bPRIMARY\s+KEY\b/i.test(words)) primaryKey.push(name);
    if (reference !== undefined) foreignKeys.push({ from: [name], ...reference });
    const notNull = /\bNOT\s+NULL\b/i.test(words);
    columns.push({ name, type, comment: readComment(options), notNull, unique: /\bUNIQUE\b/i.test(words), fields });
  }
  return { columns, primaryKey, foreignKeys, comment: readComment(ddl.slice(end)) };
}
