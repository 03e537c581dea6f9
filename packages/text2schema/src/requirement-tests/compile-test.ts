import type { AttributeId, ForeignKey, RelationId } from '@askema/core';
import { isRowReference, type RequirementTest, type StatedRow } from '../model/requirement-test.ts';
import type { TestValue } from '../model/test-plan.ts';
import { bindValue } from '../test-plan/case-value.ts';
import { foldWords } from '../test-plan/fold-words.ts';
import { type Completion, completeRow } from './complete-row.ts';
import { isKeyAmong, keyOf } from './keys-and-names.ts';
import { leftOut } from './left-out.ts';
import type { FactPlace, PlaceGround, ReferencePlace, ThingPlaces } from './place-ground.ts';
import { relationName } from './place-ground.ts';
import type { PlacedRow } from './placed-test.ts';
import { thingKeys } from './stated-words.ts';
import { TestRows, type Values, type WrittenRow } from './test-rows.ts';

/** The rows of a test whose facts all have places, as steps. */
export function compileTest(
  ground: PlaceGround,
  placed: ReadonlyMap<string, ThingPlaces>,
  told: ReadonlyMap<string, ReadonlySet<AttributeId>>,
  { kind, rows }: RequirementTest,
): readonly PlacedRow[] {
  const state: TestState = {
    rows: new TestRows(ground),
    labels: new Map(),
    stated: new Set([...placed.values()].map(({ relation }) => relation)),
  };
  const keys = thingKeys(rows);
  return rows.flatMap((row, at) => {
    const thing = placed.get(keys[at] ?? '');
    if (thing === undefined) return [];
    const isRefusable = kind === 'refusal' && at === rows.length - 1;
    const others = isRefusable ? rows.slice(0, at).filter((_, before) => keys[before] === keys[at]) : [];
    const known = new Set(rows.slice(0, at).map(({ label }) => label));
    const completion = {
      told: told.get(thing.thing.key) ?? new Set(),
      ...(isRefusable ? leftOut(row, others, known) : { freshKey: false, freshAll: false }),
    };
    return [new RowCompiler(state, thing, row, completion, isRefusable).compile()];
  });
}

interface TestState {
  readonly rows: TestRows;
  readonly labels: Map<string, WrittenRow>;
  /** Relations of things: their rows are stated, not written for a fact that a refusal is about. */
  readonly stated: ReadonlySet<RelationId>;
}

interface Group {
  readonly values: Values;
}
interface KeyGroup extends Group {
  readonly foreignKey: ForeignKey;
}
interface FarGroup extends Group {
  readonly near: ForeignKey;
  readonly far: ForeignKey;
}
interface Partner {
  readonly place: Extract<ReferencePlace, { kind: 'back' | 'link' }>;
  readonly label: string;
}

/** One row of a test: what it refers to first, then itself, then what refers to it. */
class RowCompiler {
  private readonly state: TestState;
  private readonly rows: TestRows;
  private readonly thing: ThingPlaces;
  private readonly row: StatedRow;
  private readonly completion: Completion;
  private readonly isRefusable: boolean;
  /** The row as it was before, where this is a change. */
  private readonly before: WrittenRow | undefined;
  private readonly values: Values = new Map();
  private readonly parents: KeyGroup[] = [];
  private readonly children: KeyGroup[] = [];
  private readonly fars: FarGroup[] = [];
  private readonly partners: Partner[] = [];
  private readonly toItself: ForeignKey[] = [];
  private readonly misfits: string[] = [];

  constructor(state: TestState, thing: ThingPlaces, row: StatedRow, completion: Completion, isRefusable: boolean) {
    this.state = state;
    this.rows = state.rows;
    this.thing = thing;
    this.row = row;
    this.completion = completion;
    this.isRefusable = isRefusable;
    this.before = state.labels.get(row.label);
  }

  compile(): PlacedRow {
    for (const { fact, value } of this.row.facts) {
      const key = foldWords(fact);
      const [place, reference] = [this.thing.facts.get(key), this.thing.references.get(key)];
      if (reference !== undefined && (isRowReference(value) || (value === null && place === undefined)))
        this.refer(reference, value === null ? undefined : value.row);
      else if (place !== undefined && !isRowReference(value)) this.tell(place, value);
    }
    for (const group of this.parents) this.writeParent(group);
    const own = this.writeOwn();
    for (const { pairs } of this.toItself)
      this.rows.update(own, new Map(pairs.map(({ from, to }) => [from, own.values.get(to) ?? null])));
    for (const partner of this.partners) this.connect(own, partner);
    for (const group of this.children) this.writeChild(own, group);
    for (const group of this.fars) this.writeFar(own, group);
    return { row: this.row, steps: this.rows.takeSteps(), misfits: this.misfits };
  }

  private refer(place: ReferencePlace, label: string | undefined): void {
    if (place.kind === 'back' || place.kind === 'link') {
      if (
        place.kind === 'back' &&
        this.before !== undefined &&
        (label === undefined || this.isSingle(place.foreignKey))
      )
        this.release(place.foreignKey, this.before);
      if (label !== undefined) this.partners.push({ place, label });
      return;
    }
    const target = label === undefined ? undefined : this.state.labels.get(label);
    if (place.kind === 'text') {
      this.rows.set(this.values, place.attribute, label === undefined ? null : this.calledBy(target, label));
      return;
    }
    if (place.kind === 'part') {
      const key = target === undefined ? this.rows.freshValue(place.to) : (target.values.get(place.to) ?? null);
      this.rows.set(this.values, place.attribute, label === undefined ? null : key);
      return;
    }
    const { foreignKey } = place;
    if (label === this.row.label && foreignKey.target === this.thing.relation) {
      this.toItself.push(foreignKey);
      return;
    }
    if (target !== undefined && !this.isOf(target, foreignKey.target)) return;
    for (const { from, to } of foreignKey.pairs) {
      if (label === undefined) this.forget(from);
      else if (target !== undefined) this.rows.set(this.values, from, target.values.get(to) ?? null);
      // A row that is not there: what refers to it is refused.
      else if (!this.values.has(from)) this.values.set(from, this.rows.freshValue(to));
    }
  }

  /** A part of a key may hold another reference as well. */
  private forget(attribute: AttributeId): void {
    const key = keyOf(this.rows.ground.index, this.thing.relation);
    if (!key.includes(attribute)) this.values.set(attribute, null);
  }

  private isOf(target: WrittenRow, relation: RelationId): boolean {
    if (target.relation === relation) return true;
    const { ground } = this.rows;
    this.rows.noRoom(
      `${JSON.stringify(relationName(ground, this.thing.relation))} refers to ${JSON.stringify(relationName(ground, relation))}, and ${JSON.stringify(target.label)} is a row of ${JSON.stringify(relationName(ground, target.relation))}.`,
    );
    return false;
  }

  /** What people call a row: its key, where that is one stated value, else a text that is stated of it. */
  private calledBy(target: WrittenRow | undefined, label: string): TestValue {
    if (target === undefined) return label;
    const key = keyOf(this.rows.ground.index, target.relation);
    const [only] = key;
    if (only !== undefined && key.length === 1 && !target.made.has(only)) return target.values.get(only) ?? label;
    const text = [...target.values].find(([id, value]) => typeof value === 'string' && !target.made.has(id));
    return text?.[1] ?? label;
  }

  private tell(place: FactPlace, value: TestValue): void {
    const { warning } = bindValue(value, this.rows.ground.index.attribute(place.attribute)?.type ?? 'TEXT');
    if (warning !== undefined) this.misfits.push(warning);
    switch (place.kind) {
      case 'attribute':
        this.rows.set(this.values, place.attribute, value);
        return;
      case 'parent': {
        const { foreignKey } = place;
        const group = this.parents.find((one) => one.foreignKey.id === foreignKey.id);
        if (group !== undefined) this.rows.set(group.values, place.attribute, value);
        else this.parents.push({ foreignKey, values: new Map([[place.attribute, value]]) });
        return;
      }
      case 'child': {
        const { foreignKey } = place;
        addMember(
          this.children.findLast((one) => one.foreignKey.id === foreignKey.id),
          place.attribute,
          value,
          (values) => this.children.push({ foreignKey, values }),
        );
        return;
      }
      case 'far': {
        const { near, far } = place;
        addMember(
          this.fars.findLast((one) => one.near.id === near.id && one.far.id === far.id),
          place.attribute,
          value,
          (values) => this.fars.push({ near, far, values }),
        );
      }
    }
  }

  private writeOwn(): WrittenRow {
    const { before, values, rows, row } = this;
    if (before !== undefined) {
      rows.update(before, values);
      return before;
    }
    const { relation } = this.thing;
    const made = completeRow(rows, relation, values, this.completion, [relation]);
    const own = rows.insert(relation, values, made, row.label);
    this.state.labels.set(row.label, own);
    return own;
  }

  /** The facts of a row that this one refers to: that row is found or written first. */
  private writeParent({ foreignKey, values }: KeyGroup): void {
    const { rows, before } = this;
    const { target, pairs } = foreignKey;
    for (const { from, to } of pairs)
      if ((this.values.get(from) ?? null) !== null) rows.set(values, to, this.values.get(from) ?? null);
    const isNamed = isKeyAmong(rows.ground.index, target, values);
    if ([...values.values()].every((value) => value === null)) {
      for (const { from, to } of pairs) if (values.has(to)) this.values.set(from, null);
      return;
    }
    if (this.isRefusable && isNamed && this.state.stated.has(target)) {
      for (const { from, to } of pairs) rows.set(this.values, from, values.get(to) ?? null);
      return;
    }
    const current = before === undefined ? undefined : rows.targetOf(foreignKey, before.values);
    const parent = this.foundOrWritten(target, values, isNamed ? undefined : current);
    for (const { from, to } of pairs) rows.set(this.values, from, parent.values.get(to) ?? null);
  }

  /** @param current the row that a change may tell more of */
  private foundOrWritten(relation: RelationId, values: Values, current?: WrittenRow): WrittenRow {
    const { rows } = this;
    const { index } = rows.ground;
    const there = isKeyAmong(index, relation, values)
      ? rows.find(relation, new Map(keyOf(index, relation).map((id) => [id, values.get(id) ?? null])))
      : (current ?? rows.find(relation, values));
    const fresh = new Map([...values].filter(([id]) => (there?.values.get(id) ?? null) === null));
    const isSame =
      there !== undefined &&
      [...values].every(([id, value]) => fresh.has(id) || rows.isEqual(id, there.values.get(id) ?? null, value));
    if (there !== undefined && isSame) {
      rows.update(there, fresh);
      return there;
    }
    // The same key with other facts: the database says what it thinks of that.
    const made = completeRow(rows, relation, values, this.completion, [this.thing.relation, relation]);
    return rows.insert(relation, values, made, undefined);
  }

  private writeChild(own: WrittenRow, { foreignKey, values }: KeyGroup): void {
    const { relation, pairs } = foreignKey;
    const references = new Map(pairs.map(({ from, to }) => [from, own.values.get(to) ?? null]));
    const isOnly = isKeyAmong(this.rows.ground.index, relation, references);
    const there = isOnly && this.before !== undefined ? this.rows.find(relation, references) : undefined;
    if (there !== undefined) this.rows.update(there, values);
    else this.writeBetween(relation, new Map([...values, ...references]));
  }

  private writeFar(own: WrittenRow, { near, far, values }: FarGroup): void {
    const other = this.foundOrWritten(far.target, values);
    this.writeLink(own, near, far, other);
  }

  private writeLink(own: WrittenRow, near: ForeignKey, far: ForeignKey, other: WrittenRow | undefined): void {
    // Facts that stand beside the two references belong to this row.
    const at = this.children.findIndex(({ foreignKey }) => foreignKey.id === near.id);
    const values: Values = new Map(at < 0 ? [] : this.children.splice(at, 1)[0]?.values);
    for (const { from, to } of near.pairs) this.rows.set(values, from, own.values.get(to) ?? null);
    for (const { from, to } of far.pairs)
      if (other !== undefined) this.rows.set(values, from, other.values.get(to) ?? null);
      else if (!values.has(from)) values.set(from, this.rows.freshValue(to));
    this.writeBetween(near.relation, values);
  }

  private writeBetween(relation: RelationId, values: Values): void {
    // A change that repeats a fact beside others adds no row; alone, the fact is meant once more.
    const isRepeated = this.before !== undefined && !this.isRefusable && this.row.facts.length > 1;
    if (isRepeated && this.rows.find(relation, values) !== undefined) return;
    const made = completeRow(this.rows, relation, values, this.completion, [this.thing.relation, relation]);
    this.rows.insert(relation, values, made, undefined);
  }

  private connect(own: WrittenRow, { place, label }: Partner): void {
    const { rows } = this;
    const other = this.state.labels.get(label);
    if (place.kind === 'link') {
      if (other === undefined || this.isOf(other, place.far.target)) this.writeLink(own, place.near, place.far, other);
      return;
    }
    const { relation, pairs } = place.foreignKey;
    if (other === undefined) {
      rows.noRoom(`There is no row ${JSON.stringify(label)} yet.`);
      return;
    }
    if (!this.isOf(other, relation)) return;
    const values: Values = new Map(pairs.map(({ from, to }) => [from, own.values.get(to) ?? null]));
    const held = pairs.some(({ from }) => {
      const there = other.values.get(from) ?? null;
      return there !== null && !other.made.has(from) && !rows.isEqual(from, there, values.get(from) ?? null);
    });
    if (held)
      rows.noRoom(
        `A row of ${JSON.stringify(relationName(rows.ground, relation))} refers to one row of ${JSON.stringify(relationName(rows.ground, own.relation))}, and ${JSON.stringify(label)} refers to another one already.`,
      );
    else rows.update(other, values);
  }

  /** True where one row at most may refer to another: a new one takes the place of the one before. */
  private isSingle({ pairs }: ForeignKey): boolean {
    return pairs.some(({ from }) => this.rows.ground.index.isUnique(from));
  }

  /** Rows that refer to this one by the key no longer do. */
  private release({ relation, pairs }: ForeignKey, own: WrittenRow): void {
    for (const other of this.rows.written) {
      const refers =
        other.relation === relation &&
        other !== own &&
        pairs.every(({ from, to }) => {
          const [there, key] = [other.values.get(from) ?? null, own.values.get(to) ?? null];
          return there !== null && key !== null && this.rows.isEqual(to, there, key);
        });
      if (refers) this.rows.update(other, new Map(pairs.map(({ from }) => [from, null])));
    }
  }
}

/** Facts of one row: the same fact again begins the next one. NULL says nothing of a row that may not be there. */
function addMember(
  group: Group | undefined,
  attribute: AttributeId,
  value: TestValue,
  begin: (values: Values) => void,
): void {
  if (value === null) return;
  if (group === undefined || group.values.has(attribute)) begin(new Map([[attribute, value]]));
  else group.values.set(attribute, value);
}
