import {
  isRowReference,
  type RequirementTest,
  type StatedFact,
  type StatedRow,
  type TestPlace,
} from '../model/requirement-test.ts';
import { foldWords } from '../test-plan/fold-words.ts';

/**
 * Tests of somebody who knows the design use its names. Where a thing or a fact stands for which the independent tests
 * have a word of their own, that word takes its place, so that one fact is not looked for twice.
 *
 * @param places where the independent tests found their things and facts
 */
export function nameAsTested(
  tests: readonly RequirementTest[],
  places: readonly TestPlace[],
): readonly RequirementTest[] {
  if (places.length === 0) return tests;
  const words = new TestedWords(places);
  return tests.map((test) =>
    test.by === 'qa-engineer' ? test : { ...test, rows: test.rows.map((row) => words.rowOf(row)) },
  );
}

class TestedWords {
  private readonly things = new Map<string, TestPlace>();
  private readonly ofRelation = new Map<string, TestPlace[]>();
  private readonly facts: readonly TestPlace[];

  constructor(places: readonly TestPlace[]) {
    for (const place of places) {
      if (place.fact !== null) continue;
      this.things.set(foldWords(place.thing), place);
      const relation = foldWords(place.relation);
      this.ofRelation.set(relation, [...(this.ofRelation.get(relation) ?? []), place]);
    }
    this.facts = places.filter(({ fact }) => fact !== null);
  }

  rowOf(row: StatedRow): StatedRow {
    const own = this.ofRelation.get(foldWords(row.thing)) ?? [];
    const found = this.things.get(foldWords(row.thing)) ?? (own.length === 1 ? own[0] : undefined);
    if (found === undefined) return row;
    const known = this.facts.filter(({ thing }) => foldWords(thing) === foldWords(found.thing));
    return { ...row, thing: found.thing, facts: row.facts.map((fact) => factOf(fact, found, known)) };
  }
}

function factOf(stated: StatedFact, { relation }: TestPlace, known: readonly TestPlace[]): StatedFact {
  const name = foldWords(stated.fact);
  if (known.some(({ fact }) => foldWords(fact ?? '') === name)) return stated;
  const names = isRowReference(stated.value) ? [name, foldWords(`${stated.fact} ID`)] : [name];
  const same = known.filter(
    (place) =>
      foldWords(place.relation) === foldWords(relation) &&
      place.attribute !== null &&
      names.includes(foldWords(place.attribute)),
  );
  const [only] = same;
  return only?.fact != null && same.length === 1 ? { ...stated, fact: only.fact } : stated;
}
