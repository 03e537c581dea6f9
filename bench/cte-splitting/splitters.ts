import type { LexerTraits } from '@askema/core';
import { splitCtes } from '@askema/sql';
import { traitsOf } from '../../scripts/spider2/cte-agreement.ts';
import type { Statement } from './statements.ts';

/**
 * Names of the CTEs that the last statement of a text begins with, as they are written but without quotes. Throws where
 * it cannot.
 */
export type Splitter = (statement: Statement) => readonly string[];

export interface SplitterKind {
  readonly name: string;
  readonly own: boolean;
  readonly load: () => Promise<Splitter>;
}

export const SPLITTERS: readonly SplitterKind[] = [
  { name: 'askema', own: true, load: async () => askema },
  { name: 'node-sql-parser', own: false, load: nodeSqlParser },
  { name: '@polyglot-sql/sdk', own: false, load: polyglot },
];

const askema: Splitter = ({ sql, dialect }) => {
  const traits: LexerTraits = traitsOf(dialect);
  const { ctes, complete } = splitCtes(sql, traits);
  if (!complete) throw new Error('A bracket is missing.');
  return ctes.map(({ name }) => name);
};

interface NodeSqlParserCte {
  readonly name: { readonly value: string };
}

async function nodeSqlParser(): Promise<Splitter> {
  const { default: library } = await import('node-sql-parser');
  const parser = new library.Parser();
  const databases: Readonly<Record<string, string>> = { postgres: 'postgresql', duckdb: 'postgresql' };
  return ({ sql, dialect }) => {
    const tree: unknown = parser.astify(sql, { database: databases[dialect] ?? dialect });
    let last: unknown = Array.isArray(tree) ? tree.findLast((one) => one !== null && one !== undefined) : tree;
    // CREATE … AS and INSERT hold their query.
    for (const key of ['query_expr', 'values'])
      if (field(last, 'with') == null && field(last, key) != null) last = field(last, key);
    const ctes = field(last, 'with');
    return Array.isArray(ctes) ? (ctes as readonly NodeSqlParserCte[]).map(({ name }) => name.value) : [];
  };
}

interface PolyglotCte {
  readonly alias: { readonly name: string };
}

async function polyglot(): Promise<Splitter> {
  const { parse } = await import('@polyglot-sql/sdk');
  return ({ sql, dialect }) => {
    const { success, error, ast } = parse(sql, (dialect === 'postgres' ? 'postgresql' : dialect) as never) as {
      readonly success: boolean;
      readonly error?: string;
      readonly ast?: unknown;
    };
    if (!success) throw new Error(error);
    let last: unknown = Array.isArray(ast) ? ast.at(-1) : ast;
    // Each node is an object of one key, its kind; brackets, CREATE and INSERT hold their query.
    for (let depth = 0; depth < 10; depth += 1) {
      const node = typeof last === 'object' && last !== null ? Object.values(last)[0] : undefined;
      const ctes = field(field(node, 'with'), 'ctes');
      if (Array.isArray(ctes)) return (ctes as readonly PolyglotCte[]).map(({ alias }) => alias.name);
      last = field(node, 'this') ?? field(node, 'as_select') ?? field(node, 'query');
    }
    return [];
  };
}

const field = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[key] : undefined;
