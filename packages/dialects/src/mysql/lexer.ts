import type { LexerTraits } from '@askema/core';
import { MYSQL_HARMLESS_FUNCTIONS } from './harmless-functions.ts';

const LETTERS = '0-9A-Za-z_$\\u0080-\\uFFFF';
const EXPONENT = '[eE][+-]?\\d+';
/** White space and control characters: `--` in front of one, or at the end of the text, opens a comment. */
const CONTROLS = [32, ...Array(32).keys(), 127].map((code) => String.fromCharCode(code));

/**
 * MySQL's text of SQL under its default SQL mode (neither ANSI_QUOTES nor NO_BACKSLASH_ESCAPES). Sources, all on
 * https://dev.mysql.com/doc/refman/8.4/en: comments (`--` needs white space behind it, `/*!` is code), string-literals,
 * identifiers, user-variables, locking-functions, string-functions, miscellaneous-functions.
 */
export const mysqlLexer: LexerTraits = {
  lineComments: [...CONTROLS.map((control) => `--${control}`), '#'],
  blockComments: 'flat',
  stringQuotes: ["'", '"'],
  backslashEscapes: true,
  dollarQuotes: false,
  identifierQuotes: [['`', '`']],
  parameterPrefixes: ['?', '@@', '@'],
  stringPrefixes: [{ prefix: 'n' }, { prefix: 'x' }, { prefix: 'b' }],
  blankPattern: '[ \\t\\n\\v\\f\\r]+',
  // A name may begin with digits (`lex_one_token` in https://github.com/MariaDB/server/blob/main/sql/sql_lex.cc).
  wordPattern: `[${LETTERS}]+`,
  // Behind a name and a dot that touch, what begins like a number is a name: `shop.1e5x` is a column `1e5x`.
  numberPattern: `(?<![${LETTERS}\`]\\.)(?:(?:0x[0-9a-fA-F]+|0b[01]+|\\d+)(?![${LETTERS}.])|\\d+${EXPONENT}|(?:\\d+\\.\\d*|(?<![${LETTERS}\`])\\.\\d+)(?:${EXPONENT})?)`,
  // `\N` is NULL, whatever follows.
  operatorPattern: '->>|->|<=>|:=|<=|>=|<>|<<|>>|!=|==|\\|\\||&&|\\\\N|[-+*/%=<>|&~^!:@?$\\\\]',
  // What an executable comment holds is read as code, because the server runs it; its closing mark is two operators.
  unknownPattern: '/\\*M?!\\d*',
  nameFolding: { unquoted: 'none', comparison: 'insensitive' },
  statements: {
    // MariaDB 10.11 ends by a signal when it computes JSON_SEARCH in itself 120 times: it looks at its stack only while
    // it prepares.
    maxNested: 60,
    readers: ['TABLE', 'SHOW', 'DESCRIBE', 'DESC'],
    harmlessFunctions: MYSQL_HARMLESS_FUNCTIONS,
    neverRun:
      'BACKUP BEGIN BINLOG CACHE CHANGE CLONE COMMIT DEALLOCATE DELIMITER EXECUTE FLUSH GET HANDLER HELP INSTALL KILL LOAD LOCK PREPARE PURGE RELEASE RESET RESIGNAL RESTART ROLLBACK SAVEPOINT SET SHUTDOWN SIGNAL START STOP UNINSTALL UNLOCK USE XA'.split(
        ' ',
      ),
    // Also those of MariaDB, of the plugins that MySQL documents, and of sequences.
    effectFunctions:
      'SLEEP BENCHMARK GET_LOCK RELEASE_LOCK RELEASE_ALL_LOCKS SERVICE_GET_* SERVICE_RELEASE_LOCKS LOAD_FILE LAST_INSERT_ID NEXTVAL SETVAL MASTER_POS_WAIT MASTER_GTID_WAIT SOURCE_POS_WAIT WAIT_FOR_EXECUTED_GTID_SET WAIT_UNTIL_SQL_THREAD_AFTER_GTIDS WSREP_SYNC_WAIT_UPTO_GTID GROUP_REPLICATION_* ASYNCHRONOUS_CONNECTION_FAILOVER_* KEYRING_* AUDIT_LOG_* MASKING_DICTIONARY_* MASKING_DICTIONARIES_FLUSH SET_FIREWALL_* READ_FIREWALL_* MYSQL_FIREWALL_* LOAD_REWRITE_RULES FLUSH_REWRITE_CACHE VERSION_TOKENS_* OPTION_TRACKER_* SPIDER_* SYS_EXEC SYS_EVAL SYS_SET'.split(
        ' ',
      ),
  },
};
