import type { FuzzedEngine } from './engines/fuzzed-engine.ts';

/** What lexers disagree about, in every engine. */
const PIECES = [
  ...["'", "''", '"', '""', '`', '\\', "\\'", '\\\\', '--', '-- ', '-', '/*', '*/', '/', '*', '/**/', '/*/', '#', ';'],
  ...['\n', '\r', '\r\n', '\f', '\v', '\t', ' ', '\0', '\u00A0', '\uFEFF', '\u0085', '\u2028', '\u3000', '\u200B'],
  ...['\u{1F600}', '\uD800', 'é', 'ſ', 'İ', '\x7f', '\x01', '\u1680', '\u00AD', '\u2003', '\u205f'],
  ...['$', '$$', '{{', '}}', '{%', '${', '@{', '?', ':', '::', ':x', '@', '@x', '$1', '%', '(', ')', ',', '.', '..'],
  ...['+', '=', '<', '>', '|', '||', '&', '!', '~', '^', '[', ']', '{', '}', '1', '0x', '1e', '1_0', '.5', '5.', '0b1'],
  ...['e', 'E', 'u', 'U&', 'r', 'b', 'x', 'n', 'N', 'm1', 'AS', 'AS q', 'SELECT', 'SELECT 1', 'FROM m', 'UNION', 'IN'],
  ...['; SELECT 2', '; DELETE FROM w', '; INSERT INTO w VALUES (1)', ";'", '/*;*/', '--;\n', "'--'", "'/*'", '"--"'],
];

const GAPS = [
  '',
  ' ',
  ' ',
  ' ',
  '\n',
  '\t',
  '\r',
  '\f',
  '\v',
  '\r\n',
  '\u00A0',
  '\uFEFF',
  '\u2028',
  '\u0085',
  '\u3000',
];
const COMMENTS: readonly (readonly [string, string])[] = [
  ['/*', '*/'],
  ['/* ', ' */'],
  ['/**', '**/'],
  ['--', '\n'],
  ['-- ', '\n'],
  ['-- ', '\r\n'],
  ['-- ', '\r'],
  ['#', '\n'],
  ['/*', '/* */ */'],
];
/** In front of what closes a quote or a comment. */
const LAST_PIECES = ['\\', '\\', '\\', '\\\\', "''", '""', "'", '"', '`', '*', '-', '$', '/'];
const OPERATORS = ['||', '=', '<', '-', '- -', '/', '*', '||/**/', '=--\n', '<>', '-/*'];

/** Texts of random pieces; the same numbers give the same texts. A text is kept in its pieces, to make it smaller. */
export function generateText(random: () => number, engine: FuzzedEngine): string[] {
  const pieces = [...PIECES, ...engine.pieces, ...engine.pieces];
  const below = (count: number): number => Math.floor(random() * count);
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const times = <T>(most: number, make: () => T): T[] => Array.from({ length: below(most + 1) }, make);
  const oddLetter = (): string => String.fromCharCode(below(random() < 0.7 ? 256 : 65_536));
  const piece = (): string => (random() < 0.04 ? oddLetter() : pick(pieces));

  const inside = (): string[] => [...times(4, piece), ...(random() < 0.3 ? [pick(LAST_PIECES)] : [])];
  const gap = (): string[] => {
    const dice = random();
    if (dice < 0.5) return [' '];
    if (dice < 0.75) return [pick(GAPS)];
    const [open, close] = pick(COMMENTS);
    return [open, ...inside(), close];
  };
  const filled = (forms: readonly string[]): string[] => {
    const [open = '', ...rest] = pick(forms).split('…');
    return [open, ...rest.flatMap((part) => [...inside(), part])];
  };
  const literal = (): string[] => filled(engine.literals);
  const expression = (depth: number): string[] => {
    const dice = random();
    if (dice < 0.15) return [...literal(), ...gap(), pick(OPERATORS), ...gap(), ...literal()];
    if (dice < 0.2 && depth < 2) return ['(', ...query(depth + 1), ')'];
    return literal();
  };
  const item = (depth: number): string[] => [
    ...expression(depth),
    ...(random() < 0.2
      ? [...gap(), 'AS', ...gap(), ...(random() < 0.5 ? filled(engine.names) : ['q', ...times(2, piece)])]
      : []),
  ];
  const query = (depth: number): string[] => [
    'SELECT',
    ' ',
    ...gap(),
    ...item(depth),
    ...times(2, () => [...gap(), ',', ...gap(), ...item(depth)]).flat(),
    ...(random() < 0.3 ? [' ', 'FROM m', ...gap()] : gap()),
  ];
  const withQuery = (): string[] => [
    'WITH',
    ...gap(),
    ' a ',
    'AS',
    ...gap(),
    '(',
    ...query(1),
    ')',
    ...(random() < 0.5 ? [...gap(), ',', ...gap(), 'b', ' ', 'AS (', ...query(1), ')'] : []),
    ...gap(),
    ...(random() < 0.5 ? query(0) : ['SELECT * FROM a']),
  ];
  const statement = (): string[] => {
    const dice = random();
    if (dice < 0.15) return ['SELECT ', ...times(6, piece)];
    return dice < 0.3 ? withQuery() : query(0);
  };

  const text = statement();
  while (random() < 0.15) text.push(';', ...gap(), ...statement());
  if (random() < 0.05) text.push(';', ...gap(), pick(['DELETE FROM w', 'INSERT INTO w VALUES (1)']));
  if (random() < 0.3)
    for (const broken of times(3, piece)) text.splice(below(text.length + 1), random() < 0.3 ? 1 : 0, broken);
  return text.filter((part) => part !== '');
}
