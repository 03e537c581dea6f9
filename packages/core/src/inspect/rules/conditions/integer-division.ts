import type { InspectionRule, RuleFinding } from '../../rule.ts';
import { IntegerReader, type Tokens } from './integer-expression.ts';

/** Operators of the level of `/`, which bind to the left. */
const LEVEL = /^[*/%]$/;
/** Functions around a division that cut the rest off on purpose. */
const CUTTING = /^(?:floor|trunc|truncate|cast)$/i;

/**
 * A division of two integers in a dialect that cuts the rest off (`integerDivision: 'cuts'`). Divisions by a written number are often
 * meant so (decades, the middle row), unless they divide a count or a sum: those are notes.
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

/** All that stands to the left of the slash on its level: of `a + b * c / d` it is `b * c`. Undefined where another slash is in it, or something that cannot be read. */
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

/** Two written numbers, a division that is undone (`year / 10 * 10`), or one right inside of FLOOR or a cast to an integer. */
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
