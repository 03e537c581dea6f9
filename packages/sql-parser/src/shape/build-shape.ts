import type { QueryShape } from '@askema/core';
import { isWord, spanOf, type TokenRange, type TokenTable } from '../source/token-table.ts';
import type { TreeQuery } from '../tree/tree.ts';
import { buildQuery } from './build-query.ts';
import { type Builder, NotLocated } from './builder.ts';
import { resolveNames } from './resolve-names.ts';

/**
 * The shape of a query: meaning from the tree, spans from the tokens.
 *
 * @throws NotLocated where tree and tokens do not fit together.
 */
export function buildShape(
  table: TokenTable,
  statement: TokenRange,
  tree: TreeQuery,
  facts: { readonly dialect: string; readonly statementCount: number; readonly parsedAs: string },
): QueryShape {
  const builder: Builder = {
    table,
    dialect: facts.dialect,
    blocks: [],
    claimed: new Uint8Array(table.tokens.length),
  };
  buildQuery(builder, tree, statement, { parent: undefined, place: 'statement', role: 'rows' });
  checkSelects(builder, statement);
  resolveNames(builder);
  const span = spanOf(table, statement);
  if (span === undefined) throw new NotLocated('the statement');
  const { statementCount, parsedAs } = facts;
  return { statement: span, statementCount, parsedAs, blocks: builder.blocks };
}

/** A tree that has lost a sub-query, or invented one, is not to be trusted. */
function checkSelects(builder: Builder, statement: TokenRange): void {
  let written = 0;
  for (let index = statement.from; index < statement.to; index++) if (isWord(builder.table, index, 'SELECT')) written++;
  const found = builder.blocks.filter((block) => block.kind === 'select').length;
  if (found !== written) throw new NotLocated(`every SELECT (${found} in the tree, ${written} in the text)`);
}
