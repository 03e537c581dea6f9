import type { IdentifierTraits, LexerTraits } from '@askema/core';

/** The most common reserved words of ISO SQL, for rendering without a dialect at hand. */
const RESERVED_WORDS =
  'ALL ALTER AND ANY AS ASC BETWEEN BY CASE CAST CHECK COLUMN CONSTRAINT CREATE CROSS CURRENT_DATE CURRENT_TIME CURRENT_TIMESTAMP DEFAULT DELETE DESC DISTINCT DROP ELSE END EXCEPT EXISTS FALSE FETCH FOR FOREIGN FROM FULL GRANT GROUP HAVING IN INDEX INNER INSERT INTERSECT INTO IS JOIN KEY LEFT LIKE LIMIT NATURAL NOT NULL OFFSET ON OR ORDER OUTER PRIMARY REFERENCES RIGHT ROW ROWS SELECT SET SOME TABLE THEN TO TRUE UNION UNIQUE UPDATE USER USING VALUES VIEW WHEN WHERE WINDOW WITH'.split(
    ' ',
  );

/** Standard SQL names, folded by nobody knows which rule: only lower case words without any doubt stay unquoted. */
export const STANDARD_IDENTIFIERS: IdentifierTraits = {
  quote: ['"', '"'],
  escape: 'double',
  unquotedFolding: 'none',
  comparison: 'insensitive',
  plainPattern: '[A-Za-z_][A-Za-z0-9_]*',
  reservedWords: RESERVED_WORDS,
  qualifiers: ['database', 'schema'],
};

/** Strings as standard SQL has them. */
export const STANDARD_LEXER: LexerTraits = {
  lineComments: ['--'],
  blockComments: 'flat',
  stringQuotes: ["'"],
  backslashEscapes: false,
  dollarQuotes: false,
  identifierQuotes: [['"', '"']],
  parameterPrefixes: ['?'],
};
