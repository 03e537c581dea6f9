import { z } from 'zod';

/**
 * A project of WrenAI (docs/core/reference/mdl.md and wren-mdl/mdl.schema.json of Canner/WrenAI): YAML in snake case,
 * or `mdl.json`, the same in camel case, which {@link snakeKeys} makes alike.
 */

const text = z.string().nullish();
const flag = z.boolean().nullish();
const properties = z.record(z.string(), z.unknown()).nullish();
const key = z.union([z.string(), z.array(z.string())]);

const column = z.looseObject({
  name: z.string().min(1),
  type: text,
  relationship: text,
  expression: text,
  is_calculated: flag,
  is_hidden: flag,
  is_primary_key: flag,
  properties,
});

const model = z.looseObject({
  name: z.string().min(1),
  table_reference: z.looseObject({ catalog: text, schema: text, table: z.string().min(1) }).nullish(),
  ref_sql: text,
  columns: z.array(column).nullish(),
  primary_key: key.nullish(),
  unique_keys: z.array(key).nullish(),
  properties,
});

const relationship = z.looseObject({
  name: z.string().min(1),
  models: z.array(z.string()).length(2),
  join_type: z.enum(['ONE_TO_ONE', 'ONE_TO_MANY', 'MANY_TO_ONE', 'MANY_TO_MANY']),
  condition: z.string(),
});

const part = z.looseObject({
  name: z.string().min(1),
  expression: z.string(),
  type: text,
  description: text,
  properties,
});

const cube = z.looseObject({
  name: z.string().min(1),
  base_object: z.string(),
  measures: z.array(part).min(1),
  dimensions: z.array(part).nullish(),
  time_dimensions: z.array(part).nullish(),
  properties,
});

export const wrenProject = z.looseObject({
  name: text,
  schema_version: z.number().nullish(),
  data_source: text,
  description: text,
});
export const wrenRelationships = z.looseObject({ relationships: z.array(relationship).nullish() });
export { cube as wrenCube, model as wrenModel };
export const wrenView = z.looseObject({ name: z.string().min(1), statement: z.string() });
export const wrenManifest = z.looseObject({
  data_source: text,
  description: text,
  models: z.array(model).nullish(),
  relationships: z.array(relationship).nullish(),
  cubes: z.array(cube).nullish(),
  views: z.array(wrenView).nullish(),
});

export type WrenModel = z.output<typeof model>;
export type WrenColumn = z.output<typeof column>;
export type WrenRelationship = z.output<typeof relationship>;
export type WrenCube = z.output<typeof cube>;
export type WrenPart = z.output<typeof part>;
export type WrenView = z.output<typeof wrenView>;

/** Keys that are read, and those that say nothing beyond what the database knows or other keys say. */
export const READ_KEYS = {
  model: [...Object.keys(model.shape), 'dialect'],
  column: [...Object.keys(column.shape), 'not_null'],
  relationship: Object.keys(relationship.shape),
  cube: Object.keys(cube.shape),
  manifest: [...Object.keys(wrenManifest.shape), '$schema', 'layout_version', 'catalog', 'schema'],
};

/** Keys of JSON as YAML has them. What stands below `properties` and `hierarchies` is the user's. */
export function snakeKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snakeKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      name === 'properties' || name === 'hierarchies' ? inner : snakeKeys(inner),
    ]),
  );
}
