import { defineTask, type Message, type RoleId, systemMessage, type Task, userMessage } from '@askema/core';
import * as z from 'zod';
import type { ConceptualModel } from '../model/index.ts';
import { listOf, nameField, nameList, sentenceList, speakerField, textField, wordOf } from './output-fields.ts';
import type { RoleTurnInput } from './role-turn.ts';

export const CONCEPTUAL_MODEL_TASK_ID = 'text2schema.conceptual-model';

export interface ConceptualModelInput extends RoleTurnInput {
  /** The model that has to be mended; undefined at the first turn. */
  readonly previous?: ConceptualModel | undefined;
  /** False where the product manager can no longer be asked. */
  readonly mayAsk: boolean;
}

export interface ConceptualModelOutput {
  /** Questions that only the requirement can settle; with `next` they go to the product manager. */
  readonly doubts: readonly string[];
  /** Always there: with doubts, the best one so far. */
  readonly model: ConceptualModel;
  /** Null: the reviewer speaks next. */
  readonly next: RoleId | null;
}

export const conceptualModelForm = z.object({
  entitySets: listOf(z.object({ name: nameField(), attributes: nameList() })),
  relationshipSets: listOf(
    z.object({
      name: nameField(),
      participants: listOf(
        z.object({
          entity: nameField(),
          role: z.preprocess((given) => given ?? null, z.string().nullable()),
          cardinality: wordOf(['one', 'many']),
        }),
      ),
      attributes: nameList(),
    }),
  ),
});

export const conceptualModelOutput = z
  .object({
    thinking: textField(),
    model: conceptualModelForm,
    doubts: sentenceList(),
    next: speakerField(['product-manager']),
  })
  .transform(({ model, doubts, next }): ConceptualModelOutput => ({ model: withoutEmptyRoles(model), doubts, next }));

/** The turn of the conceptual designer. */
export const conceptualModelTask: Task<ConceptualModelInput, ConceptualModelOutput> = defineTask({
  id: CONCEPTUAL_MODEL_TASK_ID,
  version: 1,
  description: 'Designs the entity-relationship model of a requirement.',
  render: (input: ConceptualModelInput): readonly Message[] => [
    systemMessage('…'),
    userMessage(input.requirement ?? ''),
  ],
  output: conceptualModelOutput,
});

function withoutEmptyRoles(model: z.infer<typeof conceptualModelForm>): ConceptualModel {
  return {
    entitySets: model.entitySets,
    relationshipSets: model.relationshipSets.map((set) => ({
      ...set,
      participants: set.participants.map(({ entity, role, cardinality }) => {
        const named = role?.trim() ?? '';
        return named === '' ? { entity, cardinality } : { entity, role: named, cardinality };
      }),
    })),
  };
}
