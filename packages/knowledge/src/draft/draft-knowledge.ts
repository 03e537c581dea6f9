import { type Adapter, type Attribute, type Catalog, createCallContext, type Solver } from '@askema/core';
import { inferKeys, withInferredKeys } from '@askema/grounding';
import type { Imported, Loss } from '../formats/conversion.ts';
import { describeDatasets } from './describe-datasets.ts';
import { draftModel } from './draft-model.ts';
import { findValues } from './draft-values.ts';

/** The database that is described, and who describes it. */
export interface DraftKnowledgeOptions {
  /** Read within caps; nothing is written. */
  readonly adapter: Adapter;
  /** Read from the database when left out. */
  readonly catalog?: Catalog | undefined;
  /** Proposes descriptions, labels and synonyms of datasets and fields, and nothing else. */
  readonly solver?: Solver | undefined;
  /** For all keys, and again for all values that are looked for, in milliseconds. Default: 10,000. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * A first draft of knowledge about a database: a dataset for each table and view, their fields, keys and relationships,
 * also of keys that nobody declared and values confirm, and the values of fields that have few, with what comments say
 * about them. Everything is proposed. `lost` has what was left out.
 *
 * @throws AskemaError `ABORTED`; whatever reading the schema throws.
 */
export async function draftKnowledge(options: DraftKnowledgeOptions): Promise<Imported> {
  const { adapter, solver, signal, timeoutMs = 10_000 } = options;
  const context = createCallContext({ path: 'knowledge-draft', ...(signal !== undefined && { signal }) });
  const read = options.catalog ?? (await adapter.introspect({ context }));
  const catalog = withInferredKeys(read, await inferKeys(adapter, read, { context, timeoutMs }));
  const lost: Loss[] = [];
  const attributes = attributesOf(catalog, lost);
  const found = await findValues(adapter, catalog, [...attributes.values()].flat(), { timeoutMs, context });
  const model = draftModel(catalog, attributes, found);
  const described = solver === undefined ? model : await describeDatasets(model, solver, context, lost);
  return {
    knowledge: { models: [described], settings: { dialect: catalog.dialect }, texts: [], verifiedQueries: [] },
    lost,
  };
}

/** By relation. Tables that differ only in a date or number of their name are described once. */
function attributesOf(catalog: Catalog, lost: Loss[]): ReadonlyMap<string, readonly Attribute[]> {
  const skipped = new Set<string>();
  for (const { pattern, members } of catalog.families) {
    for (const member of members.slice(1)) skipped.add(member);
    lost.push({
      what: `tables ${pattern}`,
      place: { file: 'draft' },
      reason: `${members.length} tables differ only in their name, and the first stands for them`,
    });
  }
  const byRelation = Map.groupBy(catalog.schema.attributes, ({ relation }) => relation);
  return new Map(
    catalog.schema.relations.flatMap(({ id }) => (skipped.has(id) ? [] : [[id, byRelation.get(id) ?? []] as const])),
  );
}
