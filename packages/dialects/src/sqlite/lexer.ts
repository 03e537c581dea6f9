import type { LexerTraits } from '@askema/core';

const LETTERS = 'A-Za-z0-9_$\\u0080-\\uFFFF';
const NUMBER = `(?:0[xX][0-9a-fA-F_]+|(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d[\\d_]*)?)(?![${LETTERS}])`;

/**
 * SQLite's text of SQL, by its own tokenizer (`sqlite3GetToken` in https://sqlite.org/src/file/src/tokenize.c) and
 * https://sqlite.org/lang_keywords.html (quotes), lang_comment.html, lang_expr.html (literals, parameters).
 */
export const sqliteLexer: LexerTraits = {
  lineComments: ['--'],
  blockComments: 'flat',
  stringQuotes: ["'"],
  backslashEscapes: false,
  dollarQuotes: false,
  identifierQuotes: [
    ['"', '"'],
    ['`', '`'],
    ['[', ']'],
  ],
  // https://sqlite.org/quirks.html#double_quoted_string_literals_are_accepted
  quotedNamesMayBeText: true,
  parameterPrefixes: ['?', ':', '@', '$', '#'],
  stringPrefixes: [{ prefix: 'x', doubledQuotes: false }],
  templates: [],
  // A vertical tab is white space behind other white space only, a byte order mark wherever a token may begin.
  blankPattern: '(?:[ \\t\\n\\f\\r][ \\t\\n\\v\\f\\r]*|\\uFEFF)+',
  wordPattern: `[A-Za-z_\\u0080-\\uFFFF][${LETTERS}]*`,
  numberPattern: NUMBER,
  operatorPattern: '->>|->|<=|<>|<<|>=|>>|==|!=|\\|\\||[-+*/%=<>|&~]',
  // Odd blobs, and digits that letters follow.
  unknownPattern: `[xX]'(?!(?:[0-9a-fA-F]{2})*')[^']*'?|(?!${NUMBER})\\.?\\d[.${LETTERS}]*`,
  nameFolding: { unquoted: 'none', comparison: 'insensitive' },
  // Beyond the core, what builds and extensions add, to a handle that cannot write as well: those of the shell
  // (https://sqlite.org/cli.html#sql_functions, src/file/ext/misc: fileio, zipfile, eval, carray), of FTS3
  // (https://sqlite.org/fts3.html#custom_application_defined_tokenizers), of https://github.com/nalgeon/sqlean
  // (fileio, define), of SQLite3 Multiple Ciphers.
  statements: {
    effectFunctions:
      'WRITEFILE READFILE EDIT LSMODE REALPATH FSDIR LSDIR MKDIR SYMLINK FILEIO_* ZIPFILE LOAD_EXTENSION EVAL DEFINE DEFINE_FREE UNDEFINE FTS3_TOKENIZER SQLITE_CRYPT SQLITE3MC_* SQLITE_DBPAGE SQLITE_DBPTR SQLITE_DBDATA CARRAY'.split(
        ' ',
      ),
    effectTables: 'FSDIR LSDIR FILEIO_* ZIPFILE SQLITE_DBPAGE SQLITE_DBPTR SQLITE_DBDATA CARRAY'.split(' '),
  },
};
