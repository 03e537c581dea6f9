import { describeLexer } from '../describe-lexer.ts';
import { startPostgres } from './postgres.ts';

describeLexer('PostgreSQL', startPostgres, 600, {
  'no escapes in E strings': { stringPrefixes: [] },
  'no comments in comments': { blockComments: 'flat' },
  'a carriage return that ends no line': { carriageReturnEndsLine: false },
  'blanks of Unicode': { blankPattern: '\\s+', wordPattern: undefined },
  'operators that may end in a comment': { operatorPattern: '//|[-+*/%=<>|&~^!:#@?$]' },
});
