import { createCallContext, indexSchema } from '@askema/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LogicalDesign } from '../model/logical-design.ts';
import type { TestCell, TestRow, TestValue } from '../model/test-plan.ts';
import { type DesignFixture, designFixture, planOf, scratchFolder } from './run-fixture.ts';
import { runTestPlan } from './run-test-plan.ts';

const NAMES = ['Order', 'a"b', '课程', 'x;--', 'Group By', "it's", '__proto__', 'Naïve_Name'];
const TYPES = ['NUMERIC', 'TEXT', 'DATETIME', 'BOOL'] as const;

/** Relations whose keys have one or two attributes; some refer to an earlier one, some as a part of their key. */
const designs = fc
  .array(
    fc.record({
      wide: fc.boolean(),
      extra: fc.array(fc.constantFrom(...TYPES), { maxLength: 3 }),
      reference: fc.option(fc.record({ target: fc.nat(), inKey: fc.boolean() })),
    }),
    { minLength: 1, maxLength: 5 },
  )
  .map((shapes) => {
    const relations: Record<string, DesignFixture> = Object.create(null);
    const keys: string[][] = [];
    for (const [at, { wide, extra, reference }] of shapes.entries()) {
      const name = `${NAMES[at % NAMES.length]} ${at}`;
      const key = [`Key ${at} a`, ...(wide ? [`Key ${at} b`] : [])];
      const attributes = [
        ...key.map((part) => `${part} TEXT`),
        ...extra.map((type, n) => `Fact ${at} ${'pqr'[n]} ${type}`),
      ];
      const references: string[] = [];
      if (reference !== null && at > 0) {
        const target = reference.target % at;
        const far = keys[target] ?? [];
        const near = far.map((_, n) => `Far ${at} ${'uvwxyz'[n]}`);
        attributes.push(...near.map((part) => `${part} TEXT`));
        references.push(`${near.join(', ')} > ${NAMES[target % NAMES.length]} ${target}: ${far.join(', ')}`);
        if (reference.inKey && far.length < 3) key.push(...near);
      }
      keys.push(key);
      relations[name] = { attributes, key, references };
    }
    return designFixture(relations);
  });

const VALUES: Readonly<Record<string, readonly TestValue[]>> = {
  NUMERIC: [0, -1.5, 12345678901, null],
  TEXT: ["a'b", '', '"; DROP', '数据', null],
  DATETIME: ['2024-02-29', '2024-01-01T10:00:00Z', null],
  BOOL: [true, false, null],
};

/** One valid row of each relation, in an order in which references come first. */
function validRows(design: LogicalDesign, seed: number): TestRow[] {
  const index = indexSchema(design.schema);
  const values = new Map<string, TestValue>();
  return design.schema.relations.map(({ id, name }, at) => {
    const key = index.primaryKey(id)?.attributes ?? [];
    const cells = index.attributesOf(id).map((attribute, n): TestCell => {
      const pair = index
        .foreignKeysFrom(id)
        .flatMap(({ pairs }) => pairs)
        .find(({ from }) => from === attribute.id);
      const choices = VALUES[attribute.type] ?? [];
      const value =
        pair !== undefined
          ? (values.get(pair.to) ?? null)
          : key.includes(attribute.id)
            ? `v${seed} ${at} ${n}`
            : (choices[(seed + at + n) % choices.length] ?? null);
      values.set(attribute.id, value);
      return { attribute: attribute.name, value };
    });
    return { target: name, values: cells };
  });
}

test('valid rows of any design are accepted and found again; the same rows twice, and without a key, are refused', async () => {
  await fc.assert(
    fc.asyncProperty(designs, fc.nat(20), async (design, seed) => {
      using folder = scratchFolder();
      const rows = validRows(design, seed);
      const cases = rows.flatMap(({ target, values }) => {
        const relation = design.schema.relations.find(({ name }) => name === target)?.id;
        const key = design.schema.primaryKeys.find((primary) => primary.relation === relation)?.attributes ?? [];
        const isKey = (attribute: string): boolean =>
          design.schema.attributes.some(({ id, name }) => name === attribute && key.includes(id));
        const insert = { operation: 'insert', purpose: '', target, where: [] } as const;
        const keyless = values.map((cell) => (isKey(cell.attribute) ? { ...cell, value: null } : cell));
        return [
          { ...insert, values, expected: { outcome: 'accepted' } as const },
          { ...insert, values, expected: { outcome: 'rejected', by: 'entity integrity' } as const },
          { ...insert, values: keyless, expected: { outcome: 'rejected', by: 'entity integrity' } as const },
          {
            operation: 'query' as const,
            purpose: '',
            target,
            values: [],
            where: values.filter((cell) => isKey(cell.attribute)),
            expected: { outcome: 'rows', rows: [values] } as const,
          },
        ];
      });
      // The second set shows that the rows of the first are gone, and that given rows need no order.
      const again = { given: rows.toReversed(), cases: cases.filter(({ operation }) => operation === 'query') };
      const run = await runTestPlan({
        plan: planOf({ cases }, again),
        design,
        scratch: folder.scratch,
        context: createCallContext(),
      });
      expect(run.results.filter(({ status }) => status !== 'passed')).toEqual([]);
    }),
    { numRuns: 12 },
  );
}, 120_000);
