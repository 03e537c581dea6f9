import type { FunctionTraits, Span } from '@askema/core';
import type { BlockPlace, BlockRole, QueryBlock } from '@askema/sql';
import { spanOf, type TokenRange, type TokenTable } from '../source/token-table.ts';

/**
 * A part of the parser's tree that could not be found in the source: there is no shape then, rather than a guessed one.
 */
export class NotLocated extends Error {}

/** A shape's interface while it is being filled. */
export type Draft<T> = {
  -readonly [Key in keyof T]: T[Key] extends readonly (infer Element)[] ? Element[] : T[Key];
};

export type BlockDraft = Omit<Draft<QueryBlock>, 'clauses' | 'conditions'> & {
  clauses: Draft<QueryBlock['clauses']>;
  conditions: Draft<QueryBlock['conditions']>;
};

export interface Builder {
  readonly table: TokenTable;
  readonly functions: FunctionTraits;
  readonly blocks: BlockDraft[];
  /** Per token: 1 where it is part of something that was located. */
  readonly claimed: Uint8Array;
}

export interface BlockOptions {
  readonly parent: number | undefined;
  readonly place: BlockPlace;
  readonly role: BlockRole;
}

/** A new empty block at the end of the list. */
export function addBlock(builder: Builder, range: TokenRange, options: BlockOptions): BlockDraft {
  const block: BlockDraft = {
    id: builder.blocks.length,
    ...options,
    kind: 'other',
    span: mustSpan(builder, range),
    clauses: {},
    ctes: [],
    distinct: false,
    items: [],
    relations: [],
    joins: [],
    columns: [],
    filters: [],
    conditions: {},
    groupings: [],
    calls: [],
    orderBy: [],
    limit: undefined,
    setOperation: undefined,
    subqueries: [],
  };
  builder.blocks.push(block);
  return block;
}

export function mustSpan(builder: Builder, range: TokenRange): Span {
  const span = spanOf(builder.table, range);
  if (span === undefined) throw new NotLocated('an empty part of the query');
  return span;
}

/** The whole numbers from `from` up to, not including, `to`. */
export function indexes(from: number, to: number): readonly number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
}
