import { defineTask, fence, type Message, systemMessage, type Task, userMessage } from '@askema/core';
import * as z from 'zod';
import type { Clarification, RequirementReport, RequirementTest, StatedRow } from '../model/index.ts';
import { type Dispute, requirementSections } from './draft.ts';
import { listOf, nameField, nameList, textField, wordOf } from './output-fields.ts';
import { languageSentence } from './role-turn.ts';
import {
  rowListForm,
  rowsOfForm,
  sampleSections,
  testedSystemText,
  testListForm,
  testRowsText,
  testsOfForm,
  type WrittenTest,
} from './tested-role.ts';

export const REQUIREMENT_TESTS_TASK_ID = 'text2schema.requirement-tests';

export interface RequirementTestsInput {
  /** Left out where it is too long for one prompt: then the report stands for it. */
  readonly requirement: string | undefined;
  /** Only where the requirement is left out: a report may be wrong, and tests must not follow it. */
  readonly report: RequirementReport | undefined;
  readonly answered: readonly Clarification[];
  readonly language: string;
  /** Of the tests that are there already. */
  readonly samples: readonly StatedRow[];
  /** Tests that somebody disputes, with the reason. */
  readonly disputed: readonly { readonly test: RequirementTest; readonly reason: Dispute['reason'] }[];
  /** What a wrong design would do and no test would notice. */
  readonly unnoticed: readonly string[];
}

export interface RequirementTestsOutput {
  /** For the transcript. */
  readonly thinking: string;
  /** Rows to which tests refer; empty where there were some already. */
  readonly samples: readonly StatedRow[];
  /** Facts of things without which their rows must be refused. */
  readonly necessary: readonly { readonly thing: string; readonly facts: readonly string[] }[];
  /** All tests; or, where there were some, those that are new. */
  readonly tests: readonly WrittenTest[];
  readonly verdicts: readonly { readonly test: number; readonly verdict: 'stands' | 'withdrawn' }[];
}

const testsForm = z.object({
  thinking: textField().describe('What is vague, what can come again, what must be refused; a few sentences.'),
  samples: rowListForm().describe('Only with the first tests.'),
  necessary: listOf(z.object({ thing: nameField(), facts: nameList() })).describe('Only with the first tests.'),
  tests: testListForm(),
  verdicts: listOf(z.object({ test: z.coerce.number().int(), verdict: wordOf(['stands', 'withdrawn']) })).describe(
    'Only where tests are disputed.',
  ),
});

/** The turn of the QA engineer in the preset `tested`. No input of it says anything of a design. */
export const requirementTestsTask: Task<RequirementTestsInput, RequirementTestsOutput> = defineTask({
  id: REQUIREMENT_TESTS_TASK_ID,
  version: 1,
  description: 'Writes tests from a requirement alone.',
  render: (input: RequirementTestsInput): readonly Message[] => [
    systemMessage(testedSystemText('qa-engineer')),
    userMessage(
      [
        ...requirementSections(input),
        ...sampleSections(input.samples),
        ...disputeSections(input.disputed),
        ...unnoticedSections(input.unnoticed),
        ...languageSentence(input.language),
        closing(input),
      ].join('\n\n'),
    ),
  ],
  output: testsForm.transform(
    ({ thinking, samples, necessary, tests, verdicts }): RequirementTestsOutput => ({
      thinking,
      samples: rowsOfForm(samples),
      necessary,
      tests: testsOfForm(tests, 'qa-engineer'),
      verdicts,
    }),
  ),
});

function disputeSections(disputed: RequirementTestsInput['disputed']): readonly string[] {
  if (disputed.length === 0) return [];
  const lines = disputed.map(
    ({ test, reason }) =>
      `Test ${test.number} (${test.kind}): ${test.says}\n  ${testRowsText(test)}\n  Disputed: ${reason}`,
  );
  return [`Tests that the designer disputes:\n${fence('disputed', lines.join('\n'))}`];
}

function unnoticedSections(unnoticed: readonly string[]): readonly string[] {
  if (unnoticed.length === 0) return [];
  return [
    `Mistakes that none of your tests would notice, in the names of a design that you do not see:\n${fence('unnoticed', unnoticed.map((one) => `- ${one}`).join('\n'))}`,
  ];
}

function closing({ disputed, unnoticed }: RequirementTestsInput): string {
  if (disputed.length === 0 && unnoticed.length === 0) return 'Write the tests.';
  return [
    ...(disputed.length === 0
      ? []
      : [
          'Decide each dispute by the requirement alone: `withdrawn` where the test asks for what the requirement or common sense contradicts, else `stands`. A test that was wrong in its wording is withdrawn, and written anew under `tests`.',
        ]),
    ...(unnoticed.length === 0
      ? []
      : ['Write one test for each of the mistakes where the requirement or common sense decides what is right.']),
    'Under `tests` stands only what is new.',
  ].join(' ');
}
