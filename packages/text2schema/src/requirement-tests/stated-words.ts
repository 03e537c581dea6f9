import { isRowReference, type RequirementTest, type StatedFact, type StatedRow } from '../model/requirement-test.ts';
import type { TestValue } from '../model/test-plan.ts';
import { foldWords } from '../test-plan/fold-words.ts';

/** A thing that tests speak of, over all of them. */
export interface StatedThing {
  /** Folded. */
  readonly key: string;
  /** As it is written first. */
  readonly name: string;
  readonly facts: ReadonlyMap<string, FactUse>;
}

/** A fact of a thing, and what tests say of it. */
export interface FactUse {
  readonly key: string;
  readonly name: string;
  /** What is stated of it, but for rows and NULL. */
  readonly values: readonly TestValue[];
  /** Keys of the things whose rows are stated of it. */
  readonly targets: ReadonlySet<string>;
  /** Some test states a row of it, known or not. */
  readonly isReference: boolean;
}

/** The things of the rows of a test: a label that was there before keeps its thing. */
export function thingKeys(rows: readonly StatedRow[]): readonly string[] {
  const first = new Map<string, string>();
  return rows.map(({ thing, label }) => {
    const key = first.get(label) ?? foldWords(thing);
    first.set(label, key);
    return key;
  });
}

/** What tests speak of, in their order. */
export function statedThings(tests: readonly RequirementTest[]): ReadonlyMap<string, StatedThing> {
  const things = new Map<string, { key: string; name: string; facts: Map<string, MutableUse> }>();
  for (const { rows } of tests) {
    const keys = thingKeys(rows);
    const ofLabel = new Map(rows.map(({ label }, at) => [label, keys[at] ?? '']));
    for (const [at, row] of rows.entries()) {
      const key = keys[at] ?? '';
      const thing = things.get(key) ?? { key, name: row.thing, facts: new Map<string, MutableUse>() };
      things.set(key, thing);
      for (const { fact, value } of row.facts) addUse(thing.facts, fact, value, ofLabel);
    }
  }
  return things;
}

interface MutableUse extends FactUse {
  readonly values: TestValue[];
  readonly targets: Set<string>;
  isReference: boolean;
}

function addUse(
  facts: Map<string, MutableUse>,
  name: string,
  value: StatedFact['value'],
  ofLabel: ReadonlyMap<string, string>,
): void {
  const key = foldWords(name);
  const use = facts.get(key) ?? { key, name, values: [], targets: new Set<string>(), isReference: false };
  facts.set(key, use);
  if (!isRowReference(value)) {
    if (value !== null) use.values.push(value);
    return;
  }
  use.isReference = true;
  const target = ofLabel.get(value.row);
  if (target !== undefined) use.targets.add(target);
}
