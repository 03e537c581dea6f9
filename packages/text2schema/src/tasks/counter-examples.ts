import { defineTask, fence, type Message, systemMessage, type Task, userMessage } from '@askema/core';
import * as z from 'zod';
import type {
  Clarification,
  LogicalDesign,
  RequirementReport,
  RequirementTest,
  StatedRow,
  TestPlace,
} from '../model/index.ts';
import { schemaText } from '../texts/schema-text.ts';
import { requirementSections } from './draft.ts';
import { textField } from './output-fields.ts';
import { languageSentence } from './role-turn.ts';
import {
  gapsText,
  type OpenGap,
  placeListForm,
  placesOfForm,
  sampleSections,
  testedSystemText,
  testListForm,
  testsOfForm,
  type WrittenTest,
} from './tested-role.ts';

export const COUNTER_EXAMPLES_TASK_ID = 'text2schema.counter-examples';

export interface CounterExamplesInput {
  readonly requirement: string | undefined;
  /** Only where the requirement is left out. */
  readonly report: RequirementReport | undefined;
  readonly answered: readonly Clarification[];
  readonly language: string;
  readonly design: LogicalDesign;
  readonly assumptions: readonly string[];
  readonly samples: readonly StatedRow[];
  /** Those that are there already. */
  readonly tests: readonly RequirementTest[];
  readonly gaps: readonly OpenGap[];
  /** What a wrong design would do and no test would notice. */
  readonly unnoticed: readonly string[];
  /** From 1, of so many. */
  readonly round: { readonly number: number; readonly of: number };
}

export interface CounterExamplesOutput {
  /** For the transcript. */
  readonly thinking: string;
  readonly places: readonly TestPlace[];
  readonly tests: readonly WrittenTest[];
}

const counterExamplesForm = z.object({
  thinking: textField().describe('What you looked at and what is doubtful; a few sentences.'),
  places: placeListForm(),
  tests: testListForm(),
});

/** The turn of the reviewer in the preset `tested`. */
export const counterExamplesTask: Task<CounterExamplesInput, CounterExamplesOutput> = defineTask({
  id: COUNTER_EXAMPLES_TASK_ID,
  version: 1,
  description: 'Argues against a schema by tests that it fails.',
  render: (input: CounterExamplesInput): readonly Message[] => [
    systemMessage(testedSystemText('conceptual-reviewer')),
    userMessage(
      [
        ...requirementSections(input),
        `The design:\n${fence('design', schemaText(input.design.schema))}`,
        ...(input.assumptions.length === 0
          ? []
          : [`What it assumes:\n${fence('assumptions', input.assumptions.join('\n'))}`]),
        ...sampleSections(input.samples),
        ...(input.tests.length === 0 ? [] : [`Tests that are there:\n${fence('tests', titles(input.tests))}`]),
        ...(input.gaps.length === 0
          ? []
          : [
              `Facts of these tests that code could not place by their names:\n${fence('no place', gapsText(input.gaps))}`,
            ]),
        ...(input.unnoticed.length === 0
          ? []
          : [
              `Mistakes that no test would notice:\n${fence('unnoticed', input.unnoticed.map((one) => `- ${one}`).join('\n'))}`,
            ]),
        ...languageSentence(input.language),
        `Attack the design. This is review ${input.round.number} of ${input.round.of}: what you do not find now, nobody will.`,
      ].join('\n\n'),
    ),
  ],
  output: counterExamplesForm.transform(
    ({ thinking, places, tests }): CounterExamplesOutput => ({
      thinking,
      places: placesOfForm(places),
      tests: testsOfForm(tests, 'conceptual-reviewer'),
    }),
  ),
});

function titles(tests: readonly RequirementTest[]): string {
  return tests.map(({ number, kind, says }) => `${number} (${kind}): ${says}`).join('\n');
}
