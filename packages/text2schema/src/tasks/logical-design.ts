import { defineTask, fence, type Message, type RoleId, systemMessage, type Task, userMessage } from '@askema/core';
import * as z from 'zod';
import type { ConceptualModel, LogicalDesign, LogicalProposal } from '../model/index.ts';
import { findingsText } from '../texts/report-text.ts';
import { conceptualModelText, designText, proposalText } from '../texts/schema-text.ts';
import { listOf, nameField, nameList, speakerField, textField, typeField, wordOf } from './output-fields.ts';
import {
  groundSections,
  hasFeedback,
  languageSentence,
  messageSections,
  type RoleTurnInput,
  roleSystemText,
} from './role-turn.ts';

export const LOGICAL_DESIGN_TASK_ID = 'text2schema.logical-design';

/** A proposal, and what the tools made of it. */
interface ObservedProposal {
  readonly proposal: LogicalProposal;
  readonly design: LogicalDesign;
}

export interface LogicalDesignInput extends RoleTurnInput {
  readonly model: ConceptualModel;
  /** The last proposal of this or of an earlier turn, with the keys, relations and findings of the tools. */
  readonly observed?: ObservedProposal | undefined;
  /** False where the conceptual designer can no longer be asked. */
  readonly mayComplain: boolean;
}

export interface LogicalComplaint {
  readonly subject: string;
  readonly problem: string;
  readonly remedy: string;
}

export interface LogicalDesignOutput {
  /** For the transcript. */
  readonly thinking: string;
  /** Undefined: the observed proposal stands as it is. Always there where nothing was observed. */
  readonly proposal: LogicalProposal | undefined;
  /** With `next`, for the conceptual designer: sets without a key, facts in the wrong place. */
  readonly complaints: readonly LogicalComplaint[];
  /** Null: the QA engineer speaks next. */
  readonly next: RoleId | null;
}

const logicalDesignForm = z.object({
  thinking: textField().describe('What decides keys, dependencies and types; a few sentences.'),
  decision: wordOf(['propose', 'keep']).describe('keep: the last proposal stands as it is; then sets is empty.'),
  sets: listOf(
    z.object({
      set: nameField(),
      attributes: listOf(
        z.object({
          name: nameField(),
          type: typeField(),
          constraints: listOf(wordOf(['not null', 'unique'])),
        }),
      ),
      dependencies: listOf(z.object({ left: nameList(), right: nameList() })),
      preferredKey: nameList(),
      relation: textField().describe('What its table is called: a singular noun; empty where it becomes none.'),
    }),
  ),
  complaints: listOf(z.object({ subject: textField(), problem: textField(), remedy: textField() })),
  next: speakerField(['conceptual-designer']).describe('Null: the usual one. Only with complaints.'),
});

/** The turn of the logical designer: types and functional dependencies; keys and relations are made by tools. */
export const logicalDesignTask: Task<LogicalDesignInput, LogicalDesignOutput> = defineTask({
  id: LOGICAL_DESIGN_TASK_ID,
  version: 1,
  description: 'Proposes data types and functional dependencies for an entity-relationship model.',
  render: (input: LogicalDesignInput): readonly Message[] => [
    systemMessage(roleSystemText('logical-designer', input.absentRoles)),
    userMessage(
      [
        ...groundSections(input),
        `The entity-relationship model:\n${fence('model', conceptualModelText(input.model))}`,
        ...messageSections(input.messages, 'logical-designer'),
        ...observedSections(input.observed),
        ...languageSentence(input.report?.language),
        closing(input),
      ].join('\n\n'),
    ),
  ],
  output: logicalDesignForm.transform(
    ({ thinking, decision, sets, complaints, next }): LogicalDesignOutput => ({
      thinking,
      proposal: decision === 'keep' && sets.length === 0 ? undefined : { sets },
      complaints,
      next,
    }),
  ),
});

function observedSections(observed: ObservedProposal | undefined): readonly string[] {
  if (observed === undefined) return [];
  const { proposal, design } = observed;
  const found = design.findings.length === 0 ? 'no findings' : findingsText(design.findings);
  return [
    `Your last proposal:\n${fence('proposal', proposalText(proposal))}`,
    `Observation, the relations that the tools made of it, with keys, foreign keys and dependencies:\n${fence('relations', designText(design))}`,
    `What they found:\n${fence('findings', found)}`,
  ];
}

function closing({ messages, observed, mayComplain }: LogicalDesignInput): string {
  const asked = hasFeedback(messages, 'logical-designer') ? ' The feedback must be worked in.' : '';
  const job =
    observed === undefined
      ? 'Propose types and functional dependencies for every set of the model; the decision is `propose`.'
      : 'Decide: `keep` where the relations are right, or `propose` with the whole proposal mended.';
  const alone = mayComplain ? '' : ' The conceptual designer can no longer be asked: make the best of the model.';
  return `${job}${asked}${alone}`;
}
