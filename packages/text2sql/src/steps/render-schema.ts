import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type AttributeId,
  type CallContext,
  type Catalog,
  type CompressedCatalog,
  type Compression,
  type CompressOptions,
  type Compressor,
  countTokensRoughly,
  type DataType,
  indexSchema,
  type RelationId,
  throwIfAborted,
  toAskemaError,
  type Value,
} from '@askema/core';
import { firstRelations, servicesOf, splitWords } from '@askema/grounding';
import type { CatalogSource, Samples } from '../question/catalog-source.ts';
import { keepLatest } from '../question/keep-latest.ts';
import type { QuestionDeps } from '../question/question-deps.ts';

/** At so many tokens, all that gold SQL needs is shown for 546 of 547 tasks of Spider 2.0-snow (`pnpm bars:budget`). */
export const MAX_SCHEMA_TOKENS = 8_000;

/** Samples are an aid: this long they may take for all attributes together. */
const SAMPLE_TIMEOUT_MS = 5_000;

/** All values are shown of an attribute that has no more; `status` and `country` mean something then. */
const FEW_VALUES = 10;

/** Attributes that are sampled at most; one statement each. */
const MAX_SAMPLED_ATTRIBUTES = 600;

/** What samples may add to a prompt. */
const MAX_SAMPLE_TOKENS = 12_000;

/** Longer texts tell a model little about how values are spelled. */
const MAX_SAMPLE_CHARACTERS = 60;

type CountTokens = (text: string) => number;

/** Texts that are kept for the questions to come: without and with samples, of the whole catalog and of a part. */
const KEPT_TEXTS = 4;

/** The pure parts of rendering. Questions about one database mostly share what they give. */
function createRendering() {
  return {
    whole: keepLatest(
      KEPT_TEXTS,
      (
        compressor: Compressor,
        catalog: Catalog,
        preset: Compression | undefined,
        countTokens: CountTokens,
        samples: ShownSamples | undefined,
      ) => {
        const compressed = compressor(catalog, { preset, ...samples });
        return { compressed, tokens: countTokens(compressed.text) };
      },
    ),
    fitted: keepLatest(
      KEPT_TEXTS,
      (
        compressor: Compressor,
        catalog: Catalog,
        preset: Compression | undefined,
        maxTokens: number,
        countTokens: CountTokens,
        question: string,
        knowledge: string,
        samples: ShownSamples | undefined,
      ) => compressor(catalog, { preset, maxTokens, countTokens, question, knowledge, ...samples }),
    ),
    sampled: keepLatest(KEPT_TEXTS, (catalog: Catalog, whole: CompressedCatalog) =>
      sampledAttributes(catalog, oneOfEach(catalog, whole)),
    ),
    weigh: keepLatest(KEPT_TEXTS, weighSamples),
  };
}

const renderings = new WeakMap<CatalogSource, ReturnType<typeof createRendering>>();

/**
 * The catalog as prompt text, through the adapter's compressor, with a few sample values behind each text-like
 * attribute. Of a family one member is sampled, of a schema above the token budget what the question is most about.
 * Samples never push a relation out of the budget: where both do not fit, the samples go.
 */
export async function renderSchema(
  catalog: Catalog,
  { question, knowledge }: { readonly question: string; readonly knowledge: string },
  deps: Pick<QuestionDeps, 'adapter' | 'catalogs' | 'schemaOptions'>,
  context: CallContext,
  warnings: string[],
): Promise<CompressedCatalog> {
  const { maxSchemaTokens = MAX_SCHEMA_TOKENS, countTokens = countTokensRoughly } = deps.schemaOptions;
  const { sampleValues, compression } = deps.schemaOptions;
  const rendering = renderings.get(deps.catalogs) ?? createRendering();
  renderings.set(deps.catalogs, rendering);
  const { compressor } = servicesOf(deps.adapter);
  const wholeText = (samples?: ShownSamples): CompressedCatalog | undefined => {
    // A name is a token at least; of what surely does not fit the whole is not written.
    if (catalog.schema.attributes.length > maxSchemaTokens) return undefined;
    const { compressed, tokens } = rendering.whole(compressor, catalog, compression, countTokens, samples);
    return tokens <= maxSchemaTokens ? compressed : undefined;
  };
  const fitted = async (samples?: ShownSamples): Promise<CompressedCatalog> => {
    // Fitting a schema blocks this process for a while: let statements that wait be sent before it.
    await nextTurn();
    return rendering.fitted(
      compressor,
      catalog,
      compression,
      maxSchemaTokens,
      countTokens,
      question,
      knowledge,
      samples,
    );
  };
  const whole = wholeText();
  if (sampleValues < 1) return whole ?? fitted();
  const ids =
    whole === undefined
      ? sampledAttributes(catalog, firstRelations(catalog, deps.adapter.dialect, { question, knowledge }))
      : rendering.sampled(catalog, whole);
  const samples = await drawSamples(catalog, ids, deps, context, warnings);
  const weighed = rendering.weigh(catalog, samples, sampleValues, countTokens);
  const kept = weighed.tokens > MAX_SAMPLE_TOKENS ? withinTokens(weighed, question) : weighed.shown;
  if (Object.keys(kept.samples).length === 0) return whole ?? fitted();
  const shown = wholeText(kept) ?? (await fitted(kept));
  return whole !== undefined && hidesAny(shown) ? whole : shown;
}

/** What else is known of a question, which helps to choose from a schema: its definitions and documents. */
export function knowledgeOf(...texts: readonly (string | null | undefined)[]): string {
  return texts.filter((text) => typeof text === 'string' && text.trim() !== '').join('\n\n');
}

function hidesAny({ omitted, omittedAttributes = [] }: CompressedCatalog): boolean {
  return omitted.length > 0 || omittedAttributes.length > 0;
}

/** An aid: when it fails, the prompt has none, and the outcome says so. */
async function drawSamples(
  catalog: Catalog,
  ids: readonly AttributeId[],
  deps: Pick<QuestionDeps, 'catalogs' | 'schemaOptions'>,
  context: CallContext,
  warnings: string[],
): Promise<Samples> {
  const options = {
    limit: Math.max(FEW_VALUES, deps.schemaOptions.sampleValues) + 1,
    timeoutMs: SAMPLE_TIMEOUT_MS,
    context,
  };
  try {
    return await deps.catalogs.samples(catalog, ids, options);
  } catch (thrown) {
    throwIfAborted(context.signal, 'Drawing sample values');
    warnings.push(`No sample values could be drawn: ${toAskemaError(thrown).message}`);
    return {};
  }
}

/** The relations that a text shows, one of each family. */
function oneOfEach(catalog: Catalog, { omitted, families }: CompressedCatalog): readonly RelationId[] {
  const isLeftOut = new Set<RelationId>(omitted);
  for (const { members } of families) for (const member of members.slice(1)) isLeftOut.add(member);
  return catalog.schema.relations.map(({ id }) => id).filter((id) => !isLeftOut.has(id));
}

/** Texts and dates first; no numbers that are keys, whose values tell nothing. */
function sampledAttributes(catalog: Catalog, relations: readonly RelationId[]): readonly AttributeId[] {
  const index = indexSchema(catalog);
  const shown = relations.flatMap((relation) => {
    const keys = new Set<AttributeId>(index.primaryKey(relation)?.attributes);
    for (const { pairs } of index.foreignKeysFrom(relation)) for (const { from } of pairs) keys.add(from);
    return index.attributesOf(relation).filter(({ id, type }) => {
      const isNested = (catalog.attributes[id]?.nestedFields ?? []).length > 0;
      return SAMPLED_TYPES.has(type) && !(type === 'NUMERIC' && keys.has(id)) && !isNested;
    });
  });
  return [...shown.filter(({ type }) => type !== 'NUMERIC'), ...shown.filter(({ type }) => type === 'NUMERIC')]
    .slice(0, MAX_SAMPLED_ATTRIBUTES)
    .map(({ id }) => id);
}

const SAMPLED_TYPES: ReadonlySet<DataType> = new Set(['TEXT', 'DATETIME', 'NUMERIC']);

/** What the compressor is told of values. */
type ShownSamples = Pick<CompressOptions, 'samples' | 'wholeSamples' | 'ranges'> & {
  readonly samples: Readonly<Record<AttributeId, readonly Value[]>>;
};

/** Samples that tell a model something, in the order of their attributes. */
interface WeighedSamples {
  readonly shown: ShownSamples;
  readonly entries: readonly (readonly [id: AttributeId, values: readonly Value[], tokens: number])[];
  readonly tokens: number;
}

function weighSamples(
  catalog: Catalog,
  samples: Samples,
  sampleValues: number,
  countTokens: CountTokens,
): WeighedSamples {
  const index = indexSchema(catalog);
  const wholeSamples = new Set<AttributeId>();
  const ranges: Record<AttributeId, readonly [Value, Value]> = {};
  const entries = Object.entries(samples).flatMap(([id, { values: all, isCut, isWhole, range }]) => {
    const telling = all.filter(isTelling);
    const present = telling.filter((value) => value !== null && value !== '');
    const missing = telling.filter((value) => value === null || value === '');
    // Of many numbers a few tell nothing, and the ends say how dates are written.
    const most = index.attribute(id)?.type === 'NUMERIC' || range !== undefined ? 0 : sampleValues;
    if (isCut && range?.every(isTelling)) ranges[id] = range;
    const values = [...(isCut ? present.slice(0, most) : present.sort(inOrder)), ...missing];
    if (values.length === 0 && !Object.hasOwn(ranges, id)) return [];
    if (isWhole && telling.length === all.length) wholeSamples.add(id);
    return [[id, values, countTokens([...values, ...(range ?? [])].map(String).join(', '))] as const];
  });
  const tokens = entries.reduce((sum, [, , count]) => sum + count, 0);
  const shown = { samples: Object.fromEntries(entries.map(([id, values]) => [id, values])), wholeSamples, ranges };
  return { shown, entries, tokens };
}

function inOrder(a: Value, b: Value): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : String(a) < String(b) ? -1 : 1;
}

/**
 * As many as stay within the budget. Attributes with a value that shares a word with the question come first, so that
 * others are dropped before them.
 */
function withinTokens({ entries, shown }: WeighedSamples, question: string): ShownSamples {
  const wanted = new Set(splitWords(question).filter((word) => word.length > 2));
  const isRelevant = (values: readonly Value[]): boolean =>
    values.some((value) => typeof value === 'string' && splitWords(value).some((word) => wanted.has(word)));
  const groups = Map.groupBy(entries, ([, values]) => isRelevant(values));
  const kept: Record<string, readonly Value[]> = {};
  let tokens = 0;
  for (const [id, values, count] of [...(groups.get(true) ?? []), ...(groups.get(false) ?? [])]) {
    tokens += count;
    if (tokens > MAX_SAMPLE_TOKENS) break;
    kept[id] = values;
  }
  const ranges = Object.entries(shown.ranges ?? {}).filter(([id]) => Object.hasOwn(kept, id));
  return { ...shown, samples: kept, ranges: Object.fromEntries(ranges) };
}

function isTelling(value: Value): boolean {
  if (value === null) return true;
  if (value instanceof Uint8Array) return false;
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.length <= MAX_SAMPLE_CHARACTERS;
}
