import type { LexerTraits } from '@askema/core';

/** Standard SQL (ISO 9075-2, sections 5.2 to 5.4), for text whose dialect is not known. */
export const ansiLexer: LexerTraits = {
  lineComments: ['--'],
  blockComments: 'nested',
  stringQuotes: ["'"],
  backslashEscapes: false,
  dollarQuotes: false,
  identifierQuotes: [['"', '"']],
  parameterPrefixes: ['?', ':'],
  stringPrefixes: [{ prefix: 'n' }, { prefix: 'b' }, { prefix: 'x' }, { prefix: 'u&' }],
  nameFolding: { unquoted: 'upper', comparison: 'sensitive' },
  statements: { readers: ['TABLE'] },
};
