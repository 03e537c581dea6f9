import { describeLexer } from '../describe-lexer.ts';
import { startZetaSql } from './zetasql.ts';

describeLexer('ZetaSQL', startZetaSql, 150, {
  'no triple quotes': { stringQuotes: ["'", '"'] },
  'a carriage return that ends no line': { carriageReturnEndsLine: false },
  'no comments behind #': { lineComments: ['--'] },
});
