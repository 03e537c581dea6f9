import type { Schema } from '@askema/core';
import type { MutationCheck, RequirementTest, TestPlace } from '../model/requirement-test.ts';
import { memoryStore } from './memory-store.ts';
import { mutantsOf } from './mutants.ts';
import { placeTests } from './place-tests.ts';
import { runRequirementTests } from './run-tests.ts';

/**
 * What tests are worth: the standard mistakes of designers are planted into a design, one at a time, and the tests that
 * pass on the design run on each. A mistake that none of them notices would have been accepted. All in memory.
 */
export async function checkByMutants(
  tests: readonly RequirementTest[],
  schema: Schema,
  places: readonly TestPlace[],
): Promise<MutationCheck> {
  const passedOn = async (design: Schema, asked: readonly RequirementTest[]) => {
    const results = await runRequirementTests(placeTests(asked, design, places), memoryStore(design));
    return new Set(results.filter(({ status }) => status === 'passed').map(({ number }) => number));
  };
  const good = await passedOn(schema, tests);
  const asked = tests.filter(({ number }) => good.has(number));
  const unnoticed: string[] = [];
  const mutants = mutantsOf(schema);
  for (const mutant of mutants) {
    const passed = await passedOn(mutant.schema, asked);
    if (passed.size === asked.length) unnoticed.push(mutant.says);
  }
  return { planted: mutants.length, noticed: mutants.length - unnoticed.length, unnoticed };
}
