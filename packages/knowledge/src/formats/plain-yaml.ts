/** Plain data of a text, with the line, 1-based, of each object and list in it where that is known. */
export interface PlainData {
  readonly value: unknown;
  readonly lines?: ReadonlyMap<object, number> | undefined;
}

/** Thrown inside of this file alone: the text is more than what is read here. */
class NotPlain extends Error {}

const CONTROL = /[^\P{Cc}\n]|[\u2028\u2029\uFEFF]/u;
const KEY = /^([A-Za-z_][\w-]*):(?: +(.*))?$/;
const LITERAL = /^\|(-?)$/;
/** Characters that begin something else than a plain text. */
const INDICATOR = /^[-?:,[\]{}#&*!|>'"%@`]/;
/** Numbers of all kinds; the plain ones are read here. */
const NUMBER =
  /^(?:0o[0-7]+|0x[\da-fA-F]+|[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;
const MAX_DEPTH = 100;

/**
 * Reads the YAML that people and tools write for models: keys, lists, texts on one line, `|` blocks, and `[a]` and
 * `{ a: b }` on one line. Undefined for everything else, also for what is wrong: a complete reader says that better. A
 * model of 20,000 fields takes it a tenth of the time.
 */
export function readPlainYaml(text: string): PlainData | undefined {
  if (CONTROL.test(text)) return undefined;
  const reader = new PlainReader(text);
  try {
    return { value: reader.document(), lines: reader.lines };
  } catch (thrown) {
    if (thrown instanceof NotPlain) return undefined;
    throw thrown;
  }
}

/** Reads JSON; undefined for what is none, nests too deep, or has a key twice, which JSON.parse takes without a word. */
export function readPlainJson(text: string): PlainData | undefined {
  try {
    const value: unknown = JSON.parse(text);
    let keys = 0;
    for (const [, colon] of text.matchAll(/"(?:[^"\\]|\\.)*"\s*(:?)/g)) keys += colon === ':' ? 1 : 0;
    return keys === countKeys(value) ? { value } : undefined;
  } catch {
    return undefined;
  }
}

function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const below = Object.values(value as object);
  let count = Array.isArray(value) ? 0 : below.length;
  for (const each of below) count += countKeys(each);
  return count;
}

class PlainReader {
  readonly lines = new Map<object, number>();
  readonly #raw: string[];
  readonly #indents: number[] = [];
  /** What stands on each line behind its indent; empty for blanks and comments. */
  readonly #contents: string[] = [];
  #at = 0;

  constructor(text: string) {
    this.#raw = text.split('\n');
    for (const line of this.#raw) {
      const content = line.trim();
      this.#indents.push(content === '' ? 0 : line.length - line.trimStart().length);
      this.#contents.push(content.startsWith('#') ? '' : content);
    }
  }

  document(): unknown {
    if (!this.#next() || this.#indent() !== 0) throw new NotPlain();
    const value = this.#block(0, 0);
    if (this.#next()) throw new NotPlain();
    return value;
  }

  /** Moves to the next line with something on it; false at the end. */
  #next(): boolean {
    while (this.#at < this.#contents.length && this.#contents[this.#at] === '') this.#at += 1;
    return this.#at < this.#contents.length;
  }

  #indent(): number {
    return this.#indents[this.#at] ?? 0;
  }

  #content(): string {
    return this.#contents[this.#at] ?? '';
  }

  #block(indent: number, depth: number): unknown {
    if (depth > MAX_DEPTH) throw new NotPlain();
    return isItem(this.#content()) ? this.#list(indent, depth) : this.#object(indent, depth);
  }

  #object(indent: number, depth: number): unknown {
    const object: Record<string, unknown> = {};
    this.lines.set(object, this.#at + 1);
    while (this.#next() && this.#indent() >= indent) {
      const content = this.#content();
      if (this.#indent() > indent) throw new NotPlain();
      if (isItem(content)) {
        // Items below their key, without an indent, end here: they belong to a list outside.
        if (Object.keys(object).length > 0) break;
        throw new NotPlain();
      }
      const [, key, rest] = KEY.exec(content) ?? [];
      if (key === undefined || key in object) throw new NotPlain();
      object[key] = this.#value(rest, indent, depth, true);
    }
    return object;
  }

  #list(indent: number, depth: number): unknown {
    const list: unknown[] = [];
    this.lines.set(list, this.#at + 1);
    while (this.#next() && this.#indent() === indent && isItem(this.#content())) {
      const content = this.#content();
      const rest = content.slice(1).trimStart();
      if (KEY.test(rest) || isItem(rest)) {
        // The object begins on the line of the dash: the dash becomes a part of its indent.
        const inner = indent + content.length - rest.length;
        this.#indents[this.#at] = inner;
        this.#contents[this.#at] = rest;
        list.push(this.#block(inner, depth + 1));
      } else list.push(this.#value(rest, indent, depth, false));
    }
    if (this.#next() && this.#indent() > indent) throw new NotPlain();
    return list;
  }

  /** What stands behind a key or a dash, or below it. */
  #value(rest: string | undefined, indent: number, depth: number, isOfKey: boolean): unknown {
    const text = rest === undefined || rest.startsWith('#') ? '' : rest;
    if (text.startsWith('|')) return this.#literal(text, indent);
    this.#at += 1;
    const line = this.#at;
    const hasMore = this.#next();
    if (text === '') {
      if (!hasMore) return null;
      if (this.#indent() > indent) return this.#block(this.#indent(), depth + 1);
      const isList = isOfKey && this.#indent() === indent && isItem(this.#content());
      return isList ? this.#list(indent, depth + 1) : null;
    }
    // A text that goes on below.
    if (hasMore && this.#indent() > indent) throw new NotPlain();
    return this.#inline(text, line, depth);
  }

  /** A `|` block: the lines that follow, as they stand. */
  #literal(header: string, indent: number): string {
    const chomp = LITERAL.exec(header)?.[1];
    const first = this.#raw[this.#at + 1] ?? '';
    const inner = first.length - first.trimStart().length;
    if (chomp === undefined || inner <= indent || first.trim() === '') throw new NotPlain();
    const taken: string[] = [];
    for (this.#at += 1; this.#at < this.#raw.length; this.#at += 1) {
      const line = this.#raw[this.#at] ?? '';
      const isBlank = line.trim() === '';
      if (!isBlank && line.length - line.trimStart().length < inner) break;
      if (isBlank && line.length > inner) throw new NotPlain();
      taken.push(line.slice(inner));
    }
    const text = taken.join('\n').replace(/\n+$/, '');
    return chomp === '-' ? text : `${text}\n`;
  }

  #inline(text: string, line: number, depth: number): unknown {
    const first = text[0];
    if (first === '"' || first === "'" || first === '[' || first === '{') {
      const flow = new FlowReader(text, line, this.lines);
      const value = flow.value(depth);
      if (!flow.isAtEnd()) throw new NotPlain();
      return value;
    }
    const end = text.indexOf(' #');
    return scalar(end < 0 ? text : text.slice(0, end).trimEnd());
  }
}

const isItem = (content: string): boolean => content === '-' || content.startsWith('- ');

/** What stands in brackets, braces and quotes on one line. */
class FlowReader {
  readonly #text: string;
  readonly #line: number;
  readonly #lines: Map<object, number>;
  #at = 0;

  constructor(text: string, line: number, lines: Map<object, number>) {
    this.#text = text;
    this.#line = line;
    this.#lines = lines;
  }

  isAtEnd(): boolean {
    return /^(?: +#.*| *)$/.test(this.#text.slice(this.#at));
  }

  value(depth: number): unknown {
    if (depth > MAX_DEPTH) throw new NotPlain();
    if (this.#takes('[')) return this.#list(depth);
    if (this.#takes('{')) return this.#object(depth);
    const double = this.#match(/"(?:[^"\\]|\\.)*"/y);
    if (double !== undefined) return unquoted(double);
    const single = this.#match(/'(?:[^']|'')*'/y);
    if (single !== undefined) return single.slice(1, -1).replaceAll("''", "'");
    const plain = this.#match(/[\p{L}\p{N}_(](?:[\p{L}\p{N}_.()*+/<>=%$;|" -]*[\p{L}\p{N}_.()*+/<>=%$;|"-])?/uy);
    if (plain === undefined) throw new NotPlain();
    return scalar(plain);
  }

  #list(depth: number): unknown {
    const list: unknown[] = [];
    this.#lines.set(list, this.#line);
    while (!this.#takes(']')) {
      list.push(this.value(depth + 1));
      if (this.#takes(']')) break;
      if (!this.#takes(',')) throw new NotPlain();
    }
    return list;
  }

  #object(depth: number): unknown {
    const object: Record<string, unknown> = {};
    this.#lines.set(object, this.#line);
    while (!this.#takes('}')) {
      const key = this.#match(/[A-Za-z_][\w-]*: /y)?.slice(0, -2);
      if (key === undefined || key in object) throw new NotPlain();
      this.#takes(' ');
      object[key] = this.value(depth + 1);
      if (this.#takes('}')) break;
      if (!this.#takes(',')) throw new NotPlain();
    }
    return object;
  }

  /** Takes a mark with the blanks around it. */
  #takes(mark: string): boolean {
    this.#match(/ +/y);
    if (!this.#text.startsWith(mark, this.#at)) return false;
    this.#at += mark.length;
    if (!/[\]}]/.test(mark)) this.#match(/ +/y);
    return true;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }
}

/** Every escape of JSON means the same in YAML. */
function unquoted(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new NotPlain();
  }
}

/** The core schema of YAML 1.2.2, section 10.3.2. */
function scalar(text: string): unknown {
  if (INDICATOR.test(text) && !/^-\d/.test(text)) throw new NotPlain();
  if (text.endsWith(':') || text.includes(': ')) throw new NotPlain();
  if (/^(?:~|null|Null|NULL)$/.test(text)) return null;
  if (/^(?:true|True|TRUE)$/.test(text)) return true;
  if (/^(?:false|False|FALSE)$/.test(text)) return false;
  if (!/^[-+.\d]/.test(text)) return text;
  if (/^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/.test(text)) return Number(text);
  if (NUMBER.test(text)) throw new NotPlain();
  return text;
}
