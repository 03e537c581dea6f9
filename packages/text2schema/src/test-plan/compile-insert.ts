import { type Attribute, type AttributeId, type Parameter, type RelationId, referencedFirst } from '@askema/core';
import type { TestCell } from '../model/test-plan.ts';
import { bindValue, shownValue } from './case-value.ts';
import { placeOf, sharedFacts } from './compile-attribute.ts';
import { type CompileGround, CompileProblem, isReported } from './compile-ground.ts';
import type { Target } from './compile-target.ts';
import type { CompiledCase, Step } from './compiled-case.ts';
import { type Bound, type FoundLater, insertStatement, selectStatement } from './statement.ts';

/** Values that no plan has, for keys that only the design knows: one after another, within one set. */
export interface KeySupply {
  next(type: Attribute['type']): Parameter | undefined;
}

export function keySupply(): KeySupply {
  let number = 900_000_000;
  return {
    next(type) {
      number += 1;
      if (type === 'NUMERIC') return number;
      return type === 'TEXT' ? `key-${number}` : undefined;
    },
  };
}

/** Cells by the attributes that they are written to, and what must be done before. */
export interface WrittenCells {
  readonly values: Map<AttributeId, Bound>;
  readonly steps: Step[];
  readonly notices: string[];
}

/**
 * @throws CompileProblem for a cell without a place, and for one attribute with two values.
 */
export function writtenCells(
  ground: CompileGround,
  target: Target,
  cells: readonly TestCell[],
  keys: KeySupply,
): WrittenCells {
  const written: WrittenCells = { values: new Map(), steps: [], notices: [] };
  const places = cells.map((cell) => ({ cell, place: placeOf(ground, target, cell.attribute) }));
  for (const { cell, place } of places) {
    if (place.kind !== 'own') continue;
    const { parameter, warning } = bindValue(cell.value, place.attribute.type);
    if (warning !== undefined) written.notices.push(`${cell.attribute}: ${warning}`);
    const known = written.values.get(place.attribute.id);
    if (known !== undefined && known !== parameter)
      throw new CompileProblem(
        'qa-engineer',
        `${JSON.stringify(place.attribute.name)} of ${JSON.stringify(target.name)} is given twice, the second time as ${JSON.stringify(cell.attribute)}.`,
      );
    written.values.set(place.attribute.id, parameter);
  }
  for (const { cell, place } of places) {
    if (place.kind !== 'referred') continue;
    const [pair] = place.foreignKey.pairs;
    if (pair === undefined) continue;
    const owner = ground.index.relation(place.foreignKey.target)?.name ?? place.foreignKey.target;
    if (written.values.has(pair.from)) {
      written.notices.push(`${cell.attribute} is a fact of ${JSON.stringify(owner)} and was not written here.`);
      continue;
    }
    if (cell.value === null) {
      written.values.set(pair.from, null);
      continue;
    }
    const slot: FoundLater = { slot: written.steps.length };
    const conditions = [
      { attribute: place.attribute.id, value: bindValue(cell.value, place.attribute.type).parameter },
    ];
    const type = ground.index.attribute(pair.to)?.type ?? 'TEXT';
    const otherwise = keys.next(type) ?? bindValue(cell.value, type).parameter;
    const statement = selectStatement(ground, place.foreignKey.target, [pair.to], conditions);
    written.steps.push({ kind: 'find', statement, slot, otherwise });
    written.values.set(pair.from, slot);
    written.notices.push(
      `The row of ${JSON.stringify(owner)} was found by ${cell.attribute} ${shownValue(cell.value)}.`,
    );
  }
  return written;
}

/**
 * An insert into a set: a row of its main relation, and rows of its other parts where they are not there yet. The parts
 * come first, as the main relation refers to them.
 *
 * @throws CompileProblem
 */
export function compileInsert(
  ground: CompileGround,
  target: Target,
  cells: readonly TestCell[],
  keys: KeySupply,
): CompiledCase {
  const { values, steps, notices } = writtenCells(ground, target, cells, keys);
  if (values.size === 0)
    throw new CompileProblem('qa-engineer', `No values are given for the row of ${JSON.stringify(target.name)}.`);
  supplyKey(ground, target, values, keys, notices);
  for (const relation of referencedFirst(ground.index, target.relations)) {
    const step = partStep(ground, target, relation, values);
    if (step !== undefined) steps.push(step);
  }
  return { steps, notices: target.notice === undefined ? notices : [target.notice, ...notices] };
}

/** Keys that a designer has added: the plan, written from the report, cannot know them. */
function supplyKey(
  ground: CompileGround,
  target: Target,
  values: Map<AttributeId, Bound>,
  keys: KeySupply,
  notices: string[],
): void {
  if (ground.report === undefined) return;
  for (const id of ground.index.primaryKey(target.main)?.attributes ?? []) {
    const attribute = ground.index.attribute(id);
    if (attribute === undefined || values.has(id)) continue;
    const refers = ground.index.foreignKeysFrom(target.main).some(({ pairs }) => pairs.some(({ from }) => from === id));
    if (refers || isReported(ground, attribute.name)) continue;
    const supplied = keys.next(attribute.type);
    if (supplied === undefined) continue;
    values.set(id, supplied);
    notices.push(`${attribute.name} is a key that the report does not know; ${shownValue(supplied)} was taken.`);
  }
}

/** The row of one part, with the values that it shares with other parts; undefined where it would be empty. */
export function partStep(
  ground: CompileGround,
  target: Target,
  relation: RelationId,
  values: ReadonlyMap<AttributeId, Bound>,
): Step | undefined {
  const own = new Map<AttributeId, Bound>();
  for (const { id } of ground.index.attributesOf(relation)) {
    for (const fact of sharedFacts(ground, id)) {
      const value = values.get(fact);
      if (value === undefined || own.has(id)) continue;
      own.set(id, value);
    }
  }
  if (relation === target.main) {
    // Also without any value of its own: a row without its key is what the database must refuse.
    if (own.size === 0) for (const id of ground.index.primaryKey(relation)?.attributes ?? []) own.set(id, null);
    return { kind: 'write', statement: insertStatement(ground, relation, own) };
  }
  const key = ground.index.primaryKey(relation)?.attributes ?? [];
  const isKeyed = key.length > 0 && key.every((id) => own.get(id) !== undefined && own.get(id) !== null);
  const hasFacts = [...own].some(([id, value]) => value !== null && !key.includes(id));
  if (!isKeyed && !hasFacts) return undefined;
  const statement = insertStatement(ground, relation, own);
  if (!isKeyed) return { kind: 'write', statement };
  const conditions = [...own].flatMap(([attribute, value]) =>
    value === null && !key.includes(attribute) ? [] : [{ attribute, value }],
  );
  return { kind: 'write', statement, unless: selectStatement(ground, relation, [], conditions) };
}
