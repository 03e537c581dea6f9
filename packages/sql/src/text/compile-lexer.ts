import type { LexerTraits } from '@askema/core';

/** A way in which a quoted text opens, and how it ends. */
export interface QuoteRule {
  /** Lower case; letters in front of the quote included. */
  readonly open: string;
  readonly close: string;
  readonly doubled: boolean;
  readonly backslash: boolean;
}

/** A dialect's traits as sticky patterns and look-up tables. */
export interface CompiledLexer {
  /**
   * By character code below 128: which rules may begin there, as a sum of {@link RULE}; others are blanks, words or
   * unknown.
   */
  readonly rules: Uint16Array;
  readonly blank: RegExp;
  readonly word: RegExp;
  readonly number: RegExp;
  readonly operator: RegExp;
  readonly parameter: RegExp | undefined;
  readonly unknown: RegExp | undefined;
  readonly lineComments: readonly string[];
  readonly lineEnd: RegExp;
  readonly blockComments: boolean;
  readonly nestedComments: boolean;
  readonly strings: readonly QuoteRule[];
  readonly names: readonly QuoteRule[];
  readonly templates: readonly (readonly [string, string])[];
  readonly dollarQuote: RegExp | undefined;
  readonly colonPaths: boolean;
}

/** Bits of {@link CompiledLexer.rules}. */
export const RULE = {
  lineComment: 1,
  blockComment: 2,
  string: 4,
  dollar: 8,
  name: 16,
  template: 32,
  number: 64,
  parameter: 128,
  blank: 256,
  word: 512,
  punctuation: 1024,
};

/** dbt and Jinja; shells and notebooks. */
const TEMPLATES: readonly (readonly [string, string])[] = [
  ['{{', '}}'],
  ['{%', '%}'],
  ['{#', '#}'],
  ['${', '}'],
  ['@{', '}'],
];

const BLANK = '\\s+';
const WORD = '(?:[A-Za-z_]|[^\\x00-\\x7F\\s])(?:[\\w$]|[^\\x00-\\x7F\\s])*';
const NUMBER = '(?:0[xX][0-9a-fA-F_]+|(?:\\d[\\d_]*(?:\\.(?!\\.)[\\d_]*)?|\\.\\d[\\d_]*)(?:[eE][+-]?\\d[\\d_]*)?)';
const OPERATOR =
  '->>|#>>|<=>|!~\\*|->|#>|=>|:=|::|<=|>=|<>|<<|>>|!=|==|\\|\\||\\|>|&&|@>|<@|!~|~\\*|\\*\\*|//(?!\\*)|[-+*/%=<>|&~^!:#@?$\\\\]';

/** Memo; traits are immutable data. */
const compiledLexers = new WeakMap<LexerTraits, CompiledLexer>();

/** What a dialect's traits say, ready to run. */
export function compileLexer(traits: LexerTraits): CompiledLexer {
  let compiled = compiledLexers.get(traits);
  if (compiled === undefined) {
    compiled = compile(traits);
    compiledLexers.set(traits, compiled);
  }
  return compiled;
}

function compile(traits: LexerTraits): CompiledLexer {
  const strings = stringRules(traits);
  const names = traits.identifierQuotes.map(([open, close]) => ({
    open,
    close,
    doubled: open === close && traits.identifierBackslashEscapes !== true,
    backslash: traits.identifierBackslashEscapes === true,
  }));
  const templates = traits.templates ?? TEMPLATES;
  const rules = new Uint16Array(128);
  const mark = (text: string, rule: number): void => {
    for (const character of [text.charAt(0).toLowerCase(), text.charAt(0).toUpperCase()]) {
      const code = character.charCodeAt(0);
      if (code < 128) rules[code] = (rules[code] ?? 0) | rule;
    }
  };
  for (const open of traits.lineComments) mark(open, RULE.lineComment);
  if (traits.blockComments !== 'none') mark('/', RULE.blockComment);
  for (const { open } of strings) mark(open, RULE.string);
  for (const { open } of names) mark(open, RULE.name);
  for (const [open] of templates) mark(open, RULE.template);
  for (const prefix of traits.parameterPrefixes) mark(prefix, RULE.parameter);
  for (const digit of '.0123456789') mark(digit, RULE.number);
  if (traits.dollarQuotes) mark('$', RULE.dollar);
  for (const character of '()[]{},;.') mark(character, RULE.punctuation);
  const blank = sticky(traits.blankPattern ?? BLANK);
  const word = sticky(traits.wordPattern ?? WORD);
  for (let code = 0; code < 128; code += 1) {
    const character = String.fromCharCode(code);
    if (matches(blank, character)) mark(character, RULE.blank);
    if (matches(word, character)) mark(character, RULE.word);
  }
  return {
    rules,
    blank,
    word,
    number: sticky(traits.numberPattern ?? NUMBER),
    operator: sticky(traits.operatorPattern ?? OPERATOR),
    parameter: parameterPattern(traits),
    unknown: traits.unknownPattern === undefined ? undefined : sticky(traits.unknownPattern),
    lineComments: traits.lineComments,
    lineEnd: traits.carriageReturnEndsLine === true ? /[\n\r]/g : /\n/g,
    blockComments: traits.blockComments !== 'none',
    nestedComments: traits.blockComments === 'nested',
    strings,
    names,
    templates,
    dollarQuote: dollarPattern(traits),
    colonPaths: traits.colonPaths === true,
  };
}

/** Longest first, so that triple quotes and prefixes win. */
function stringRules(traits: LexerTraits): QuoteRule[] {
  const plain = {
    prefix: '',
    backslashEscapes: traits.backslashEscapes,
    doubledQuotes: traits.doubledQuotes !== false,
  };
  return [plain, ...(traits.stringPrefixes ?? [])]
    .flatMap(({ prefix, backslashEscapes, doubledQuotes }) =>
      traits.stringQuotes.map((quote) => ({
        open: prefix.toLowerCase() + quote,
        close: quote,
        doubled: (doubledQuotes ?? plain.doubledQuotes) && quote.length === 1,
        backslash: backslashEscapes ?? plain.backslashEscapes,
      })),
    )
    .sort((one, other) => other.open.length - one.open.length);
}

function parameterPattern({ parameterPrefixes, wordPattern = WORD }: LexerTraits): RegExp | undefined {
  if (parameterPrefixes.length === 0) return undefined;
  const name = `(?:[\\w$]+(?:${wordPattern})?|${wordPattern})`;
  const alternatives = [...parameterPrefixes]
    .sort((one, other) => other.length - one.length)
    .map((prefix) => (prefix === '?' ? '\\?\\d*' : escapePattern(prefix) + name));
  return sticky(alternatives.join('|'));
}

function dollarPattern(traits: LexerTraits): RegExp | undefined {
  if (!traits.dollarQuotes) return undefined;
  return sticky(
    traits.dollarTags === true ? '\\$(?:(?:[A-Za-z_]|[^\\x00-\\x7F\\s])(?:\\w|[^\\x00-\\x7F\\s])*)?\\$' : '\\$\\$',
  );
}

function matches(pattern: RegExp, character: string): boolean {
  pattern.lastIndex = 0;
  return pattern.test(character);
}

function sticky(source: string): RegExp {
  return new RegExp(source, 'y');
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
