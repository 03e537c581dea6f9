import { describeLexer } from '../describe-lexer.ts';
import { startSqlite } from './sqlite.ts';

describeLexer('SQLite', startSqlite, 1_500, {
  'a backslash that escapes': { backslashEscapes: true },
  'a comment in a comment': { blockComments: 'nested' },
  'a carriage return that ends a line': { carriageReturnEndsLine: true },
  'blanks of Unicode': { blankPattern: '\\s+' },
});
