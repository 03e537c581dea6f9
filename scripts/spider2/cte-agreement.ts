import type { CteSplit, LexerTraits } from '@askema/core';
import { prefixQuery, splitCtes, splitStatements } from '@askema/sql';
import * as lexers from '../../packages/dialects/src/index.ts';
import { askSqlglot, type Sqlglot } from './sqlglot.ts';

/** A statement and the name of its dialect, which is sqlglot's name too. */
export interface DialectStatement {
  readonly id: string;
  readonly dialect: string;
  readonly sql: string;
}

/** One statement as it was split here; the input of `servers/sqlglot/compare_ctes.py`. */
export interface Question extends DialectStatement {
  readonly statements: number;
  readonly withs: number;
  readonly recursive: boolean;
  readonly ctes: readonly { readonly name: string; readonly body: string }[];
  readonly prefixes: readonly string[];
}

/** What sqlglot says of one statement that was split here. */
export interface Agreement {
  readonly id: string;
  /** False when sqlglot does not parse the statement: nothing can be compared. */
  readonly parsed: boolean;
  readonly error?: string;
  readonly disagreements: readonly string[];
  readonly prefixes: number;
  readonly unparsed_prefixes: readonly { readonly cte: string; readonly error: string }[];
}

const TRAITS: Readonly<Record<string, LexerTraits>> = {
  snowflake: lexers.snowflakeLexer,
  bigquery: lexers.bigqueryLexer,
  postgres: lexers.postgresLexer,
  duckdb: lexers.duckdbLexer,
  sqlite: lexers.sqliteLexer,
};

/** The lexer settings of a dialect. */
export function traitsOf(dialect: string): LexerTraits {
  const traits = TRAITS[dialect];
  if (traits === undefined) throw new Error(`There are no lexer settings for ${dialect}.`);
  return traits;
}

/** Splits every statement, and has sqlglot compare names, bodies, nesting and the prefix queries. */
export function compareWithSqlglot(sqlglot: Sqlglot, statements: readonly DialectStatement[]): Promise<Agreement[]> {
  return compareSplits(sqlglot, statements.map(questionOf));
}

/** {@link compareWithSqlglot} for statements that were split before. */
export function compareSplits(sqlglot: Sqlglot, questions: readonly Question[]): Promise<Agreement[]> {
  return askSqlglot<Agreement>(sqlglot, 'compare_ctes.py', questions);
}

/** What is put before sqlglot: how one statement was split here. */
export function questionOf({ id, dialect, sql }: DialectStatement): Question {
  const traits = traitsOf(dialect);
  const split = splitCtes(sql, traits);
  return {
    id,
    dialect,
    sql,
    statements: splitStatements(sql, traits).length,
    withs: countWiths(split),
    recursive: split.recursive,
    ctes: split.ctes.map(({ name, body }) => ({ name, body })),
    prefixes: split.ctes.map((_, index) => prefixQuery(sql, split, index + 1, { traits, maxRows: 10 })),
  };
}

/** Every WITH, at any depth. */
function countWiths(split: CteSplit): number {
  const inner = [...split.subqueries, ...split.ctes.flatMap(({ nested }) => (nested === undefined ? [] : [nested]))];
  return (split.ctes.length > 0 ? 1 : 0) + inner.reduce((sum, one) => sum + countWiths(one), 0);
}
