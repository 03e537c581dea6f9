import { describeLexer } from '../describe-lexer.ts';
import { startDuckdb } from './duckdb.ts';

describeLexer('DuckDB', startDuckdb, 800, {
  'no escapes in E strings': { stringPrefixes: [] },
  'no comments in comments': { blockComments: 'flat' },
  'a carriage return that ends no line': { carriageReturnEndsLine: false },
  'operators that may end in a comment': { operatorPattern: '//|[-+*/%=<>|&~^!:#@?$]' },
});
