import type { Schema } from '@askema/core';
import type { MutationCheck, RequirementTestResult, TestPlace } from '../model/requirement-test.ts';
import { memoryStore } from './memory-store.ts';
import { mutantsOf } from './mutants.ts';
import { placeTests } from './place-tests.ts';
import type { PlacedTests } from './placed-test.ts';
import { runRequirementTests } from './run-tests.ts';

/**
 * What tests are worth: the standard mistakes of designers are planted into a design, one at a time, and the tests that
 * passed on the design run on each. A mistake that none of them notices would have been accepted. All in memory.
 */
export async function checkByMutants(
  { tests }: PlacedTests,
  results: readonly RequirementTestResult[],
  schema: Schema,
  places: readonly TestPlace[],
): Promise<MutationCheck> {
  const passed = new Set(results.filter(({ status }) => status === 'passed').map(({ number }) => number));
  const asked = tests.map(({ test }) => test).filter(({ number }) => passed.has(number));
  const mutants = mutantsOf(schema);
  const unnoticed: string[] = [];
  for (const mutant of mutants) {
    const found = await runRequirementTests(placeTests(asked, mutant.schema, places), memoryStore(mutant.schema));
    if (found.every(({ status }) => status === 'passed')) unnoticed.push(mutant.says);
  }
  return { planted: mutants.length, noticed: mutants.length - unnoticed.length, unnoticed };
}
