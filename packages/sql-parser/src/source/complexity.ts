import type { TokenRange, TokenTable } from './token-table.ts';

/** What a statement may be composed of before it is not handed to a parser at all. */
export interface ComplexityLimits {
  /** Operators that hang together on one path from the outside to the inside. */
  readonly maxChainedOperators: number;
  /** Brackets and CASE within each other. */
  readonly maxNesting: number;
  /** UTF-16 code units of the statement. */
  readonly maxLength: number;
}

/** Why the statement is too complex, or undefined. */
export function findExcess(table: TokenTable, range: TokenRange, limits: ComplexityLimits): string | undefined {
  const length = (table.tokens[range.to - 1]?.end ?? 0) - (table.tokens[range.from]?.start ?? 0);
  if (length > limits.maxLength) return `it has ${length} characters, more than ${limits.maxLength}`;
  const { nesting, chained } = measureComplexity(table, range);
  if (nesting > limits.maxNesting) return `its brackets are nested ${nesting} deep, more than ${limits.maxNesting}`;
  if (chained > limits.maxChainedOperators)
    return `it chains ${chained} operators, more than ${limits.maxChainedOperators}`;
  return undefined;
}

interface Level {
  /** Operators of the current element, between two commas. */
  operators: number;
  /** The deepest chain of the groups within the current element. */
  inner: number;
  /** The deepest chain of the elements before. */
  deepest: number;
}

/**
 * The depth of the tree that a parser would build, estimated from above in one pass: operators of one element (between
 * two commas or clauses) hang on each other, and a group in brackets hangs on all operators of the element around it.
 */
export function measureComplexity(
  table: TokenTable,
  range: TokenRange,
): { readonly nesting: number; readonly chained: number } {
  const levels: Level[] = [];
  let level: Level = { operators: 0, inner: 0, deepest: 0 };
  let nesting = 0;
  const endElement = (): void => {
    level.deepest = Math.max(level.deepest, level.operators + level.inner);
    level.operators = 0;
    level.inner = 0;
  };
  for (let index = range.from; index < range.to; index++) {
    const text = table.tokens[index]?.upper ?? '';
    if (OPEN.has(text) || (text === 'CASE' && (table.partner[index] ?? -1) > index)) {
      // What is indexed or called hangs on the group too.
      if (text !== 'CASE') level.operators++;
      levels.push(level);
      level = { operators: 0, inner: 0, deepest: 0 };
      nesting = Math.max(nesting, levels.length);
    } else if (CLOSE.has(text) || (text === 'END' && (table.partner[index] ?? -1) >= 0)) {
      endElement();
      const inner = level.deepest;
      level = levels.pop() ?? { operators: 0, inner: 0, deepest: 0 };
      level.inner = Math.max(level.inner, inner);
    } else if (ENDS.has(text)) {
      endElement();
    } else if (isOperator(table, index, text)) level.operators++;
  }
  for (endElement(); levels.length > 0; endElement()) {
    const inner = level.deepest;
    level = levels.pop() ?? level;
    level.inner = Math.max(level.inner, inner);
  }
  return { nesting, chained: level.deepest };
}

const OPEN = new Set(['(', '[', '{']);
const CLOSE = new Set([')', ']', '}']);
/** Behind these a tree begins anew: elements of lists, clauses, branches of CASE, conditions of joins. */
const ENDS = new Set([
  ',',
  ';',
  'FROM',
  'WHERE',
  'GROUP',
  'HAVING',
  'QUALIFY',
  'ORDER',
  'LIMIT',
  'WHEN',
  'THEN',
  'ELSE',
  'ON',
]);
const WORD_OPERATORS = new Set(
  'AND OR NOT XOR IS IN LIKE ILIKE RLIKE REGEXP SIMILAR BETWEEN COLLATE AT DIV MOD GLOB MATCH UNION INTERSECT EXCEPT MINUS JOIN'.split(
    ' ',
  ),
);
const PLAIN_SYMBOLS = new Set(['.', ',', ';', ')', ']', '}', '=>']);

function isOperator(table: TokenTable, index: number, text: string): boolean {
  const token = table.tokens[index];
  if (token?.kind === 'word') return WORD_OPERATORS.has(text);
  return token?.kind === 'symbol' && !PLAIN_SYMBOLS.has(text);
}
