import { defineTask, fence, type Message, type Task } from '@askema/core';
import * as z from 'zod';
import { onOneLine } from '../../../prompts/cut-text.ts';
import { taskMessages } from '../../../prompts/prompt-sections.ts';
import { takenLoosely } from '../../../prompts/taken-loosely.ts';
import { clauseActionsOutput } from '../clauses/action-schemas.ts';
import { actionSections } from './action-rules.ts';
import { earlierSections, type InspectedSequence, inspectedSections } from './finding-sections.ts';
import {
  beforeActions,
  behindActions,
  type GenerateActionsInput,
  generateActionsOutput,
  splitSections,
  useSections,
} from './generate-actions.ts';

const REVISE_ACTIONS_TASK_ID = 'text2sql.revise-actions';

export interface ReviseActionsInput extends GenerateActionsInput {
  /** Sequences before the last one, oldest first. */
  readonly earlier: readonly InspectedSequence[];
  readonly last: InspectedSequence;
  /** Columns that exist and were left out of the schema, because a value was looked for in them and not found. */
  readonly hiddenColumns: readonly string[];
}

export const decisionOutput = z.object({
  finding: z.number(),
  decision: z.enum(['use_cell', 'change_column', 'change', 'drop', 'keep']),
  reason: z.string(),
});

/** The form that is taken; vendors are asked for the stricter one of `clauseActionsOutput`. */
const reviseActionsOutput = z.object({
  decisions: z.array(decisionOutput),
  ...generateActionsOutput.omit({ thinking: true, other_readings: true }).shape,
});

export type ReviseActionsOutput = z.infer<typeof reviseActionsOutput>;

const JOB =
  'You turn the question into SQL, clause by clause. The actions below were written for the question below. They were inspected before anything is run, and the findings say what is wrong with them or may be. Decide on each finding, then give the whole sequence anew: it must answer exactly what was asked for. Change what a finding is right about, and leave the other clauses as they are, unless one plainly does not say what the question asks for.';

const REVISING_RULES: readonly string[] = [
  'Decide once on each finding that is not a note, by its number, with a reason of a few words: `use_cell` compares with a stored cell instead, `change_column` looks in another column, `change` is anything else that mends it, `drop` leaves the clause out, `keep` says that the finding does not apply.',
  'A finding can be mistaken. Where the clause is right as it stands, decide `keep`, say why, and leave it: it is not held against it again. Notes need no decision.',
  'A value that no cell of its column equals: where a near cell is the same thing in another spelling (case, order of words, abbreviation, plural, part of the name), decide `use_cell` and write that cell exactly as it is stored. Where the value stands in another column that fits the words of the question, decide `change_column`. Where the rest of the statement says the same already, or the word is no condition at all, decide `drop`.',
  'A name of a person or thing that differs from the only near cell by a letter or two, while everything else that the question says fits that row, is probably a misspelling: use the cell. A name that is clearly another one is not.',
  'Never put another thing in the place of the one that the question names. Beside what is said of it above: where the question names a thing that the database does not hold, so that any answer would be about something else, the outcome is `unanswerable`. A question that asks whether or how many there are may be answered by an empty result or by 0, though: decide `keep` then, but only where neither a near cell nor another column holds what the question names.',
  'Actions with a number such as 2.1 answer the sub-question of action 2, in a sequence of its own: do not give them again. Ask the sub-question as it is, ask another one, or do without.',
  'The cells shown are examples of what is stored, the nearest first, and not the whole column.',
];

/** The schema of the prompt is not all that may be used. */
function hiddenSections(columns: readonly string[]): readonly string[] {
  if (columns.length === 0) return [];
  const names = fence('columns', columns.map((column) => onOneLine(column)).join('\n'));
  return [
    `The schema above leaves out these columns, because a value was not found in them; they exist all the same, and may be compared with a cell that the findings show:\n${names}`,
  ];
}

/**
 * The prompt that revises a sequence after its inspection (Tool-SQL, sections 2.1 and 2.2): data, what was tried, what
 * was found, and the question last.
 */
export const reviseActionsTask: Task<ReviseActionsInput, ReviseActionsOutput> = defineTask({
  id: REVISE_ACTIONS_TASK_ID,
  version: 4,
  description: 'Revises a sequence of clause actions by what inspection found.',
  render: (input: ReviseActionsInput): readonly Message[] =>
    taskMessages(input, {
      shared: actionSections(input.form),
      job: JOB,
      sections: [
        ['About the findings:', ...REVISING_RULES].join('\n- '),
        ...(input.form === 'tools'
          ? ['Call `decide` for each finding first, then make the calls of the sequence; or `decline` alone.']
          : []),
        ...hiddenSections(input.hiddenColumns),
        ...earlierSections(input.earlier, input.form),
        ...inspectedSections(input.last, input.form),
        ...useSections(input),
        ...splitSections(input),
      ],
    }),
  output: takenOutput(),
});

function takenOutput(): Task<ReviseActionsInput, ReviseActionsOutput>['output'] {
  const asked = z.object({
    decisions: z.array(decisionOutput),
    outcome: beforeActions.outcome,
    ...clauseActionsOutput.shape,
    ...behindActions,
  });
  return takenLoosely(asked, reviseActionsOutput);
}
