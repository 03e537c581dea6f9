import type { Grammar } from '@askema/core';
import type { TreeQuery } from './tree/tree.ts';

/** What a back-end made of the text of one query. `offset` counts UTF-16 code units from the beginning of that text. */
export type BackEndResult =
  | { readonly ok: true; readonly query: TreeQuery }
  | { readonly ok: false; readonly reason: string; readonly offset?: number | undefined };

/** A parser of somebody else, behind the common tree. It runs in the worker. */
export interface BackEnd {
  readonly name: BackEndName;
  /** Its own grammars for that of a dialect, in the order in which they are tried. */
  grammars(grammar: Grammar): readonly string[];
  /**
   * Operators that a grammar of its own lacks or reads wrongly, each with one of the same rank that it is handed in its
   * place; the shape takes the operator from the source.
   */
  readonly standIns?: Readonly<Record<string, Readonly<Record<string, string>>>> | undefined;
  /**
   * @param base where the text begins in the source; leaves of the tree are located there.
   * @throws BackEndBroken when it cannot go on in this worker.
   */
  parse(text: string, grammar: string, base: number): BackEndResult;
}

export type BackEndName = 'sqlparser-ts' | 'node-sql-parser';

/** The back-end's state is not to be trusted any more: the worker has to be replaced. */
export class BackEndBroken extends Error {}
