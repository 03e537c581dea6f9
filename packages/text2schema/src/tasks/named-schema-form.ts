import * as z from 'zod';
import type { NamedSchema } from '../model/index.ts';
import { listOf, nameField, nameList, textField, typeField } from './output-fields.ts';

/** How a model writes a schema. */
export const namedSchemaForm = z.object({
  relations: listOf(
    z.object({
      name: nameField(),
      attributes: listOf(z.object({ name: nameField(), type: typeField() })),
      primaryKey: nameList(),
      foreignKeys: listOf(z.object({ attributes: nameList(), target: nameField(), targetAttributes: nameList() })),
    }),
  ),
});

/** What a baseline answers: its schema, and why where it was asked to think first. */
export interface BaselineOutput {
  readonly thinking: string;
  readonly schema: NamedSchema;
}

/** Without room for thought: one-shot and few-shot answer at once. */
export const directOutput = namedSchemaForm.transform((schema): BaselineOutput => ({ thinking: '', schema }));

/** With thought before the schema. */
export const thoughtfulOutput = z.object({ thinking: textField().describe('The six steps.'), schema: namedSchemaForm });
