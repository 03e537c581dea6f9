import type { LexerTraits } from '@askema/core';
import { SNOWFLAKE_HARMLESS_FUNCTIONS } from './harmless-functions.ts';

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
    harmlessFunctions: SNOWFLAKE_HARMLESS_FUNCTIONS,
    // constructs/at-before, match_recognize, pivot, asof-join, group-by-rollup, sample; sql/select (EXCLUDE, RENAME).
    clauseWords:
      'AT BEFORE BERNOULLI BLOCK CHANGES CUBE END EXCLUDE MATCH_CONDITION MATCH_RECOGNIZE OVER PATTERN PIVOT RENAME REPEATABLE ROLLUP SEED SETS SYSTEM UNPIVOT'.split(
        ' ',
      ),
    // Whoever has an address of a file reads it without being asked who he is
    // (functions/get_presigned_url, build_scoped_file_url, build_stage_file_url). Functions of Cortex send cells to a
    // model, which bills for it, or train one (functions/finetune-snowflake-cortex, ai_complete and its neighbours).
    effectFunctions: [
      'SYSTEM$*',
      '.NEXTVAL',
      'GETNEXTVAL',
      'GET_PRESIGNED_URL',
      'BUILD_SCOPED_FILE_URL',
      'BUILD_STAGE_FILE_URL',
      'CORTEX.*',
      'AI_*',
    ],
    scripting: { declareOpensBlock: true },
    chainOperator: '->>',
  },
};
