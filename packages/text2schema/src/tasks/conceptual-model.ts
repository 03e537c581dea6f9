import { defineTask, fence, type Message, type RoleId, systemMessage, type Task, userMessage } from '@askema/core';
import * as z from 'zod';
import type { ConceptualModel } from '../model/index.ts';
import { conceptualModelText } from '../texts/schema-text.ts';
import { listOf, nameField, nameList, sentenceList, speakerField, textField, wordOf } from './output-fields.ts';
import {
  groundSections,
  hasFeedback,
  languageSentence,
  messageSections,
  type RoleTurnInput,
  roleSystemText,
} from './role-turn.ts';

export const CONCEPTUAL_MODEL_TASK_ID = 'text2schema.conceptual-model';

export interface ConceptualModelInput extends RoleTurnInput {
  /** The model that has to be mended; undefined at the first turn. */
  readonly previous?: ConceptualModel | undefined;
  /** False where the product manager can no longer be asked. */
  readonly mayAsk: boolean;
}

export interface ConceptualModelOutput {
  /** Why; belongs into the message, so that the reviewer knows what was kept for a reason. */
  readonly thinking: string;
  /** Questions that only the requirement can settle; with `next` they go to the product manager. */
  readonly doubts: readonly string[];
  /** Always there: with doubts, the best one so far. */
  readonly model: ConceptualModel;
  /** Null: the reviewer speaks next. */
  readonly next: RoleId | null;
}

const conceptualModelForm = z.object({
  entitySets: listOf(z.object({ name: nameField(), attributes: nameList() })),
  relationshipSets: listOf(
    z.object({
      name: nameField(),
      participants: listOf(
        z.object({
          entity: nameField(),
          role: z
            .preprocess((given) => given ?? null, z.string().nullable())
            .describe(
              'What it is in this connection, where the requirement has another word for that (Seller, Department Head) or it takes part twice; else null.',
            ),
          cardinality: wordOf(['one', 'many']),
        }),
      ),
      attributes: nameList(),
    }),
  ),
});

/** What the model writes. */
const conceptualModelTaskForm = z.object({
  thinking: textField().describe('What was doubtful and why it was decided so; a few sentences.'),
  model: conceptualModelForm,
  doubts: sentenceList().describe('Questions for the product manager; mostly none.'),
  next: speakerField(['product-manager']).describe('Null: the usual one. Only with doubts.'),
});

export const conceptualModelOutput = conceptualModelTaskForm.transform(
  ({ model, ...rest }): ConceptualModelOutput => ({ ...rest, model: withoutEmptyRoles(model) }),
);

/** The turn of the conceptual designer. */
export const conceptualModelTask: Task<ConceptualModelInput, ConceptualModelOutput> = defineTask({
  id: CONCEPTUAL_MODEL_TASK_ID,
  version: 1,
  description: 'Designs the entity-relationship model of a requirement.',
  render: (input: ConceptualModelInput): readonly Message[] => [
    systemMessage(roleSystemText('conceptual-designer', input.absentRoles)),
    userMessage(
      [
        ...groundSections(input),
        ...previousSections(input.previous),
        ...messageSections(input.messages, 'conceptual-designer'),
        ...languageSentence(input.report?.language),
        closing(input),
      ].join('\n\n'),
    ),
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

function previousSections(previous: ConceptualModel | undefined): readonly string[] {
  return previous === undefined ? [] : [`Your last model:\n${fence('model', conceptualModelText(previous))}`];
}

function closing({ messages, previous, mayAsk }: ConceptualModelInput): string {
  const mends = previous !== undefined && hasFeedback(messages, 'conceptual-designer');
  const job = mends
    ? 'Give the whole model with the feedback worked in. What the feedback does not concern stays as it is.'
    : 'Design the entity-relationship model.';
  return mayAsk ? job : `${job} The product manager can no longer be asked: settle doubts yourself.`;
}
