import type { ColumnShape, OperandShape, QueryBlock, Span } from '../../ports/query-shape.ts';
import type { AttributeId } from '../../schema/schema.ts';
import { originOf } from '../resolve/query-facts.ts';
import type { ResolvedQuery } from '../resolved-query.ts';

/** What a comparison does to a cell or a value before it compares. */
export type Folding = 'lower' | 'upper' | 'trim';

/** One side of a comparison that is an attribute, at most with its letters folded. */
export interface ComparedCell {
  readonly attribute: AttributeId;
  readonly column: ColumnShape;
  readonly folding: readonly Folding[];
}

/** One side of a comparison that is a text or a number. */
export interface ComparedValue {
  /** Without quotes, escapes resolved. */
  readonly text: string;
  /** Slices the literal with its quotes. */
  readonly span: Span;
}

/** Longer wrappers are not looked into. */
const MAX_WRAPPER_CHARACTERS = 80;
const OPENING = /^(?:(?:lower|upper|l?trim|rtrim|cast)?\()*$/;
const CLOSING =
  /^(?:\)|as(?:text|string|n?varchar|char|character)(?:\(\d+\))?\)|collate"?[a-z_0-9]+"?|::(?:text|string|varchar))*$/;
/** A string behind which a collation stands, or in the brackets of a function that folds letters. */
const WRAPPED_STRING = /^((?:lower|upper|trim)\s*\(\s*)?('(?:[^'\\]|'')*')(\s*\))?(?:\s*collate\s+\w+)?$/i;

/**
 * The attribute of an operand: a column alone, within LOWER, UPPER, TRIM or a cast to text, or with a collation. Undefined for other
 * expressions, which change what is compared.
 */
export function comparedCell(query: ResolvedQuery, block: QueryBlock, operand: OperandShape): ComparedCell | undefined {
  const [position, ...others] = operand.columns;
  if (position === undefined || others.length > 0 || operand.kind === 'subquery') return undefined;
  const column = block.columns[position];
  if (column === undefined || column.path !== undefined) return undefined;
  const opening = squeeze(query.sql.slice(operand.span.start, column.span.start));
  const closing = squeeze(query.sql.slice(column.span.end, operand.span.end));
  if (Math.max(opening.length, closing.length) > MAX_WRAPPER_CHARACTERS) return undefined;
  if (!OPENING.test(opening) || !CLOSING.test(closing)) return undefined;
  const attribute = originOf(query, block.id, position);
  return attribute === undefined ? undefined : { attribute, column, folding: foldings(opening) };
}

function foldings(opening: string): readonly Folding[] {
  return (['lower', 'upper', 'trim'] as const).filter((folding) => opening.includes(folding));
}

/** The literal of an operand, also with a collation or in LOWER, UPPER or TRIM. Undefined for anything else. */
export function comparedValue(query: ResolvedQuery, operand: OperandShape): ComparedValue | undefined {
  const span = withoutBrackets(query.sql, operand.span);
  if (operand.kind === 'literal') {
    const { type, value } = operand.literal ?? { type: 'other', value: '' };
    return type === 'string' || type === 'number' ? { text: value, span } : undefined;
  }
  if (operand.columns.length > 0 || span.end - span.start > 1_000) return undefined;
  const match = WRAPPED_STRING.exec(query.sql.slice(span.start, span.end));
  const literal = match?.[2];
  if (match === null || literal === undefined || (match[1] === undefined) !== (match[3] === undefined))
    return undefined;
  const start = span.start + (match[1]?.length ?? 0);
  return { text: literal.slice(1, -1).replaceAll("''", "'"), span: { start, end: start + literal.length } };
}

/** `('x')` is `'x'`. */
function withoutBrackets(sql: string, span: Span): Span {
  let { start, end } = span;
  while (sql[start] === '(' && sql[end - 1] === ')') {
    start += 1;
    end -= 1;
    while (start < end && /\s/.test(sql[start] ?? '')) start += 1;
    while (end > start && /\s/.test(sql[end - 1] ?? '')) end -= 1;
  }
  return { start, end };
}

function squeeze(text: string): string {
  return text.replace(/\s+/g, '').toLowerCase();
}

/** A text as the comparison sees it. */
export function applyFolding(text: string, folding: readonly Folding[]): string {
  let folded = text;
  if (folding.includes('trim')) folded = folded.trim();
  if (folding.includes('lower')) folded = folded.toLowerCase();
  if (folding.includes('upper')) folded = folded.toUpperCase();
  return folded;
}
