import type { LexerTraits } from '@askema/core';

/**
 * MySQL's text of SQL under its default SQL mode (neither ANSI_QUOTES nor NO_BACKSLASH_ESCAPES). Sources, all on
 * https://dev.mysql.com/doc/refman/8.4/en: comments (`--` needs white space behind it, `/*!` is code), string-literals, identifiers,
 * user-variables, locking-functions, string-functions, miscellaneous-functions.
 */
export const mysqlLexer: LexerTraits = {
  lineComments: ['-- ', '--\t', '--\n', '--\r', '#'],
  blockComments: 'flat',
  stringQuotes: ["'", '"'],
  backslashEscapes: true,
  dollarQuotes: false,
  identifierQuotes: [['`', '`']],
  parameterPrefixes: ['?', '@@', '@'],
  stringPrefixes: [{ prefix: 'n' }, { prefix: 'x' }, { prefix: 'b' }],
  // What an executable comment holds is read as code, because the server runs it; its closing mark is two operators.
  unknownPattern: '/\\*M?!\\d*',
  nameFolding: { unquoted: 'none', comparison: 'insensitive' },
  statements: {
    readers: ['TABLE', 'SHOW', 'DESCRIBE', 'DESC'],
    effectFunctions: [
      'SLEEP',
      'BENCHMARK',
      'GET_LOCK',
      'RELEASE_LOCK',
      'RELEASE_ALL_LOCKS',
      'LOAD_FILE',
      'LAST_INSERT_ID',
      'MASTER_POS_WAIT',
      'SOURCE_POS_WAIT',
      'WAIT_FOR_EXECUTED_GTID_SET',
      'GROUP_REPLICATION_*',
      'ASYNCHRONOUS_CONNECTION_FAILOVER_*',
    ],
  },
};
