/**
 * For tests and measurements: reads compressed text back. It knows nothing but the notation that the first lines
 * explain, and quoting. Types may hold brackets and blanks but no comma outside brackets, no ` -- ` and no words of
 * constraints.
 */

interface DecodedColumn {
  readonly name: string;
  readonly type: string;
  /** What stands behind the type: `NOT NULL`, `PRIMARY KEY`, `REFERENCES …`. */
  readonly constraints: string;
}

export interface DecodedRelation {
  readonly kind: string;
  /** As SQL: quoted as in the text, with its qualifier. */
  readonly name: string;
  readonly columns: ReadonlyMap<string, DecodedColumn>;
  readonly keys: readonly string[];
  /** Lines of nested fields below columns. */
  readonly fields: readonly string[];
  /** How many columns the text says it does not show. */
  readonly hidden: number;
}

interface Statement {
  readonly kind: string;
  readonly names: readonly string[];
  readonly like: string | undefined;
  readonly without: readonly string[];
  readonly columns: readonly DecodedColumn[];
  readonly keys: readonly string[];
  readonly fields: readonly string[];
  readonly hidden: number;
}

interface Notation {
  readonly brackets: readonly [open: string, close: string] | undefined;
  readonly types: ReadonlyMap<string, string>;
}

const KINDS = ['MATERIALIZED VIEW', 'VIRTUAL TABLE', 'EXTERNAL TABLE', 'TABLE', 'VIEW'];
const CONSTRAINTS = / (?:PRIMARY KEY|NOT NULL|UNIQUE|REFERENCES )/;
const KEYS = /^(?:PRIMARY KEY \(|UNIQUE \(|FOREIGN KEY \(|CHECK \()/;

/** All relations of a compressed text by name. Throws where the text breaks the notation. */
export function decode(text: string): Map<string, DecodedRelation> {
  const lines = text.split('\n');
  const notation = readNotation(lines);
  const statements: Statement[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    if (!lines[at]?.startsWith('CREATE ')) continue;
    const body: string[] = [];
    const head = lines[at] ?? '';
    if (!splitComment(head)[0].endsWith(';')) {
      at += 1;
      while (at < lines.length && lines[at] !== ');') {
        body.push(lines[at] ?? '');
        at += 1;
      }
    }
    statements.push(readStatement(head, body, notation));
  }
  return resolve(statements, notation);
}

/** Lines that explain the notation, at most. */
const MOST_NOTES = 6;

function readNotation(lines: readonly string[]): Notation {
  const ranges = /^-- (.)1\.\.3,7(.) inside a name/u.exec(lines[0] ?? '');
  const types = new Map<string, string>();
  for (const line of lines.slice(0, MOST_NOTES)) {
    if (!line.startsWith('-- Types: ')) continue;
    for (const [, word = '', type = ''] of line.matchAll(/(\w+) is (\w+\([\d, ]+\))/g)) types.set(word, type);
  }
  return { brackets: ranges === null ? undefined : [ranges[1] ?? '', ranges[2] ?? ''], types };
}

/** A line without its comment, and the comment. Quotes are respected. */
function splitComment(line: string): [code: string, comment: string] {
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at] ?? '';
    if (character === '"' || character === '`' || character === "'") at = endOfQuoted(line, at) - 1;
    else if (line.startsWith(' -- ', at)) return [line.slice(0, at), line.slice(at + ' -- '.length)];
  }
  return [line, ''];
}

function endOfQuoted(text: string, start: number): number {
  const quote = text[start] ?? '';
  for (let at = start + 1; at < text.length; at += 1) {
    if (quote === '`' && text[at] === '\\') at += 1;
    else if (text[at] === quote) {
      if (text[at + 1] !== quote) return at + 1;
      at += 1;
    }
  }
  throw new Error(`an open quote: ${text.slice(start, start + 80)}`);
}

/** The name at the beginning, quoted parts, dots and ranges included, and what follows. */
function takeName(text: string, notation: Notation): [name: string, rest: string] {
  let at = 0;
  while (at < text.length && !/[\s(,;]/.test(text[at] ?? '')) at = endOfPiece(text, at, notation);
  return [text.slice(0, at), text.slice(at)];
}

/** The position behind a character, a quoted part or a range in brackets. */
function endOfPiece(text: string, at: number, { brackets }: Notation): number {
  const character = text[at] ?? '';
  if (character === '"' || character === '`') return endOfQuoted(text, at);
  if (character !== brackets?.[0]) return at + 1;
  const end = text.indexOf(brackets[1], at);
  if (end < 0) throw new Error(`an open range: ${text.slice(at, at + 80)}`);
  return end + 1;
}

function readStatement(line: string, body: readonly string[], notation: Notation): Statement {
  const [code, remark] = splitComment(line);
  const head = code.slice('CREATE '.length).replace(/(?: \(|;)$/, '');
  const kind = KINDS.find((candidate) => head.startsWith(`${candidate} `));
  if (kind === undefined) throw new Error(`an unknown kind: ${line.slice(0, 80)}`);
  let rest = head.slice(kind.length + 1);
  const patterns: string[] = [];
  let name: string;
  do {
    [name, rest] = takeName(rest.replace(/^, /, ''), notation);
    patterns.push(name);
  } while (rest.startsWith(', '));
  let like: string | undefined;
  const without: string[] = [];
  if (rest.startsWith(' LIKE ')) [like, rest] = takeName(rest.slice(' LIKE '.length), notation);
  if (rest.startsWith(' WITHOUT (')) {
    let list = `, ${rest.slice(' WITHOUT ('.length)}`;
    while (list.startsWith(', ')) {
      [name, list] = takeName(list.slice(2).replace(/\)$/, ''), notation);
      without.push(...expandPattern(name, notation));
    }
  }
  const [first = '', ...others] = patterns;
  const qualifier = qualifierOf(first, notation);
  const names = [first, ...others.map((other) => qualifier + other)].flatMap((p) => expandPattern(p, notation));
  const hidden = /(?:^|; )(\d+)(?: to \d+)? more columns not shown/.exec(remark);
  return { kind, names, like, without, hidden: Number(hidden?.[1] ?? 0), ...readBody(body, notation) };
}

/** What stands in front of the last name: dots inside quotes and ranges belong to it. */
function qualifierOf(path: string, notation: Notation): string {
  let end = 0;
  for (let at = 0; at < path.length; ) {
    const next = endOfPiece(path, at, notation);
    if (path[at] === '.') end = next;
    at = next;
  }
  return path.slice(0, end);
}

function readBody(body: readonly string[], notation: Notation): Pick<Statement, 'columns' | 'keys' | 'fields'> {
  const columns: DecodedColumn[] = [];
  const keys: string[] = [];
  const fields: string[] = [];
  for (const line of body) {
    if (line.startsWith('    -- ')) {
      fields.push(line.slice('    -- '.length));
      continue;
    }
    const code = splitComment(line)[0].replace(/,$/, '').slice(2);
    if (KEYS.test(code)) {
      keys.push(code);
      continue;
    }
    for (let list = code; list !== ''; ) {
      const [pattern, behind] = takeName(list, notation);
      const brief = /^(?: REFERENCES [^,(]*\([^)]*\))?, /.exec(behind);
      const rest = brief === null ? behind : brief[0].slice(0, -2);
      list = brief === null ? '' : behind.slice(brief[0].length);
      const constraint = CONSTRAINTS.exec(rest);
      const written = rest.slice(1, constraint?.index ?? rest.length);
      const type = notation.types.get(written) ?? written;
      const constraints = constraint === null ? '' : rest.slice(constraint.index + 1);
      for (const name of expandPattern(pattern, notation)) columns.push({ name, type, constraints });
    }
  }
  return { columns, keys, fields };
}

function resolve(statements: readonly Statement[], { brackets }: Notation): Map<string, DecodedRelation> {
  const byName = new Map<string, Statement>();
  for (const statement of statements)
    for (const name of statement.names) {
      if (byName.has(name)) throw new Error(`${name} is described twice`);
      byName.set(name, statement);
    }
  const found = new Map<string, DecodedRelation>();
  for (const statement of statements) {
    const columns = new Map<string, DecodedColumn>();
    if (statement.like !== undefined) {
      const base = byName.get(statement.like);
      if (base === undefined) throw new Error(`LIKE ${statement.like}: there is none (${brackets?.join('') ?? ''})`);
      if (base.like !== undefined) throw new Error(`LIKE ${statement.like}: that one has a base itself`);
      for (const column of base.columns) columns.set(column.name, column);
    }
    for (const name of statement.without) if (!columns.delete(name)) throw new Error(`WITHOUT ${name}: there is none`);
    for (const column of statement.columns) columns.set(column.name, column);
    const { kind, keys, fields, hidden } = statement;
    for (const name of statement.names) found.set(name, { kind, name, columns, keys, fields, hidden });
  }
  return found;
}

/** All names of a pattern. */
export function expandPattern(pattern: string, { brackets }: Pick<Notation, 'brackets'>): string[] {
  if (brackets === undefined) return [pattern];
  const [open, close] = brackets;
  let names = [''];
  for (const [position, piece] of pattern.split(open).entries()) {
    const [ranges, text = ''] = position === 0 ? ['', piece] : piece.split(close);
    const values = position === 0 ? [''] : (ranges ?? '').split(',').flatMap(expandRange);
    names = names.flatMap((name) => values.map((value) => name + value + text));
  }
  return names;
}

function expandRange(range: string): string[] {
  const [first = '', last] = range.split('..');
  if (last === undefined) return [first];
  const isCalendar = [first, last].every((value) => toTime(value) !== undefined) && first.length === last.length;
  const values = [first];
  while (values.at(-1) !== last) {
    if (values.length > 100_000) throw new Error(`an endless range: ${range}`);
    values.push(isCalendar ? nextTime(values.at(-1) ?? '') : nextNumber(values.at(-1) ?? '', first, last));
  }
  return values;
}

function nextNumber(value: string, first: string, last: string): string {
  const next = (BigInt(value) + 1n).toString();
  return first.length === last.length ? next.padStart(first.length, '0') : next;
}

/** A day or a month between 1900 and 2099 as its time. */
function toTime(digits: string): number | undefined {
  if (!/^(?:19|20)\d{4}(?:\d\d)?$/.test(digits)) return undefined;
  const iso = `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6) || '01'}`;
  const time = Date.parse(`${iso}T00:00:00Z`);
  return Number.isNaN(time) || !new Date(time).toISOString().startsWith(iso) ? undefined : time;
}

function nextTime(digits: string): string {
  const date = new Date(toTime(digits) ?? 0);
  if (digits.length === 8) date.setUTCDate(date.getUTCDate() + 1);
  else date.setUTCMonth(date.getUTCMonth() + 1);
  return date.toISOString().replaceAll('-', '').slice(0, digits.length);
}
