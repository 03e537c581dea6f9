export { lexSql, scanSql, significantTokens } from './lex-sql.ts';
export { comparedName, nameOfToken } from './name-of-token.ts';
export { type PrefixOptions, prefixQuery } from './prefix-query.ts';
export { isSelectOnly, type ReadOnlyVerdict, readOnlyText } from './read-only-text.ts';
export { type Cte, type CteSplit, splitCtes } from './split-ctes.ts';
export { splitStatements } from './split-statements.ts';
export { isSymbol, isWord, type SqlToken, type SqlTokenKind } from './sql-token.ts';
export { type StatementKind, statementKind } from './statement-kind.ts';
export { type NameInText, namesIn, stripComments } from './strip-comments.ts';
