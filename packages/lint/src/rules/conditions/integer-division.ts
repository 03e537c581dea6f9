import { type CallShape, type QueryBlock, type SqlToken, significantTokens } from '@askema/sql';
import type { ResolvedQuery } from '../../resolve/resolved-query.ts';
import type { InspectionRule, RuleFinding } from '../rule.ts';
import { columnFacts } from './column-comparisons.ts';

/** Operators of the level of `/`, which bind to the left. */
const LEVEL = /^[*/%]$/;
/** Functions around a division that cut the rest off on purpose. */
const CUTTING = /^(?:floor|trunc|truncate|cast)$/i;

/**
 * A division of two integers in a dialect that cuts the rest off (`integerDivision: 'cuts'`). Divisions by a written
 * number are often meant so (decades, the middle row), unless they divide a count or a sum: those are notes.
 */
export const integerDivision: InspectionRule = {
  code: 'integer-division',
  severity: 'warning',
  title: 'Dividing two integers cuts the fraction off',
  *check(query) {
    if (query.dialect.integerDivision !== 'cuts' || !query.sql.includes('/')) return;
    const reader = new IntegerReader(query);
    for (const [index, token] of reader.tokens.entries()) {
      if (token.kind === 'string' || token.text !== '/') continue;
      const finding = cutDivision(reader, query.sql, index);
      if (finding !== undefined) yield finding;
    }
  },
};

function cutDivision(reader: IntegerReader, sql: string, slash: number): RuleFinding | undefined {
  const left = dividend(reader, slash);
  const end = reader.endOfOperand(slash + 1);
  if (left === undefined || end === undefined) return undefined;
  const right: Tokens = { from: slash + 1, to: end };
  if (!reader.isInteger(left) || !reader.isInteger(right) || isMeant(reader, left, right)) return undefined;
  const start = reader.tokens[left.from]?.start ?? 0;
  const stop = reader.tokens[end - 1]?.end ?? start;
  const text = sql.slice(start, stop);
  const isCounted = /\b(?:count|sum)\s{0,9}\(/i.test(sql.slice(start, reader.tokens[slash]?.start));
  return {
    severity: isNumber(reader, right) && !isCounted ? 'note' : 'warning',
    message: `${onOneLine(text)} divides two integers, so that the fraction is cut off: 3 / 4 is 0.`,
    advice: 'Multiply by 1.0 first, or cast one side to REAL.',
    span: { start, end: stop },
    fix: { description: 'Multiply by 1.0 first', edits: [{ span: { start, end: start }, text: '1.0 * ' }] },
  };
}

/**
 * All that stands to the left of the slash on its level: of `a + b * c / d` it is `b * c`. Undefined where another
 * slash is in it, or something that cannot be read.
 */
function dividend(reader: IntegerReader, slash: number): Tokens | undefined {
  let from = reader.startOfOperand(slash - 1);
  while (from !== undefined) {
    const before = reader.tokens[from - 1];
    if (before === undefined || before.kind === 'string' || !LEVEL.test(before.text)) return { from, to: slash };
    if (before.text !== '*') return undefined;
    from = reader.startOfOperand(from - 2);
  }
  return undefined;
}

const isNumber = (reader: IntegerReader, { from, to }: Tokens): boolean =>
  to === from + 1 && reader.tokens[from]?.kind === 'number';

/**
 * Two written numbers, a division that is undone (`year / 10 * 10`), or one right inside of FLOOR or a cast to an
 * integer.
 */
function isMeant(reader: IntegerReader, left: Tokens, right: Tokens): boolean {
  const { tokens } = reader;
  if (isNumber(reader, left) && isNumber(reader, right)) return true;
  let behind = right.to;
  while (tokens[behind]?.text === ')') behind++;
  if (isNumber(reader, right) && tokens[behind]?.text === '*' && tokens[behind + 1]?.text === tokens[right.from]?.text)
    return true;
  const open = left.from - 1;
  if (tokens[open]?.text !== '(' || !CUTTING.test(tokens[open - 1]?.text ?? '')) return false;
  if (!/^cast$/i.test(tokens[open - 1]?.text ?? '')) return true;
  return /^as$/i.test(tokens[right.to]?.text ?? '') && /int/i.test(tokens[right.to + 1]?.text ?? '');
}

/** For messages: long expressions are cut in the middle. */
function onOneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length <= 120 ? line : `${line.slice(0, 60)} … ${line.slice(-50)}`;
}

/** Deeper nesting is not looked into. */
const MAX_DEPTH = 12;

const COUNTING = new Set(['COUNT', 'LENGTH', 'INSTR', 'ROW_NUMBER', 'RANK', 'DENSE_RANK', 'NTILE']);
/** Integers where their arguments are. */
const PASSING = new Set(['SUM', 'MIN', 'MAX', 'ABS', 'COALESCE', 'IFNULL', 'NULLIF']);

/** A half-open range of indexes into the tokens. */
interface Tokens {
  readonly from: number;
  readonly to: number;
}

/** Reads arithmetic from the tokens of a statement, whose columns and calls are those of its shape. */
class IntegerReader {
  readonly tokens: readonly SqlToken[];
  /** Of each bracket, its partner. */
  readonly #partner: readonly (number | undefined)[];
  readonly #query: ResolvedQuery;
  readonly #at = new Map<number, number>();
  readonly #endingAt = new Map<number, number>();
  readonly #columns = new Map<number, { readonly block: number; readonly index: number; readonly end: number }>();
  readonly #calls = new Map<number, CallShape>();
  /** Where a column or a call that ends there begins. */
  readonly #beginnings = new Map<number, number>();
  readonly #bodies = new Map<number, QueryBlock>();

  constructor(query: ResolvedQuery) {
    this.#query = query;
    this.tokens = significantTokens(query.sql, query.dialect.lexer);
    this.#partner = partners(this.tokens);
    for (const [index, { start, end }] of this.tokens.entries()) {
      this.#at.set(start, index);
      this.#endingAt.set(end, index);
    }
    for (const { block } of query.blocks) {
      this.#bodies.set(block.span.start, block);
      for (const [index, { span }] of block.columns.entries()) {
        this.#columns.set(span.start, { block: block.id, index, end: span.end });
        this.#beginnings.set(span.end, span.start);
      }
      for (const call of block.calls) {
        this.#calls.set(call.span.start, call);
        this.#beginnings.set(call.span.end, call.span.start);
      }
    }
  }

  /** The token that stands at that place of the source. */
  indexAt(start: number): number | undefined {
    return this.#at.get(start);
  }

  partner(index: number): number | undefined {
    return this.#partner[index];
  }

  /** The index behind the operand that begins with this token; undefined where no operand can be read there. */
  endOfOperand(index: number): number | undefined {
    const token = this.tokens[index];
    if (token === undefined) return undefined;
    if (token.kind === 'number') return index + 1;
    const end = this.#calls.get(token.start)?.span.end ?? this.#columns.get(token.start)?.end;
    if (end !== undefined) return this.#behind(end);
    if (token.text === '(') return this.#next(this.#partner[index]);
    if (/^case$/i.test(token.text)) return this.#behindCase(index);
    return this.#isCast(index) ? this.#next(this.#partner[index + 1]) : undefined;
  }

  /** Where the operand begins that ends with this token. */
  startOfOperand(index: number): number | undefined {
    const token = this.tokens[index];
    if (token === undefined) return undefined;
    if (token.kind === 'number') return index;
    const start = this.#beginnings.get(token.end);
    if (start !== undefined) return this.#at.get(start);
    const open = token.text === ')' ? this.#partner[index] : undefined;
    if (open === undefined) return undefined;
    if (this.#isCast(open - 1)) return open - 1;
    return this.tokens[open - 1]?.kind === 'word' &&
      !/^(?:select|by|on|and|or|not|when|then|else|where|having|case|in|distinct|all|between|like|is|from|as|over)$/i.test(
        this.tokens[open - 1]?.text ?? '',
      )
      ? undefined
      : open;
  }

  /** True where the expression of these tokens surely gives an integer. */
  isInteger(range: Tokens, depth = 0): boolean {
    if (depth > MAX_DEPTH || range.from >= range.to) return false;
    let index = range.from;
    if (this.#isSign(index)) index++;
    for (;;) {
      const end = this.endOfOperand(index);
      if (end === undefined || end > range.to || !this.#isIntegerOperand(index, end, depth + 1)) return false;
      if (end === range.to) return true;
      if (!/^[-+*/%]$/.test(this.tokens[end]?.text ?? '')) return false;
      index = end + 1;
    }
  }

  #isIntegerOperand(index: number, end: number, depth: number): boolean {
    const token = this.tokens[index];
    if (token === undefined || depth > MAX_DEPTH) return false;
    if (token.kind === 'number') return /^\d+$/.test(token.text);
    const call = this.#calls.get(token.start);
    if (call !== undefined) return this.#isIntegerCall(call, index, depth);
    const column = this.#columns.get(token.start);
    if (column !== undefined) return this.#isIntegerColumn(column.block, column.index, depth);
    if (this.#isCast(index))
      return /\bAS\s+(?:BIG|SMALL|TINY)?INT(?:EGER)?\s*\)$/i.test(this.#text(index, end).slice(-40));
    if (/^case$/i.test(token.text)) return this.#isIntegerCase({ from: index, to: end }, depth);
    if (token.text !== '(') return false;
    const body = this.#bodies.get(this.tokens[index + 1]?.start ?? -1);
    return body === undefined
      ? this.isInteger({ from: index + 1, to: end - 1 }, depth + 1)
      : this.#isIntegerItem(body, 0, depth);
  }

  #isIntegerCall(call: CallShape, index: number, depth: number): boolean {
    const name = call.name.at(-1)?.text.toUpperCase() ?? '';
    if (COUNTING.has(name)) return true;
    const open = call.name.length === 1 && this.tokens[index + 1]?.text === '(' ? index + 1 : undefined;
    const close = open === undefined ? undefined : this.#partner[open];
    if (!PASSING.has(name) || open === undefined || close === undefined) return false;
    const isMarked = /^(?:distinct|all)$/i.test(this.tokens[open + 1]?.text ?? '');
    const parts = this.#splitAtCommas({ from: open + (isMarked ? 2 : 1), to: close });
    return parts.every((part) => this.isInteger(part, depth + 1));
  }

  #isIntegerColumn(blockId: number, index: number, depth: number): boolean {
    const block = this.#query.blocks[blockId];
    const resolved = block?.columns[index];
    if (block === undefined || resolved === undefined) return false;
    const facts = columnFacts(this.#query, block, index);
    if (facts?.attribute !== undefined) return facts.type === 'NUMERIC' && /int/i.test(facts.nativeType);
    if (resolved.kind !== 'output' || resolved.output.item === undefined) return false;
    const { block: outer, relation } = resolved.relation;
    const target = this.#query.blocks[outer]?.relations[relation];
    const body = target?.kind === 'block' ? this.#query.blocks[target.block]?.block : undefined;
    return body === undefined ? false : this.#isIntegerItem(body, resolved.output.item, depth);
  }

  #isIntegerItem(block: QueryBlock, item: number, depth: number): boolean {
    const span = block.kind === 'select' ? block.items[item]?.expression : undefined;
    const from = span === undefined ? undefined : this.#at.get(span.start);
    const to = span === undefined ? undefined : this.#behind(span.end);
    return from !== undefined && to !== undefined && this.isInteger({ from, to }, depth + 1);
  }

  #isIntegerCase(range: Tokens, depth: number): boolean {
    const results: Tokens[] = [];
    let from: number | undefined;
    for (let index = range.from + 1; index < range.to; index++) {
      const word = this.tokens[index]?.text.toUpperCase() ?? '';
      const isMark = index === range.to - 1 || word === 'WHEN' || word === 'ELSE' || word === 'THEN';
      if (isMark && from !== undefined) {
        results.push({ from, to: index });
        from = undefined;
      }
      if (word === 'THEN' || word === 'ELSE') from = index + 1;
      const end =
        word === 'CASE' ? this.#behindCase(index) : word === '(' ? this.#next(this.#partner[index]) : undefined;
      if (end !== undefined) index = end - 1;
    }
    return (
      results.length > 0 &&
      results.every((part) => /^null$/i.test(this.#text(part.from, part.to)) || this.isInteger(part, depth + 1))
    );
  }

  #splitAtCommas(range: Tokens): readonly Tokens[] {
    const parts: Tokens[] = [];
    let from = range.from;
    for (let index = range.from; index < range.to; index++) {
      if (this.tokens[index]?.text === '(') index = this.#partner[index] ?? index;
      else if (this.tokens[index]?.text === ',') {
        parts.push({ from, to: index });
        from = index + 1;
      }
    }
    return [...parts, { from, to: range.to }];
  }

  #behindCase(index: number): number | undefined {
    let depth = 0;
    for (let at = index; at < this.tokens.length; at++) {
      if (this.tokens[at]?.kind !== 'word') continue;
      const word = this.tokens[at]?.text.toUpperCase();
      if (word === 'CASE') depth++;
      if (word === 'END') depth--;
      if (depth === 0) return at + 1;
    }
    return undefined;
  }

  #isCast(index: number): boolean {
    return /^cast$/i.test(this.tokens[index]?.text ?? '') && this.tokens[index + 1]?.text === '(';
  }

  #isSign(index: number): boolean {
    return /^[-+]$/.test(this.tokens[index]?.text ?? '');
  }

  #behind(end: number): number | undefined {
    return this.#next(this.#endingAt.get(end));
  }

  #next(index: number | undefined): number | undefined {
    return index === undefined ? undefined : index + 1;
  }

  #text(from: number, to: number): string {
    return this.#query.sql.slice(this.tokens[from]?.start ?? 0, this.tokens[to - 1]?.end ?? 0);
  }
}

function partners(tokens: readonly SqlToken[]): readonly (number | undefined)[] {
  const partner: (number | undefined)[] = tokens.map(() => undefined);
  const open: number[] = [];
  for (const [index, { kind, text }] of tokens.entries()) {
    if (kind !== 'punctuation') continue;
    if (text === '(') open.push(index);
    const other = text === ')' ? open.pop() : undefined;
    if (other === undefined) continue;
    partner[index] = other;
    partner[other] = index;
  }
  return partner;
}
