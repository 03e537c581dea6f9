import type { AttributeId, ForeignKey, RelationId } from '@askema/core';
import type { TestValue } from '../model/test-plan.ts';
import { isKeyAmong, keyOf } from './keys-and-names.ts';
import { foreignKeysAt } from './place-ground.ts';
import type { TestRows, Values, WrittenRow } from './test-rows.ts';

/** What a row gets that is not stated of it. */
export interface Completion {
  /** Attributes that hold facts which the tests know: what a row does not state of them is NULL. */
  readonly told: ReadonlySet<AttributeId>;
  /** Of known facts, the key gets fresh values all the same. */
  readonly freshKey: boolean;
  /** The same for all that is required. */
  readonly freshAll: boolean;
}

const NOTHING_TOLD: Completion = { told: new Set(), freshKey: false, freshAll: false };

/**
 * Fills what a design requires of a row beside what tests know: fresh values for keys, unique and required attributes;
 * for a required reference the latest row of that relation which the test states, else a row of its own, written
 * first.
 *
 * @returns the attributes that got values here
 */
export function completeRow(
  rows: TestRows,
  relation: RelationId,
  values: Values,
  completion: Completion,
  busy: readonly RelationId[] = [],
): Set<AttributeId> {
  const { index } = rows.ground;
  const key = keyOf(index, relation);
  const isRequired = (id: AttributeId): boolean => key.includes(id) || index.isNotNull(id);
  const isLeft = (id: AttributeId): boolean =>
    completion.told.has(id) && !completion.freshAll && !(completion.freshKey && key.includes(id));
  const made = new Set<AttributeId>();
  const put = (id: AttributeId, value: TestValue): void => {
    values.set(id, value);
    made.add(id);
  };
  const toItself: { readonly from: AttributeId; readonly to: AttributeId }[] = [];
  for (const foreignKey of index.foreignKeysFrom(relation)) {
    const { target, pairs } = foreignKey;
    const open = pairs.filter(({ from }) => !values.has(from));
    if (open.length === 0 || !open.every(({ from }) => isRequired(from)) || open.some(({ from }) => isLeft(from)))
      continue;
    const known = new Map(
      pairs.filter(({ from }) => values.has(from)).map(({ from, to }) => [to, values.get(from) ?? null]),
    );
    const isFilled = open.some(({ from }) => completion.told.has(from));
    const stated = isFilled
      ? undefined
      : rows.latestStated(target, known, hasRoomForOne(rows, foreignKey) ? foreignKey : undefined);
    if (stated === undefined && target === relation) toItself.push(...open);
    else if (stated !== undefined || !busy.includes(target)) {
      const row = stated ?? writeMade(rows, target, known, [...busy, relation]);
      for (const { from, to } of open) put(from, row.values.get(to) ?? null);
    }
  }
  for (const { id } of index.attributesOf(relation)) {
    if (values.has(id) || toItself.some(({ from }) => from === id)) continue;
    if (isLeft(id) || foreignKeysAt(rows.ground, id).length > 0) {
      if (isRequired(id)) values.set(id, null);
    } else if (isRequired(id) || index.constraintsOn(id).includes('unique')) put(id, rows.freshValue(id));
  }
  for (const { from, to } of toItself) put(from, values.get(to) ?? null);
  return made;
}

/** True where two rows cannot refer to the same one. */
function hasRoomForOne({ ground: { index } }: TestRows, { relation, pairs }: ForeignKey): boolean {
  const from = pairs.map((pair) => pair.from);
  return isKeyAmong(index, relation, new Set(from)) || from.some((id) => index.isUnique(id));
}

/** A row of which no test says anything, with the values that it must have. */
function writeMade(
  rows: TestRows,
  relation: RelationId,
  known: ReadonlyMap<AttributeId, TestValue>,
  busy: readonly RelationId[],
): WrittenRow {
  const values: Values = new Map(known);
  const made = completeRow(rows, relation, values, NOTHING_TOLD, busy);
  for (const id of known.keys()) made.add(id);
  return rows.insert(relation, values, made, undefined);
}
