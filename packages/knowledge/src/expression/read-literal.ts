import type { SqlToken } from '@askema/sql';
import type { Literal } from './expression.ts';
import { timePart } from './functions.ts';
import type { TokenCursor } from './token-cursor.ts';

/** What a text in quotes says. Letters in front of the quotes are refused, but for the N of standard SQL. */
export function textOf(token: SqlToken, tokens: TokenCursor): string {
  const { lexer } = tokens;
  const text = token.text.replace(/^n(?=')/i, '');
  const quote = lexer.stringQuotes.find((open) => text.startsWith(open));
  if (quote === undefined)
    return tokens.refuse(`${token.text.slice(0, 20)} is a text of a special kind; write it in plain quotes`, token);
  const inner = text.slice(quote.length, -quote.length);
  if (!lexer.backslashEscapes) return inner.replaceAll(quote + quote, quote);
  return inner.replace(/\\([\s\S])|(''|"")/g, (found, escaped: string | undefined, doubled: string | undefined) => {
    if (doubled !== undefined) return doubled === quote + quote ? quote : doubled;
    const meant = ESCAPED[escaped ?? ''];
    // Engines differ in what they take others for: `\%` is two characters here and a percent sign there.
    return (
      meant ?? tokens.refuse(`\`${found}\` means something else on each engine; write the character itself`, token)
    );
  });
}

/** What engines with backslashes in texts agree on. */
const ESCAPED: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '`': '`',
};

/** A number in decimal digits. */
export function numberOf(token: SqlToken, tokens: TokenCursor): Literal {
  if (/^(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(token.text)) return literal('number', token.text, token);
  return tokens.refuse(`\`${token.text}\` is no number in decimal digits`, token);
}

/** `INTERVAL` was read: `'1' DAY`, `1 DAY` or `'1 day'`. Whole numbers of one unit. */
export function intervalOf(tokens: TokenCursor): { count: Literal; unit: string } {
  const token = tokens.next('a number');
  const said = token.kind === 'string' ? textOf(token, tokens) : token.text;
  const [, value, inside] = /^\s*([+-]?\d{1,9})\s*([A-Za-z]*)\s*$/.exec(said) ?? [];
  if (value === undefined)
    return tokens.refuse(`INTERVAL ${token.text} is not known; write a whole number and a unit`, token);
  const named = inside === '' || inside === undefined ? tokens.next('a unit of time') : undefined;
  const unit = timePart(named?.text ?? inside ?? '');
  if (unit === undefined || unit.startsWith('DAYOF'))
    return tokens.refuse(
      `\`${named?.text ?? inside}\` is no unit of time; day, week, month, quarter and year are`,
      token,
    );
  const { start, end } = token;
  return { count: { kind: 'literal', type: 'number', value, span: { start, end } }, unit };
}

/** The name of a type in upper case: `DECIMAL(10, 2)`, `DOUBLE PRECISION`. */
export function typeName(tokens: TokenCursor): string {
  const token = tokens.next('a type');
  if (token.kind !== 'word') return tokens.refuse(`\`${token.text}\` stands where a type should`, token);
  let name = token.text.toUpperCase();
  if (name === 'DOUBLE' && tokens.takeWords('PRECISION')) name = 'DOUBLE PRECISION';
  if (name === 'CHARACTER' && tokens.takeWords('VARYING')) name = 'VARCHAR';
  if (!tokens.takeSymbol('(')) return name;
  const sizes: string[] = [];
  do {
    const size = tokens.next('a size');
    if (!/^\d{1,5}$/.test(size.text)) tokens.refuse(`\`${size.text}\` is no size of a type`, size);
    sizes.push(size.text);
  } while (tokens.takeSymbol(','));
  tokens.needSymbol(')');
  return `${name}(${sizes.join(', ')})`;
}

/** A literal that is one token. */
export function literal(type: Literal['type'], value: string, { start, end }: SqlToken): Literal {
  return { kind: 'literal', type, value, span: { start, end } };
}
