import type { Schema } from '@askema/core';
import type { RequirementTest, StatedRow, TestGap, TestPlace } from '../model/requirement-test.ts';
import type { TestValue } from '../model/test-plan.ts';
import { type DesignFixture, designFixture } from '../test-plan/run-fixture.ts';
import { memoryStore } from './memory-store.ts';
import { placeTests } from './place-tests.ts';
import { runRequirementTests } from './run-tests.ts';

/** For tests: a schema in words; `required` are attributes that are not null (`Loan.reader`). */
export function schemaOf(relations: Readonly<Record<string, DesignFixture>>, ...required: readonly string[]): Schema {
  const { schema } = designFixture(relations);
  const notNull = required.map((name) => {
    const [relation, attribute] = name.split('.');
    const owner = schema.relations.find((one) => one.name === relation)?.id;
    const found = schema.attributes.find((one) => one.relation === owner && one.name === attribute);
    if (found === undefined) throw new Error(name);
    return { attribute: found.id, constraint: 'not null' as const };
  });
  return { ...schema, domainConstraints: [...schema.domainConstraints, ...notNull] };
}

/** For tests: `row('Loan l1', { reader: '@ann', 'lent on': '2026-03-01' })`; an array states a fact several times. */
export function row(
  name: string,
  facts: Readonly<Record<string, TestValue | readonly (string | number)[]>> = {},
): StatedRow {
  const [, thing = '', label = ''] = /^(.+) (\S+)$/.exec(name) ?? [];
  return {
    thing,
    label,
    facts: Object.entries(facts).flatMap(([fact, stated]) =>
      (isList(stated) ? stated : [stated]).map((value) => ({
        fact,
        value: typeof value === 'string' && value.startsWith('@') ? { row: value.slice(1) } : value,
      })),
    ),
  };
}

function isList(stated: TestValue | readonly (string | number)[]): stated is readonly (string | number)[] {
  return Array.isArray(stated);
}

/** For tests: tests in their order, numbered. */
export function testsOf(
  ...tests: readonly (readonly [kind: RequirementTest['kind'], ...rows: readonly StatedRow[]])[]
): RequirementTest[] {
  return tests.map(([kind, ...rows], at) => ({
    number: at + 1,
    kind,
    says: `test ${at + 1}`,
    by: 'qa-engineer',
    rows,
  }));
}

/** For tests: what becomes of each, in short: `passed`, `no place: Loan.lent on`, or what happened. */
export async function outcomes(
  schema: Schema,
  tests: readonly RequirementTest[],
  places: readonly TestPlace[] = [],
): Promise<string[]> {
  const results = await runRequirementTests(placeTests(tests, schema, places), memoryStore(schema));
  return results.map(({ status, gaps, actual }) => {
    if (status === 'no place') return `no place: ${gaps.map(gapName).join(', ')}`;
    return status === 'failed' ? actual : status;
  });
}

export function gapName({ thing, fact }: TestGap): string {
  return fact === null ? thing : `${thing}.${fact}`;
}
