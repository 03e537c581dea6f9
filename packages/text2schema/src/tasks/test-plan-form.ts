import * as z from 'zod';
import type {
  RefusingConstraint,
  TestCase,
  TestCell,
  TestExpectation,
  TestPlan,
  TestRow,
  TestValue,
} from '../model/index.ts';
import { listOf, nameField, nameList, textField, wordOf } from './output-fields.ts';

/**
 * How a model writes a test plan: rows as tables, and rows that many sets need only once. A plan in the form of `TestPlan` repeats every
 * attribute in every row; this one takes about a third of its tokens.
 */

const REFUSALS = [
  'entity integrity',
  'referential integrity',
  'not null',
  'unique',
] as const satisfies readonly RefusingConstraint[];

const value = () => z.preprocess((given) => given ?? null, z.union([z.string(), z.number(), z.boolean(), z.null()]));

const table = () => z.object({ target: nameField(), attributes: nameList(), rows: listOf(listOf(value())) });

const cell = () => z.object({ attribute: nameField(), value: value() });

export const testPlanForm = z.object({
  thinking: textField().describe('Which uses and which refusals are covered by which sets; a few sentences.'),
  base: listOf(table()).describe('Rows that several sets need; what is referred to first.'),
  sets: listOf(
    z.object({
      title: textField(),
      needs: nameList().describe('Targets of base.'),
      given: listOf(table()),
      cases: listOf(
        z.object({
          operation: wordOf(['insert', 'delete', 'update', 'query']),
          purpose: textField(),
          target: nameField(),
          where: listOf(cell()),
          attributes: nameList(),
          values: listOf(value()).describe('Insert and update: one for each attribute.'),
          expected: wordOf(['accepted', ...REFUSALS, 'rows']),
          rows: listOf(listOf(value())).describe('Query: what it must give, each row in the order of attributes.'),
        }),
      ),
    }),
  ),
});

export type TestPlanForm = z.infer<typeof testPlanForm>;

/** The plan that a form says. Each set gets the base rows of the targets that it needs, in the order of the base. */
export function planOfForm({ base, sets }: TestPlanForm): TestPlan {
  return {
    sets: sets.map(({ title, needs, given, cases }) => {
      const wanted = new Set(needs.map(plainName));
      const needed = base.filter(({ target }) => wanted.has(plainName(target)));
      return { title, given: [...needed, ...given].flatMap(rowsOf), cases: cases.map(caseOf) };
    }),
  };
}

function rowsOf({ target, attributes, rows }: TestPlanForm['base'][number]): readonly TestRow[] {
  return rows.map((row) => ({ target, values: cellsOf(attributes, row) }));
}

function caseOf(form: TestPlanForm['sets'][number]['cases'][number]): TestCase {
  const { operation, purpose, target, where, attributes, values } = form;
  return { operation, purpose, target, values: cellsOf(attributes, values), where, expected: expectationOf(form) };
}

function expectationOf({ expected, attributes, rows }: TestPlanForm['sets'][number]['cases'][number]): TestExpectation {
  if (expected === 'accepted') return { outcome: 'accepted' };
  if (expected === 'rows') return { outcome: 'rows', rows: rows.map((row) => cellsOf(attributes, row)) };
  return { outcome: 'rejected', by: expected };
}

/** A row that is too short ends in nulls; what is too long is left out. */
function cellsOf(attributes: readonly string[], row: readonly TestValue[]): readonly TestCell[] {
  return attributes.map((attribute, at) => ({ attribute, value: row[at] ?? null }));
}

function plainName(name: string): string {
  return name.trim().toLowerCase();
}
