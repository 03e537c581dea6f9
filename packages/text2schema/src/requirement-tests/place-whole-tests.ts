import type { Schema } from '@askema/core';
import type { RequirementTest, StatedRow, TestGap, TestPlace } from '../model/requirement-test.ts';
import { foldWords } from '../test-plan/fold-words.ts';
import { nameAsTested } from './name-as-tested.ts';
import { placeTests } from './place-tests.ts';
import type { PlacedTests } from './placed-test.ts';

/**
 * Places tests with the samples that they need. A fact of a sample that has no place is left out of the tests that only
 * need the sample: it fails the test of the sample itself, and hides nothing of the others.
 */
export function placeWholeTests(
  tests: readonly RequirementTest[],
  schema: Schema,
  places: readonly TestPlace[],
): PlacedTests {
  const independent = tests.filter(({ by }) => by === 'qa-engineer').map(wholeTest);
  const named = nameAsTested(tests, placeTests(independent, schema, places).places);
  const placed = placeTests(named.map(wholeTest), schema, places);
  const gaps = new Set(placed.gaps.flatMap((gap) => (gap.fact === null ? [] : [keyOf(gap.thing, gap.fact)])));
  if (gaps.size === 0) return placed;
  return placeTests(
    named.map((test) => wholeTest({ ...test, given: (test.given ?? []).map((row) => withoutGaps(row, gaps)) })),
    schema,
    places,
  );
}

/** A test whose rows are all there. A row that only names a sample says that it is there. */
function wholeTest({ given = [], rows, ...test }: RequirementTest): RequirementTest {
  const labels = new Set(given.map(({ label }) => label));
  const own = rows.filter(({ label, facts }) => facts.length > 0 || !labels.has(label));
  return { ...test, rows: [...given, ...own] };
}

function withoutGaps(row: StatedRow, gaps: ReadonlySet<string>): StatedRow {
  return { ...row, facts: row.facts.filter(({ fact }) => !gaps.has(keyOf(row.thing, fact))) };
}

function keyOf(thing: TestGap['thing'], fact: string): string {
  return `${foldWords(thing)}\n${foldWords(fact)}`;
}
