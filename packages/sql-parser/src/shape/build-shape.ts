import type { FunctionTraits } from '@askema/core';
import type { ColumnShape, NamePart, QueryShape, RelationRef, RelationShape } from '@askema/sql';
import { isWord, spanOf, type TokenRange, type TokenTable } from '../source/token-table.ts';
import type { TreeQuery } from '../tree/tree.ts';
import { buildQuery } from './build-query.ts';
import { type BlockDraft, type Builder, NotLocated } from './builder.ts';

/**
 * The shape of a query: meaning from the tree, spans from the tokens.
 *
 * @throws NotLocated where tree and tokens do not fit together.
 */
export function buildShape(
  table: TokenTable,
  statement: TokenRange,
  tree: TreeQuery,
  facts: { readonly functions: FunctionTraits; readonly statementCount: number; readonly parsedAs: string },
): QueryShape {
  const builder: Builder = {
    table,
    functions: facts.functions,
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

/**
 * Finds by the text alone which relations are CTEs, which relation a qualifier means, and which names are aliases of
 * items.
 */
function resolveNames(builder: Builder): void {
  for (const block of builder.blocks)
    block.relations = block.relations.map((relation) => resolveRelation(builder, block, relation));
  for (const block of builder.blocks) {
    const items = new Map(block.items.flatMap((item, index) => (item.alias ? [[fold(item.alias), index]] : [])));
    block.columns = block.columns.map((column) => ({
      ...column,
      relation: column.qualifier.length === 0 ? undefined : findRelation(builder, block, column.qualifier),
      item: isAfterItems(column) ? items.get(fold(column.name)) : undefined,
    }));
  }
}

function fold(part: NamePart): string {
  return part.text.toLowerCase();
}

function isSame(a: NamePart | undefined, b: NamePart | undefined): boolean {
  if (a === undefined || b === undefined) return false;
  return a.quoted && b.quoted ? a.text === b.text : fold(a) === fold(b);
}

function isAfterItems(column: ColumnShape): boolean {
  return column.qualifier.length === 0 && /^(group by|having|qualify|order by)$/.test(column.clause);
}

function resolveRelation(builder: Builder, block: BlockDraft, relation: RelationShape): RelationShape {
  const [name] = relation.name;
  if (relation.kind !== 'table' || relation.name.length !== 1 || name === undefined) return relation;
  const cte = findCte(builder, block, name);
  return cte === undefined ? relation : { ...relation, kind: 'cte', block: cte };
}

/**
 * The block of the CTE that a name means: the nearest WITH around it. Within a WITH, a body sees the ones before it,
 * and itself or later ones only when RECURSIVE is written; without the word, a UNION's later operands see it too
 * (SQLite and Snowflake need no RECURSIVE).
 */
function findCte(builder: Builder, block: BlockDraft, name: NamePart): number | undefined {
  let child: BlockDraft | undefined;
  let isLaterOperand = false;
  for (let current: BlockDraft | undefined = block; current !== undefined; current = parentOf(builder, current)) {
    const inside: number = child?.place === 'cte' ? current.ctes.findIndex((cte) => cte.block === child?.id) : -1;
    const found = current.ctes.findLast(
      (cte, index) =>
        isSame(cte.name, name) &&
        (inside < 0 || index < inside || cte.recursive || (index === inside && isLaterOperand)),
    );
    if (found !== undefined) return found.block;
    if (current.place === 'operand')
      isLaterOperand = parentOf(builder, current)?.setOperation?.operands[0] !== current.id;
    child = current;
  }
  return undefined;
}

function parentOf(builder: Builder, block: BlockDraft): BlockDraft | undefined {
  return block.parent === undefined ? undefined : builder.blocks[block.parent];
}

/**
 * The relation that a qualifier names: in the own FROM, else in those around a sub-query. A CTE sees no FROM around its
 * WITH.
 */
function findRelation(builder: Builder, block: BlockDraft, qualifier: readonly NamePart[]): RelationRef | undefined {
  for (let current: BlockDraft | undefined = block; current !== undefined; ) {
    const relation = current.relations.findIndex((candidate) => isNamed(candidate, qualifier));
    if (relation >= 0) return { block: current.id, relation };
    const parent = parentOf(builder, current);
    current = current.place === 'cte' && parent !== undefined ? parentOf(builder, parent) : parent;
  }
  return undefined;
}

function isNamed(relation: RelationShape, qualifier: readonly NamePart[]): boolean {
  // Fields may follow the alias: `hits.page.path`.
  if (relation.alias !== undefined) return isSame(relation.alias, qualifier[0]);
  const { name } = relation;
  if (name.length === 0) return false;
  const isSuffix =
    qualifier.length <= name.length &&
    qualifier.every((part, index) => isSame(part, name[name.length - qualifier.length + index]));
  return isSuffix || isSame(name.at(-1), qualifier[0]);
}
