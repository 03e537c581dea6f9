import type { Catalog, RelationId, StepContext } from '@askema/core';
import type { QuestionDeps } from '../question/question-deps.ts';
import { catalogOf, type QuestionData } from '../question/question-input.ts';
import { knowledgeOf, renderSchema } from './render-schema.ts';

/**
 * The schema of these relations alone, with sample values and within the token budget, as {@link getSchema} writes that
 * of all: for the `exec` of a step that chooses from a schema. Its `post` puts the text into `state.schema`. Keys that
 * lead to other relations are left out, and so are ids that the catalog does not have.
 *
 * Rejects with `FLOW_CHANGED` when the structure of the database has changed since the run began.
 */
export async function schemaOfRelations(
  relations: readonly RelationId[],
  { question, evidence, documents, catalogFingerprint }: QuestionData,
  context: StepContext<QuestionDeps>,
): Promise<string> {
  const catalog = await catalogOf(catalogFingerprint, context.deps, context);
  const about = { question, knowledge: knowledgeOf(evidence, documents) };
  const { text } = await renderSchema(partOf(catalog, new Set(relations)), about, context.deps, context, []);
  return text;
}

/** It keeps its fingerprint: samples that were drawn serve the part, too. */
function partOf(catalog: Catalog, kept: ReadonlySet<RelationId>): Catalog {
  const { schema, uniqueKeys, checks } = catalog;
  const isKept = ({ relation }: { readonly relation: RelationId }): boolean => kept.has(relation);
  const attributes = schema.attributes.filter(isKept);
  const ids = new Set(attributes.map(({ id }) => id));
  return {
    ...catalog,
    schema: {
      relations: schema.relations.filter(({ id }) => kept.has(id)),
      attributes,
      primaryKeys: schema.primaryKeys.filter(isKept),
      foreignKeys: schema.foreignKeys.filter((key) => isKept(key) && kept.has(key.target)),
      domainConstraints: schema.domainConstraints.filter(({ attribute }) => ids.has(attribute)),
    },
    uniqueKeys: uniqueKeys.filter(isKept),
    checks: checks.filter(isKept),
    families: [],
  };
}
