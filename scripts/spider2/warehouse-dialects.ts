import type { Dialect } from '@askema/core';
import { STANDARD_IDENTIFIERS, STANDARD_LEXER } from '@askema/grounding';

/** How the databases of each corpus write names. */
export const CORPUS_DIALECTS: Readonly<Record<string, Pick<Dialect, 'identifiers' | 'lexer'>>> = {
  snowflake: {
    identifiers: { ...STANDARD_IDENTIFIERS, unquotedFolding: 'upper', comparison: 'sensitive' },
    lexer: STANDARD_LEXER,
  },
  bigquery: {
    identifiers: { ...STANDARD_IDENTIFIERS, quote: ['`', '`'], escape: 'backslash', comparison: 'sensitive' },
    lexer: { ...STANDARD_LEXER, backslashEscapes: true },
  },
  sqlite: { identifiers: STANDARD_IDENTIFIERS, lexer: STANDARD_LEXER },
};
