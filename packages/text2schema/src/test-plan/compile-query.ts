import type { TestCase } from '../model/test-plan.ts';
import { meantCells, withNotice } from './compile-change.ts';
import type { CompileGround } from './compile-ground.ts';
import { relationshipKeys } from './compile-relationship.ts';
import { JoinedRows, reachAttribute } from './compile-rows.ts';
import type { Target } from './compile-target.ts';
import type { CompiledCase, ReadColumn } from './compiled-case.ts';
import { SqlText, typeOf } from './statement.ts';

/**
 * A query: the attributes asked for and those of the expected rows, each under the name of the plan. Without any, all of the target.
 *
 * @throws CompileProblem
 */
export function compileQuery(
  ground: CompileGround,
  target: Target,
  { values, where, expected }: TestCase,
): CompiledCase {
  const named = [...values, ...(expected.outcome === 'rows' ? expected.rows.flat() : [])].map(
    ({ attribute }) => attribute,
  );
  const all = ground.index.attributesOf(target.main).map(({ name }) => name);
  const names = [...new Set(named.length === 0 ? all : named)];
  const rows = new JoinedRows(ground, target.main);
  const text = new SqlText(ground);
  const columns: ReadColumn[] = [];
  const sql = names.map((name) => {
    const reached = reachAttribute(ground, target, name);
    columns.push({ name, type: typeOf(ground, reached.attribute) });
    return rows.column(reached);
  });
  const meant = meantCells(ground, target, where);
  const conditions = meant.cells.map((cell) => text.condition(rows.column(cell), cell.value));
  if (target.relationship !== undefined)
    for (const { pairs } of relationshipKeys(ground, target))
      for (const { from } of pairs) conditions.push(`${rows.column({ attribute: from, path: [] })} IS NOT NULL`);
  text.add(`SELECT ${sql.join(', ')} ${rows.from()}`);
  if (conditions.length > 0) text.add(` WHERE ${conditions.join(' AND ')}`);
  return {
    steps: [{ kind: 'read', statement: text.statement(target.main), columns }],
    notices: withNotice(target, meant.notices),
  };
}
