import type { LexerTraits } from '@askema/core';

/**
 * Snowflake's text of SQL. Sources, all on https://docs.snowflake.com/en: sql-reference/identifiers-syntax (double
 * quotes, folding), sql-reference/data-types-text (single quotes, backslash escapes, `$$`),
 * sql-reference/data-types-text#binary (X''), sql-reference/session-variables (`$name`),
 * sql-reference/constructs/values (`$1`), user-guide/querying-semistructured (`v:a.b`),
 * developer-guide/snowflake-scripting/blocks (DECLARE … BEGIN … END), sql-reference/operators-flow (`->>` chains
 * statements), user-guide/querying-sequences (NEXTVAL).
 */
export const snowflakeLexer: LexerTraits = {
  lineComments: ['--', '//'],
  blockComments: 'flat',
  stringQuotes: ["'"],
  backslashEscapes: true,
  dollarQuotes: true,
  identifierQuotes: [['"', '"']],
  parameterPrefixes: ['?', ':', '$'],
  stringPrefixes: [{ prefix: 'x', backslashEscapes: false }],
  colonPaths: true,
  nameFolding: { unquoted: 'upper', comparison: 'sensitive' },
  statements: {
    readers: ['SHOW', 'DESCRIBE', 'DESC'],
    // Whoever has such an address reads the file without being asked who he is (functions/get_presigned_url).
    effectFunctions: ['SYSTEM$*', '.NEXTVAL', 'GETNEXTVAL', 'GET_PRESIGNED_URL'],
    scripting: { declareOpensBlock: true },
    chainOperator: '->>',
  },
};
