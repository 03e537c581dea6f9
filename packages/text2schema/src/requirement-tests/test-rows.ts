import type { AttributeId, ForeignKey, RelationId } from '@askema/core';
import type { TestValue } from '../model/test-plan.ts';
import { bindValue, comparedText, shownValue } from '../test-plan/case-value.ts';
import { keyOf } from './keys-and-names.ts';
import { attributeName, type PlaceGround, relationName } from './place-ground.ts';
import type { PlacedStep } from './placed-test.ts';

export type Values = Map<AttributeId, TestValue>;

/** A row that the steps of a test have written so far. */
export interface WrittenRow {
  readonly relation: RelationId;
  readonly values: Values;
  /** Attributes whose values no test states. */
  readonly made: Set<AttributeId>;
  /** The label, where a test states the row itself. */
  readonly label: string | undefined;
}

/** Made-up values start here: far from the small numbers and recent days that people write in tests. */
const FIRST_FRESH_NUMBER = 900_001;
const FIRST_FRESH_DAY = Date.UTC(1901, 0, 1);
const DAY_MS = 86_400_000;

/** The rows of one test as they grow, and the steps that write them. */
export class TestRows {
  readonly ground: PlaceGround;
  readonly written: WrittenRow[] = [];
  private steps: PlacedStep[] = [];
  private fresh = 0;

  constructor(ground: PlaceGround) {
    this.ground = ground;
  }

  /** The steps since the last call. */
  takeSteps(): readonly PlacedStep[] {
    const taken = this.steps;
    this.steps = [];
    return taken;
  }

  insert(relation: RelationId, values: Values, made: Set<AttributeId>, label: string | undefined): WrittenRow {
    const isMade = [...values.keys()].every((attribute) => made.has(attribute));
    this.steps.push({ kind: 'insert', relation, values: new Map(values), isMade });
    const row = { relation, values, made, label };
    this.written.push(row);
    return row;
  }

  update(row: WrittenRow, values: Values): void {
    if (values.size === 0) return;
    const primary = keyOf(this.ground.index, row.relation);
    const ids = primary.length > 0 ? primary : [...row.values.keys()];
    const key = new Map(ids.map((id) => [id, row.values.get(id) ?? null]));
    this.steps.push({ kind: 'update', relation: row.relation, key, values, isMade: false });
    for (const [attribute, value] of values) {
      row.values.set(attribute, value);
      row.made.delete(attribute);
    }
  }

  noRoom(reason: string): void {
    this.steps.push({ kind: 'no room', reason });
  }

  /** Gives an attribute its value; two values are one too many. */
  set(values: Values, attribute: AttributeId, value: TestValue): void {
    const there = values.get(attribute);
    if (values.has(attribute) && !this.isEqual(attribute, there ?? null, value)) {
      const { index } = this.ground;
      const relation = index.attribute(attribute)?.relation ?? '';
      this.noRoom(
        `${JSON.stringify(relationName(this.ground, relation))} has one ${JSON.stringify(attributeName(this.ground, attribute))} a row, which would have to be ${shownValue(there ?? null)} and ${shownValue(value)} at once.`,
      );
      return;
    }
    values.set(attribute, value);
  }

  isEqual(attribute: AttributeId, a: TestValue, b: TestValue): boolean {
    const type = this.ground.index.attribute(attribute)?.type ?? 'TEXT';
    const text = (value: TestValue): string => comparedText(bindValue(value, type).parameter, type);
    return text(a) === text(b);
  }

  /** The latest row that has these values. */
  find(relation: RelationId, values: ReadonlyMap<AttributeId, TestValue>): WrittenRow | undefined {
    return this.written.findLast(
      (row) => row.relation === relation && [...values].every(([id, value]) => this.has(row, id, value)),
    );
  }

  /**
   * The latest row that a test states and that does not differ in these values.
   *
   * @param unusedBy a foreign key by which no other row may refer to it yet
   */
  latestStated(
    relation: RelationId,
    values: ReadonlyMap<AttributeId, TestValue>,
    unusedBy: ForeignKey | undefined,
  ): WrittenRow | undefined {
    const used = new Set(
      unusedBy === undefined
        ? []
        : this.written
            .filter((row) => row.relation === unusedBy.relation)
            .map((row) => this.targetOf(unusedBy, row.values)),
    );
    return this.written.findLast(
      (row) =>
        row.relation === relation &&
        row.label !== undefined &&
        !used.has(row) &&
        [...values].every(([id, value]) => this.has(row, id, value)),
    );
  }

  /** The row that a foreign key of another one leads to. */
  targetOf({ target, pairs }: ForeignKey, from: ReadonlyMap<AttributeId, TestValue>): WrittenRow | undefined {
    const key = pairs.map((pair) => [pair.to, from.get(pair.from) ?? null] as const);
    return key.some(([, value]) => value === null) ? undefined : this.find(target, new Map(key));
  }

  /** A value that no row has: numbers and texts with a counter, one day after another. */
  freshValue(attribute: AttributeId): TestValue {
    this.fresh += 1;
    switch (this.ground.index.attribute(attribute)?.type) {
      case 'NUMERIC':
        return FIRST_FRESH_NUMBER + this.fresh;
      case 'DATETIME':
        return new Date(FIRST_FRESH_DAY + this.fresh * DAY_MS).toISOString().slice(0, 10);
      case 'BOOL':
        return this.fresh % 2 === 0;
      default:
        return `new ${this.fresh}`;
    }
  }

  private has(row: WrittenRow, attribute: AttributeId, value: TestValue): boolean {
    const there = row.values.get(attribute) ?? null;
    return value === null || there === null ? value === there : this.isEqual(attribute, there, value);
  }
}
