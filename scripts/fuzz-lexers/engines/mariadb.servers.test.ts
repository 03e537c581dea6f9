import { describeLexer } from '../describe-lexer.ts';
import { startMariadb } from './mariadb.ts';

describeLexer('MariaDB', startMariadb, 800, {
  'a comment behind two hyphens alone': { lineComments: ['--', '#'] },
  'a comment only where a blank follows': { lineComments: ['-- ', '--\t', '--\n', '--\r', '#'] },
  'a carriage return that ends a line': { carriageReturnEndsLine: true },
  'names that begin with no digit': { wordPattern: undefined, numberPattern: undefined },
});
