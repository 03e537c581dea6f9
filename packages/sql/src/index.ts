export type {
  BlockPlace,
  BlockRole,
  CallShape,
  Clause,
  ColumnShape,
  ConditionShape,
  CteShape,
  FilterOperator,
  FilterShape,
  GroupingShape,
  JoinPair,
  JoinShape,
  LimitShape,
  LiteralShape,
  NamePart,
  OperandShape,
  OrderShape,
  QueryBlock,
  QueryShape,
  RelationRef,
  RelationShape,
  SelectItemShape,
  SetOperationShape,
  SubqueryShape,
  WindowShape,
} from './shape/query-shape.ts';
export type { ParseFailure, ParseOptions, ParseResult, SqlParser } from './shape/sql-parser.ts';

export { type CallInText, callsIn } from './text/calls-in.ts';
export { fillParameters, type ParameterFill } from './text/fill-parameters.ts';
export { foldName } from './text/fold-name.ts';
export { lexSql, scanSql, significantTokens } from './text/lex-sql.ts';
export { type PrefixOptions, prefixQuery } from './text/prefix-query.ts';
export { queryOfView } from './text/query-of-view.ts';
export { isSelectOnly, type ReadOnlyVerdict, readOnlyText } from './text/read-only-text.ts';
export { redactSql } from './text/redact-sql.ts';
export {
  type QualifiedRelation,
  qualifiedRelations,
  type RelationInText,
  relationPlaces,
  relationsIn,
} from './text/relations-in.ts';
export { splitCtes } from './text/split-ctes.ts';
export { splitStatements } from './text/split-statements.ts';
export { comparedName, isSymbol, isWord, nameOfToken, type SqlToken, type SqlTokenKind } from './text/sql-token.ts';
export { type StatementKind, statementKind } from './text/statement-kind.ts';
export { type NameInText, namesIn, stripComments } from './text/strip-comments.ts';
