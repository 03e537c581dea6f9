import type { Schema } from '@askema/core';
import type { RequirementTest, TestPlace } from '../model/requirement-test.ts';
import type { PlacedTests } from './placed-test.ts';

export function placeTests(
  tests: readonly RequirementTest[],
  _schema: Schema,
  _places: readonly TestPlace[] = [],
): PlacedTests {
  return { tests: tests.map((test) => ({ test, gaps: [], rows: [] })), gaps: [], places: [] };
}
