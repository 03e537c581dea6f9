import type { LexerTraits } from '@askema/core';
import { BIGQUERY_HARMLESS_FUNCTIONS } from './harmless-functions.ts';

/** White space beyond ASCII (`flex_tokenizer.l` of https://github.com/google/zetasql). */
const SPACES = '\\u0085\\u00A0\\u1680\\u180E\\u2000-\\u200A\\u2028\\u2029\\u202F\\u205F\\u3000';

const LETTERS = `\\w$\\u0080-\\uFFFF`;
/** What ends a name or an expression. */
const ENDS = `[${LETTERS}\`)\\]]`;
const NUMBER = `(?:0[xX][0-9a-fA-F]+|(?:\\d+(?:\\.\\d*)?|(?<!${ENDS})\\.\\d+)(?:[eE][+-]?\\d+)?)`;

/**
 * BigQuery's text of SQL (GoogleSQL). Sources, all on https://cloud.google.com/bigquery/docs/reference/standard-sql:
 * lexical (quotes, triple quotes, r and b prefixes, backslashes, backticks, comments, parameters, names of CTEs compare
 * without case), procedural-language (DECLARE, SET, blocks, `@@` variables), user-defined-functions (CREATE TEMP
 * FUNCTION), federated_query_functions (EXTERNAL_QUERY), bigqueryml-syntax-generate-text and
 * bigqueryml-syntax-ai-generate with their neighbours: functions that send cells to a model, which costs.
 */
export const bigqueryLexer: LexerTraits = {
  lineComments: ['--', '#'],
  blockComments: 'flat',
  stringQuotes: ["'''", '"""', "'", '"'],
  backslashEscapes: true,
  doubledQuotes: false,
  dollarQuotes: false,
  identifierQuotes: [['`', '`']],
  identifierBackslashEscapes: true,
  parameterPrefixes: ['@@', '@', '?'],
  // A backslash keeps a quote from ending a raw string as well; only its meaning differs.
  stringPrefixes: [{ prefix: 'r' }, { prefix: 'b' }, { prefix: 'rb' }, { prefix: 'br' }],
  carriageReturnEndsLine: true,
  blankPattern: `[ \\n\\r\\t\\b\\f\\v${SPACES}]+`,
  // Behind a dot, what begins like a number is a name: `sales.2024_orders`. Elsewhere no letter may follow a number.
  numberPattern: `(?<!${ENDS}\\.)${NUMBER}`,
  // But in the name of a project: `sales-2nd.orders`, `sales-2.orders`.
  unknownPattern: `(?<!-)(?<!${ENDS}\\.)(?:(?=\\d)|(?<!${ENDS})(?=\\.\\d))(?!${NUMBER}(?![${LETTERS}.])|\\d+\\.[A-Za-z_])[.${LETTERS}]+`,
  wordPattern: `(?:\\w|[^\\x00-\\x7F${SPACES}])(?:[\\w$]|[^\\x00-\\x7F${SPACES}])*`,
  nameFolding: { unquoted: 'none', comparison: 'insensitive' },
  statements: {
    readers: ['FROM'],
    harmlessFunctions: BIGQUERY_HARMLESS_FUNCTIONS,
    setup: [
      ['DECLARE'],
      ['SET'],
      ['CREATE', 'TEMP', 'FUNCTION'],
      ['CREATE', 'TEMPORARY', 'FUNCTION'],
      ['CREATE', 'OR', 'REPLACE', 'TEMP', 'FUNCTION'],
      ['CREATE', 'OR', 'REPLACE', 'TEMPORARY', 'FUNCTION'],
    ],
    // Names of their own count behind every qualifier. The others ask models outside of the data, or give them away,
    // and bill for it.
    effectFunctions: [
      'EXTERNAL_QUERY',
      // Gives addresses of files that anybody can read (object-table-introduction#signed_urls).
      'EXTERNAL_OBJECT_TRANSFORM',
      'AI.*',
      'ML.TRANSLATE',
      'ML.PREDICT',
      'OBJ.*',
      'GENERATE',
      'GENERATE_TEXT',
      'GENERATE_TABLE',
      'GENERATE_BOOL',
      'GENERATE_INT',
      'GENERATE_DOUBLE',
      'GENERATE_EMBEDDING',
      'GENERATE_TEXT_EMBEDDING',
      'UNDERSTAND_TEXT',
      'ANNOTATE_IMAGE',
      'PROCESS_DOCUMENT',
      'TRANSCRIBE',
    ],
    scripting: { declareOpensBlock: false },
  },
};
