import { defineTask, type Message, type RoleId, systemMessage, type Task, userMessage } from '@askema/core';
import * as z from 'zod';
import type { ConceptualModel, LogicalDesign, LogicalProposal } from '../model/index.ts';
import { listOf, nameField, nameList, speakerField, textField, typeField, wordOf } from './output-fields.ts';
import type { RoleTurnInput } from './role-turn.ts';

export const LOGICAL_DESIGN_TASK_ID = 'text2schema.logical-design';

/** A proposal, and what the tools made of it. */
export interface ObservedProposal {
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
  readonly proposal: LogicalProposal;
  /** With `next`, for the conceptual designer: sets without a key, facts in the wrong place. */
  readonly complaints: readonly LogicalComplaint[];
  /** Null: the QA engineer speaks next. */
  readonly next: RoleId | null;
}

export const logicalDesignForm = z.object({
  thinking: textField(),
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
    }),
  ),
  complaints: listOf(z.object({ subject: textField(), problem: textField(), remedy: textField() })),
  next: speakerField(['conceptual-designer']),
});

/** The turn of the logical designer: types and functional dependencies; keys and relations are made by tools. */
export const logicalDesignTask: Task<LogicalDesignInput, LogicalDesignOutput> = defineTask({
  id: LOGICAL_DESIGN_TASK_ID,
  version: 1,
  description: 'Proposes data types and functional dependencies for an entity-relationship model.',
  render: (input: LogicalDesignInput): readonly Message[] => [systemMessage('…'), userMessage(input.requirement ?? '')],
  output: logicalDesignForm.transform(
    ({ sets, complaints, next }): LogicalDesignOutput => ({ proposal: { sets }, complaints, next }),
  ),
});
