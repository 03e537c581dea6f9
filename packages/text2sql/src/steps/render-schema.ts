import {
  type Attribute,
  type CallContext,
  type Catalog,
  type CompressedCatalog,
  countTokensRoughly,
  type RelationId,
  throwIfAborted,
  toAskemaError,
  type Value,
} from '@askema/core';
import { servicesOf, splitWords } from '@askema/grounding';
import type { Samples } from '../question/catalog-source.ts';
import type { QuestionDeps } from '../question/question-deps.ts';

/** Samples are an aid: this long they may take for all attributes together. */
const SAMPLE_TIMEOUT_MS = 5_000;

/** Attributes that are sampled at most; one statement each. */
const MAX_SAMPLED_ATTRIBUTES = 600;

/** What samples may add to a prompt. */
const MAX_SAMPLE_TOKENS = 12_000;

/** Longer texts tell a model little about how values are spelled. */
const MAX_SAMPLE_CHARACTERS = 60;

/**
 * The catalog as prompt text, through the adapter's compressor, with a few sample values behind each text-like
 * attribute. Of a family one member is sampled. Samples never push a relation out of the token budget: where both do
 * not fit, the samples go.
 */
export async function renderSchema(
  catalog: Catalog,
  { question, knowledge }: { readonly question: string; readonly knowledge: string },
  deps: Pick<QuestionDeps, 'adapter' | 'catalogs' | 'schemaOptions'>,
  context: CallContext,
  warnings: string[],
): Promise<CompressedCatalog> {
  const { maxSchemaTokens, countTokens, sampleValues } = deps.schemaOptions;
  const options = { maxTokens: maxSchemaTokens, countTokens, question, knowledge };
  const { compressor } = servicesOf(deps.adapter);
  const bare = compressor(catalog, options);
  if (sampleValues < 1) return bare;
  const omitted = new Set(bare.omitted);
  for (const { members } of bare.families) for (const member of members.slice(1)) omitted.add(member);
  const attributes = sampledAttributes(catalog, omitted);
  const samples = await drawSamples(catalog, attributes, deps, context, warnings);
  const kept = withinTokens(samples, relevantFirst(attributes, samples, question), countTokens ?? countTokensRoughly);
  if (Object.keys(kept).length === 0) return bare;
  const sampled = compressor(catalog, { ...options, samples: kept });
  return hidden(sampled) > hidden(bare) ? bare : sampled;
}

/** Relations count before attributes. */
function hidden({ omitted, omittedAttributes = [] }: CompressedCatalog): number {
  return omitted.length * 1e6 + omittedAttributes.length;
}

/** An aid: when it fails, the prompt has none, and the outcome says so. */
async function drawSamples(
  catalog: Catalog,
  attributes: readonly Attribute[],
  deps: Pick<QuestionDeps, 'catalogs' | 'schemaOptions'>,
  context: CallContext,
  warnings: string[],
): Promise<Samples> {
  const ids = attributes.map((attribute) => attribute.id);
  const options = { limit: deps.schemaOptions.sampleValues, timeoutMs: SAMPLE_TIMEOUT_MS, context };
  try {
    return await deps.catalogs.samples(catalog, ids, options);
  } catch (thrown) {
    throwIfAborted(context.signal, 'Drawing sample values');
    warnings.push(`No sample values could be drawn: ${toAskemaError(thrown).message}`);
    return {};
  }
}

function sampledAttributes(catalog: Catalog, omitted: ReadonlySet<RelationId>): readonly Attribute[] {
  return catalog.schema.attributes
    .filter(({ id, type, relation }) => {
      const isNested = (catalog.attributes[id]?.nestedFields ?? []).length > 0;
      return (type === 'TEXT' || type === 'DATETIME') && !isNested && !omitted.has(relation);
    })
    .slice(0, MAX_SAMPLED_ATTRIBUTES);
}

/**
 * Attributes with a value that shares a word with the question come first, so that a budget drops others before them.
 */
function relevantFirst(attributes: readonly Attribute[], samples: Samples, question: string): readonly Attribute[] {
  const wanted = new Set(splitWords(question).filter((word) => word.length > 2));
  const isRelevant = ({ id }: Attribute): boolean =>
    (Object.hasOwn(samples, id) ? (samples[id] ?? []) : []).some(
      (value) => typeof value === 'string' && splitWords(value).some((word) => wanted.has(word)),
    );
  const relevant = attributes.filter(isRelevant);
  const found = new Set(relevant);
  return [...relevant, ...attributes.filter((attribute) => !found.has(attribute))];
}

/** Samples in the order of the attributes, as far as they stay within the budget. */
function withinTokens(
  samples: Samples,
  attributes: readonly Attribute[],
  countTokens: (text: string) => number,
): Samples {
  const kept: Record<string, readonly Value[]> = {};
  let tokens = 0;
  for (const { id } of attributes) {
    const values = (Object.hasOwn(samples, id) ? (samples[id] ?? []) : []).filter(isTelling);
    if (values.length === 0) continue;
    tokens += countTokens(values.map(String).join(', '));
    if (tokens > MAX_SAMPLE_TOKENS) break;
    kept[id] = values;
  }
  return kept;
}

function isTelling(value: Value): boolean {
  if (value instanceof Uint8Array) return false;
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.length <= MAX_SAMPLE_CHARACTERS;
}
