import { type AttributeId, type RelationId, referencedFirst } from '@askema/core';
import type { TestCase, TestCell } from '../model/test-plan.ts';
import { bindValue } from './case-value.ts';
import { sharedFacts } from './compile-attribute.ts';
import { attributeSql, type CompileGround, CompileProblem, relationSql } from './compile-ground.ts';
import { type KeySupply, partStep, writtenCells } from './compile-insert.ts';
import { JoinedRows, type ReachedAttribute, reachAttribute } from './compile-rows.ts';
import type { Target } from './compile-target.ts';
import type { CompiledCase, Step } from './compiled-case.ts';
import { type Bound, SqlText, type Statement } from './statement.ts';

/** A cell of `where`, found. */
export interface MeantCell extends ReachedAttribute {
  readonly value: Bound;
}

/** The conditions of a case, and values among them that do not fit their type. */
export function meantCells(
  ground: CompileGround,
  target: Target,
  cells: readonly TestCell[],
): { readonly cells: readonly MeantCell[]; readonly notices: readonly string[] } {
  const notices: string[] = [];
  const meant = cells.map((cell): MeantCell => {
    const reached = reachAttribute(ground, target, cell.attribute);
    const { parameter, warning } = bindValue(cell.value, ground.index.attribute(reached.attribute)?.type ?? 'TEXT');
    if (warning !== undefined) notices.push(`${cell.attribute}: ${warning}`);
    return { ...reached, value: parameter };
  });
  return { cells: meant, notices };
}

/** @throws CompileProblem */
export function compileDelete(ground: CompileGround, target: Target, { where }: TestCase): CompiledCase {
  const { cells, notices } = meantCells(ground, target, where);
  const text = new SqlText(ground);
  text.add(`DELETE FROM ${relationSql(ground, target.main)}`);
  addWhere(text, target.main, target, cells);
  return { steps: [{ kind: 'write', statement: text.statement(target.main) }], notices: withNotice(target, notices) };
}

/**
 * An update of a set: of each of its relations that holds an attribute to be written. A new value of a foreign key
 * inside of the set brings the part that it refers to along.
 *
 * @throws CompileProblem
 */
export function compileUpdate(
  ground: CompileGround,
  target: Target,
  { values, where }: TestCase,
  keys: KeySupply,
): CompiledCase {
  const written = writtenCells(ground, target, values, keys);
  if (written.values.size === 0)
    throw new CompileProblem('qa-engineer', `Nothing is to be written to ${JSON.stringify(target.name)}.`);
  const meant = meantCells(ground, target, where);
  const byRelation = new Map<RelationId, Map<AttributeId, Bound>>();
  for (const [attribute, value] of written.values) {
    const facts = [...sharedFacts(ground, attribute)];
    const place = facts.find((fact) => ground.index.attribute(fact)?.relation === target.main) ?? attribute;
    const relation = ground.index.attribute(place)?.relation ?? target.main;
    const group = byRelation.get(relation) ?? new Map<AttributeId, Bound>();
    group.set(place, value);
    byRelation.set(relation, group);
  }
  const parts = referencedFirst(ground.index, target.relations).filter(
    (part) => part !== target.main && isNewPart(ground, part, written.values),
  );
  const steps: Step[] = [...written.steps];
  for (const part of parts) {
    const step = partStep(ground, target, part, written.values);
    if (step !== undefined) steps.push(step);
  }
  for (const [relation, group] of byRelation) {
    if (parts.includes(relation)) continue;
    steps.push({ kind: 'write', statement: updateStatement(ground, target, relation, group, meant.cells) });
  }
  return { steps, notices: withNotice(target, [...written.notices, ...meant.notices]) };
}

/** True where the update gives the whole key of a part: another row of it may be meant from then on. */
function isNewPart(ground: CompileGround, part: RelationId, values: ReadonlyMap<AttributeId, Bound>): boolean {
  const key = ground.index.primaryKey(part)?.attributes ?? [];
  return (
    key.length > 0 &&
    key.every((id) =>
      [...sharedFacts(ground, id)].some((fact) => values.get(fact) !== undefined && values.get(fact) !== null),
    )
  );
}

export function updateStatement(
  ground: CompileGround,
  target: Target,
  relation: RelationId,
  values: ReadonlyMap<AttributeId, Bound>,
  where: readonly MeantCell[],
): Statement {
  const text = new SqlText(ground);
  const sets = [...values].map(
    ([attribute, value]) => `${attributeSql(ground, attribute)} = ${text.placeholder(value)}`,
  );
  text.add(`UPDATE ${relationSql(ground, relation)} SET ${sets.join(', ')}`);
  addWhere(text, relation, target, where);
  return text.statement(relation, values);
}

/** Conditions on the relation itself stand as they are; others ask whether a joined row exists. */
function addWhere(text: SqlText, relation: RelationId, target: Target, cells: readonly MeantCell[]): void {
  if (cells.length === 0) return;
  const { ground } = text;
  const isOwn = cells.every(
    ({ attribute, path }) => path.length === 0 && ground.index.attribute(attribute)?.relation === relation,
  );
  if (isOwn) {
    const conditions = cells.map(({ attribute, value }) => text.condition(attributeSql(ground, attribute), value));
    text.add(` WHERE ${conditions.join(' AND ')}`);
    return;
  }
  const rows = new JoinedRows(ground, target.main);
  const key = ground.index.primaryKey(relation)?.attributes ?? [];
  if (key.length === 0)
    throw new CompileProblem(
      'logical-designer',
      `${JSON.stringify(ground.index.relation(relation)?.name ?? relation)} has no primary key, so that its rows cannot be told apart.`,
    );
  const outer = relationSql(ground, relation);
  const same = key.map((id) => {
    const [attribute] = key;
    const path = relation === target.main ? [] : reachPart(ground, target, attribute ?? id);
    return `${rows.column({ attribute: id, path })} = ${outer}.${attributeSql(ground, id)}`;
  });
  const conditions = cells.map((cell) => text.condition(rows.column(cell), cell.value));
  text.add(` WHERE EXISTS (SELECT 1 ${rows.from()} WHERE ${[...same, ...conditions].join(' AND ')})`);
}

function reachPart(ground: CompileGround, target: Target, attribute: AttributeId): ReachedAttribute['path'] {
  const relation = ground.index.attribute(attribute)?.relation ?? target.main;
  return ground.index.joinPaths(target.main, relation, { limit: 1 })[0] ?? [];
}

export function withNotice({ notice }: Target, notices: readonly string[]): readonly string[] {
  return notice === undefined ? notices : [notice, ...notices];
}
