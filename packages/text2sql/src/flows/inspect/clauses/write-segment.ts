import { type Assembly, report, writeExpression } from './assembly.ts';
import { type ClauseAction, type ClauseActionName, problemOf } from './clause-action.ts';
import { actionsOfTree, type ClauseConditions, defaultConditionTree } from './condition-tree.ts';
import { writeLimit } from './dialect-forms.ts';
import { concat, joinPieces, markedAs, type SqlPiece } from './expression-text.ts';
import type { ScopeRelation } from './name-scope.ts';
import { writeOwnName } from './sub-questions.ts';
import { type WrittenCondition, writeCondition, writeTree } from './write-conditions.ts';
import { writeFrom } from './write-from.ts';

export interface IndexedAction {
  readonly index: number;
  readonly action: ClauseAction;
}

/** One SELECT. */
export interface WrittenSegment {
  readonly body: SqlPiece;
  /** Its order and limit. */
  readonly tail: SqlPiece | undefined;
}

interface Part {
  readonly action: number;
  readonly piece: SqlPiece;
}

/** Writes the actions between two `add_merge`. `merge` is where the problem of an empty segment is reported. */
export function writeSegment(
  assembly: Assembly,
  segment: readonly IndexedAction[],
  merge: number | undefined,
  trees: readonly Pick<ClauseConditions, 'clause' | 'tree'>[],
): WrittenSegment {
  const [from] = only(assembly, segment, 'add_from', 'put the other relations into its joins');
  const written = from === undefined ? undefined : writeFrom(assembly, from.index, from.action);
  const scope = written?.scope ?? [];
  const selects = only(assembly, segment, 'add_select', 'name all columns in one');
  const ownNames = selects.flatMap(({ action }) => action.items.flatMap(({ alias }) => alias ?? []));
  if (selects.length === 0)
    assembly.problems.push(
      problemOf(merge, 'Nothing is selected: each query needs one `add_select`, also on both sides of an `add_merge`.'),
    );
  const body = [
    ...selects.slice(0, 1).map(({ index, action }) => writeSelect(assembly, index, action, scope)),
    ...(written === undefined ? [] : [written.piece]),
    ...conditionsOf(assembly, segment, 'where', scope, ownNames, trees),
    ...lists(
      'GROUP BY',
      of(segment, 'add_group_by').map(({ index, action }) => ({
        action: index,
        piece: expressions(assembly, index, action.expressions, scope, ownNames),
      })),
    ),
    ...conditionsOf(assembly, segment, 'having', scope, ownNames, trees),
  ];
  const limits = only(assembly, segment, 'add_limit', 'say how many rows once');
  const tail = [
    ...lists(
      'ORDER BY',
      of(segment, 'add_order_by').map(({ index, action }) => ({
        action: index,
        piece: writeKeys(assembly, index, action, scope, ownNames),
      })),
    ),
    ...limits.slice(0, 1).map(({ index, action }) => markedAs(index, writeLimitOf(assembly, index, action))),
  ];
  return { body: joinPieces(body, '\n'), tail: tail.length === 0 ? undefined : joinPieces(tail, '\n') };
}

type ActionOf<Name extends ClauseActionName> = Extract<ClauseAction, { action: Name }>;

function of<const Name extends ClauseActionName>(
  segment: readonly IndexedAction[],
  name: Name,
): readonly { readonly index: number; readonly action: ActionOf<Name> }[] {
  return segment.flatMap(({ index, action }) =>
    action.action === name ? [{ index, action: action as ActionOf<Name> }] : [],
  );
}

/** Actions that a query has once; more are problems. */
function only<const Name extends ClauseActionName>(
  assembly: Assembly,
  segment: readonly IndexedAction[],
  name: Name,
  advice: string,
): readonly { readonly index: number; readonly action: ActionOf<Name> }[] {
  const found = of(segment, name);
  for (const { index } of found.slice(1))
    report(assembly, index, `A query has one ${name} only: ${advice}, or begin another query with \`add_merge\`.`);
  return found;
}

function writeSelect(
  assembly: Assembly,
  index: number,
  { distinct, items }: ActionOf<'add_select'>,
  scope: readonly ScopeRelation[],
): SqlPiece {
  if (items.length === 0) report(assembly, index, 'Nothing is selected: items is empty.');
  const pieces = items.map(({ expression, alias }) => {
    const { piece, isList } = writeExpression(assembly, index, 'An item', expression, scope);
    if (alias === undefined) return piece;
    if (isList)
      report(assembly, index, `The item with the alias ${alias} holds several expressions: give each an item.`);
    if (alias.includes('\0')) report(assembly, index, 'An alias contains a NUL character.');
    return concat(piece, ` AS ${alias.includes('\0') ? 'x' : writeOwnName(alias, assembly.dialect)}`);
  });
  return markedAs(index, concat(distinct ? 'SELECT DISTINCT ' : 'SELECT ', joinPieces(pieces, ', ')));
}

function conditionsOf(
  assembly: Assembly,
  segment: readonly IndexedAction[],
  clause: 'where' | 'having',
  scope: readonly ScopeRelation[],
  ownNames: readonly string[],
  trees: readonly Pick<ClauseConditions, 'clause' | 'tree'>[],
): readonly SqlPiece[] {
  const found = clause === 'where' ? of(segment, 'add_where') : of(segment, 'add_having');
  const [first] = found;
  if (first === undefined) return [];
  const conditions = new Map<number, WrittenCondition>();
  for (const { index, action } of found)
    conditions.set(index, writeCondition(assembly, index, action, scope, clause === 'having' ? ownNames : []));
  const indexes = [...conditions.keys()];
  const given = trees.find((entry) => entry.clause === clause && entry.tree !== undefined)?.tree;
  if (given !== undefined && [...actionsOfTree(given)].sort((a, b) => a - b).join() !== indexes.join())
    report(
      assembly,
      first.index,
      `The structure given for ${clause.toUpperCase()} does not name each of its conditions once.`,
    );
  const tree = given ?? defaultConditionTree(assembly.actions, indexes);
  const piece = concat(`${clause.toUpperCase()} `, tree === undefined ? '' : writeTree(tree, conditions));
  return [found.length === 1 ? markedAs(first.index, piece) : piece];
}

function lists(keyword: string, parts: readonly Part[]): readonly SqlPiece[] {
  const [first] = parts;
  if (first === undefined) return [];
  if (parts.length === 1) return [markedAs(first.action, concat(`${keyword} `, first.piece))];
  return [
    concat(
      `${keyword} `,
      joinPieces(
        parts.map(({ action, piece }) => markedAs(action, piece)),
        ', ',
      ),
    ),
  ];
}

function expressions(
  assembly: Assembly,
  index: number,
  written: readonly string[],
  scope: readonly ScopeRelation[],
  ownNames: readonly string[],
): SqlPiece {
  if (written.length === 0) report(assembly, index, 'expressions is empty: name at least one.');
  return joinPieces(
    written.map((text) => writeExpression(assembly, index, 'An expression', text, scope, ownNames).piece),
    ', ',
  );
}

function writeKeys(
  assembly: Assembly,
  index: number,
  { keys }: ActionOf<'add_order_by'>,
  scope: readonly ScopeRelation[],
  ownNames: readonly string[],
): SqlPiece {
  if (keys.length === 0) report(assembly, index, 'keys is empty: name at least one.');
  const pieces = keys.map(({ expression, direction, nulls }) => {
    const { piece, isList } = writeExpression(assembly, index, 'A key', expression, scope, ownNames);
    if (isList) report(assembly, index, 'A key holds several expressions: give each a key.');
    const behind = `${direction === 'desc' ? ' DESC' : ''}${nulls === undefined ? '' : ` NULLS ${nulls.toUpperCase()}`}`;
    return concat(piece, behind);
  });
  return joinPieces(pieces, ', ');
}

function writeLimitOf(assembly: Assembly, index: number, limit: ActionOf<'add_limit'>): string {
  for (const number of [limit.count, limit.offset ?? 0])
    if (!Number.isSafeInteger(number) || number < 0) report(assembly, index, `${number} is no whole number from 0 on.`);
  return writeLimit(limit, assembly.dialect);
}
