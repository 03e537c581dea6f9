/**
 * The tokens of SQLite's SQL, by the rules of its own tokenizer (`sqlite3GetToken` in
 * https://sqlite.org/src/file/src/tokenize.c). `name` is a quoted identifier; `illegal` is what SQLite calls an
 * unrecognized token. The worker process imports nothing of core, so that these rules stand here as well as in the
 * dialect's lexer settings; a test holds the two together.
 */
export type TokenKind = 'word' | 'name' | 'string' | 'blob' | 'number' | 'parameter' | 'symbol' | 'comment' | 'illegal';

export interface Token {
  readonly kind: TokenKind;
  /** Half-open range of UTF-16 code units. */
  readonly start: number;
  readonly end: number;
  /** As it stands in the source. */
  readonly text: string;
}

/** A vertical tab is white space behind other white space only, a byte order mark wherever a token may begin. */
const WHITE_SPACE = /(?:[ \t\n\f\r][ \t\n\v\f\r]*|\uFEFF)+/y;
const IDENTIFIER_CHARACTERS = 'A-Za-z0-9_$\\u0080-\\uFFFF';
/**
 * Sticky patterns in the order in which they are tried. Words and symbols come first because nearly all tokens are of
 * these: the looks ahead leave blobs, comments and numbers to their own patterns.
 */
const RULES: readonly (readonly [TokenKind, RegExp])[] = [
  ['word', new RegExp(`(?![xX]')[A-Za-z_\\u0080-\\uFFFF][${IDENTIFIER_CHARACTERS}]*`, 'y')],
  ['symbol', /(?!--|\/\*(?=.)|\.\d)(?:->>|->|<=|<>|<<|>=|>>|==|!=|\|\||[-(),;+*/%=<>|&~.])/sy],
  ['comment', /--[^\n]*/y],
  ['comment', /\/\*(?=.)(?:.*?\*\/|.*)/sy],
  ['string', /'[^']*(?:''[^']*)*'(?!')/y],
  ['name', /"[^"]*(?:""[^"]*)*"(?!")|`[^`]*(?:``[^`]*)*`(?!`)|\[[^\]]*\]/y],
  ['illegal', /['"`[].*/sy],
  ['blob', /[xX]'(?:[0-9a-fA-F]{2})*'/y],
  ['illegal', /[xX]'[^']*'?/y],
  [
    'number',
    new RegExp(
      `(?:0[xX][0-9a-fA-F_]+|(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d[\\d_]*)?)(?![${IDENTIFIER_CHARACTERS}])`,
      'y',
    ),
  ],
  ['illegal', new RegExp(`\\.?\\d[.${IDENTIFIER_CHARACTERS}]*`, 'y')],
  ['parameter', new RegExp(`\\?\\d*|[$@:#][${IDENTIFIER_CHARACTERS}]+`, 'y')],
];

/** Reads the tokens one by one, so that a look at the first words of a long statement is cheap. */
export function* tokenize(sql: string, from = 0): Generator<Token> {
  let position = from;
  while (position < sql.length) {
    WHITE_SPACE.lastIndex = position;
    if (WHITE_SPACE.test(sql)) position = WHITE_SPACE.lastIndex;
    if (position >= sql.length) return;
    const token = tokenAt(sql, position);
    yield token;
    position = token.end;
  }
}

function tokenAt(sql: string, start: number): Token {
  for (const [kind, pattern] of RULES) {
    pattern.lastIndex = start;
    if (pattern.test(sql) && pattern.lastIndex > start)
      return { kind, start, end: pattern.lastIndex, text: sql.slice(start, pattern.lastIndex) };
  }
  return { kind: 'illegal', start, end: start + 1, text: sql.slice(start, start + 1) };
}

/** The tokens that carry meaning: comments are left out. */
export function* significantTokens(sql: string): Generator<Token> {
  for (const token of tokenize(sql)) if (token.kind !== 'comment') yield token;
}

/** The name that a token stands for, without its quotes; undefined for what is no name. */
export function nameOfToken(token: Token): string | undefined {
  if (token.kind === 'word') return token.text;
  if (token.kind !== 'name') return undefined;
  const open = token.text.charAt(0);
  const inner = token.text.slice(1, -1);
  return open === '[' ? inner : inner.replaceAll(open + open, open);
}
