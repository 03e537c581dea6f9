import { type DataType, defineTask, fence, type Message, systemMessage, type Task, userMessage } from '@askema/core';
import * as z from 'zod';
import type {
  DesignFinding,
  RefusingConstraint,
  TestCase,
  TestCell,
  TestExpectation,
  TestPlan,
  TestRow,
  TestValue,
} from '../model/index.ts';
import { findingsText } from '../texts/report-text.ts';
import { testPlanText } from '../texts/test-text.ts';
import { listOf, nameField, nameList, textField, wordOf } from './output-fields.ts';
import { groundSections, languageSentence, messageSections, type RoleTurnInput, roleSystemText } from './role-turn.ts';

/**
 * How a model writes a test plan: rows as tables, and rows that many sets need only once. A plan in the form of
 * `TestPlan` repeats every attribute in every row; this one takes about a third of its tokens.
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

export const TEST_PLAN_TASK_ID = 'text2schema.test-plan';

/** A relation as the tests have to know it. */
interface NamedColumns {
  readonly name: string;
  readonly attributes: readonly { readonly name: string; readonly type: DataType }[];
}

export interface TestPlanInput extends RoleTurnInput {
  /**
   * Names that the tests may use for their targets, so that code finds them. The tests come from the report: what is
   * missing in the schema is tested all the same, in the report's words.
   */
  readonly relations?: readonly NamedColumns[] | undefined;
  /** True where rules of the requirement (not null, unique) are put into the schema. Default: false. */
  readonly explicitConstraints?: boolean | undefined;
  /** The plan that has to be mended, and what code found in it (`planFindings`) or the test executor said. */
  readonly previous?: { readonly plan: TestPlan; readonly findings: readonly DesignFinding[] } | undefined;
}

export interface TestPlanOutput {
  readonly plan: TestPlan;
}

/** The turn of the QA engineer. */
export const testPlanTask: Task<TestPlanInput, TestPlanOutput> = defineTask({
  id: TEST_PLAN_TASK_ID,
  version: 1,
  description: 'Writes test cases for a schema from the functional report.',
  render: (input: TestPlanInput): readonly Message[] => [
    systemMessage(roleSystemText('qa-engineer', input.absentRoles)),
    userMessage(
      [
        ...groundSections(input),
        ...nameSections(input.relations ?? []),
        ...previousSections(input.previous),
        ...messageSections(input.messages, 'qa-engineer'),
        ...languageSentence(input.report?.language),
        `Write the ${SETS} sets of test cases. ${constraintSentence(input.explicitConstraints ?? false)}`,
      ].join('\n\n'),
    ),
  ],
  output: testPlanForm.transform((form): TestPlanOutput => ({ plan: planOfForm(form) })),
});

/** SchemaAgent, section 4.1, Listing 5. */
const SETS = 10;

/** What the database refuses; the test executor has to know it too. */
export function constraintSentence(explicitConstraints: boolean): string {
  return explicitConstraints
    ? 'Rules of the requirement about what must be present or unique are enforced too: `not null` and `unique` may be expected for them.'
    : 'Only keys and references are enforced: expect no refusal for `not null` or `unique`.';
}

function nameSections(relations: NonNullable<TestPlanInput['relations']>): readonly string[] {
  if (relations.length === 0) return [];
  const lines = relations
    .map(({ name, attributes }) => `${name}(${attributes.map((one) => `${one.name} [${one.type}]`).join(', ')})`)
    .join('\n');
  return [
    `Names that the database has, each attribute with its type in brackets. Use them for targets and attributes where they mean what you want to test; what the report wants and is not among them is tested all the same, in the words of the report:\n${fence('names', lines)}`,
  ];
}

function previousSections(previous: TestPlanInput['previous']): readonly string[] {
  if (previous === undefined) return [];
  const { plan, findings } = previous;
  return [
    `Your last plan:\n${fence('plan', testPlanText(plan))}`,
    `What is wrong with it:\n${fence('findings', findingsText(findings))}`,
    'Give the whole plan anew, with that mended.',
  ];
}
