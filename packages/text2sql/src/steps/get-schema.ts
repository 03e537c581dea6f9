import {
  type Catalog,
  type CompressedCatalog,
  defineStep,
  type RelationId,
  type StepContext,
  toAskemaError,
  type ValueMatch,
} from '@askema/core';
import { searchValues, type ValueSearch } from '@askema/grounding';
import { type ExternalDocument, selectPassages } from '../documents/select-passages.ts';
import type { KnownOfQuestion } from '../question/known.ts';
import type { QuestionDeps } from '../question/question-deps.ts';
import { evidenceOf } from '../question/question-input.ts';
import type { QuestionState } from '../question/question-state.ts';
import { knowledgeOf, renderSchema } from './render-schema.ts';
import { answerOfKnowledge, selectKnowledge, tellSelected } from './use-knowledge.ts';

/** Words of the question are looked up in the cells this long. */
const LINKING_TIMEOUT_MS = 4_000;
const MAX_MATCHES = 100;

/** Tokens of documents in a prompt. */
const MAX_DOCUMENT_TOKENS = 8_000;

/** What {@link getSchema} finds. */
export interface SchemaFound {
  readonly schema: string;
  readonly catalogFingerprint: string;
  readonly values: readonly ValueMatch[];
  /** Relations that were not looked through for `values`. */
  readonly unsearched: readonly RelationId[];
  /** True when the budget left relations or attributes out. */
  readonly isPartial: boolean;
  /** What of the documents stands in the prompts. */
  readonly documentText: string | null;
  /** Undefined without knowledge. */
  readonly known?: KnownOfQuestion | undefined;
  readonly warnings: readonly string[];
}

/**
 * GetSchema: reads the catalog (once per adapter), renders it for the prompt, and looks the words of the question up in
 * the cells where the solver needs that. The state gets the text and the fingerprint, never the catalog.
 */
export const getSchema = defineStep<QuestionState, QuestionDeps>()({
  name: 'get-schema',
  prep: schemaQuestion,
  exec: (about, context): Promise<SchemaFound> => findSchema(about, context),
  post: (state, _input, found) => takeSchema(state, found),
});

/** For `prep`. */
export function schemaQuestion(state: Readonly<QuestionState>): SchemaQuestion {
  return {
    question: state.naturalQuery,
    evidence: evidenceOf(state) ?? '',
    documents: state.documents ?? [],
    today: state.today,
  };
}

/** For `post`. */
export function takeSchema(state: QuestionState, found: SchemaFound): void {
  state.schema = found.schema;
  state.catalogFingerprint = found.catalogFingerprint;
  state.values = found.values;
  state.unsearched = found.unsearched;
  state.schemaIsPartial = found.isPartial;
  state.documentText = found.documentText;
  if (found.known !== undefined) state.known = found.known;
  state.warnings.push(...found.warnings);
}

/** What the schema is looked at for. */
export interface SchemaQuestion {
  readonly question: string;
  readonly evidence: string;
  readonly documents: readonly ExternalDocument[];
  readonly today: string;
}

/** For `exec`. */
export async function findSchema(about: SchemaQuestion, context: StepContext<QuestionDeps>): Promise<SchemaFound> {
  const { deps } = context;
  const { question, evidence, documents } = about;
  const catalog = await deps.catalogs.read(context);
  const warnings = gapWarnings(catalog);
  const documentText = documentsFor(question, documents, deps, warnings);
  // Which relations are shown cannot wait for the cells.
  const named = selectKnowledge(about, catalog, [], deps, warnings);
  const knowledge = knowledgeOf(evidence, documentText, named?.text);
  // The database looks for values while the text is written.
  const [{ matches: values, unsearched }, compressed] = await Promise.all([
    linkValues(catalog, question, context, warnings),
    deps.schemaOptions.isPrompted
      ? renderSchema(catalog, { question, knowledge }, deps, context, warnings)
      : { text: '', omitted: [] },
  ]);
  if (catalog.schema.relations.length === 0)
    warnings.push(`${deps.adapter.name} holds no relation that could be read.`);
  const omission = omissionWarning(compressed, catalog);
  if (omission !== undefined) warnings.push(omission);
  const selected = values.length === 0 ? named : selectKnowledge(about, catalog, values, deps, warnings);
  if (selected !== undefined) tellSelected(selected, context);
  const answer = answerOfKnowledge(about, catalog, values, deps, warnings);
  return {
    schema: compressed.text,
    catalogFingerprint: catalog.fingerprint,
    values,
    unsearched,
    isPartial: omission !== undefined,
    documentText,
    ...(deps.knowledge === undefined ? {} : { known: { selected, answer } }),
    warnings,
  };
}

function omissionWarning(
  { omitted, omittedAttributes = [] }: Pick<CompressedCatalog, 'omitted' | 'omittedAttributes'>,
  catalog: Catalog,
): string | undefined {
  if (omitted.length + omittedAttributes.length === 0) return undefined;
  const columns = omittedAttributes.length === 0 ? '' : `, and ${omittedAttributes.length} attributes of others`;
  return `The schema in the prompt leaves out ${omitted.length} of ${catalog.schema.relations.length} relations${columns}; raise \`maxSchemaTokens\` (--max-schema-tokens) or narrow \`include\`.`;
}

/** What does not fit is told: an answer that lacks a definition is a wrong one. */
function documentsFor(
  question: string,
  documents: readonly ExternalDocument[],
  { schemaOptions }: Pick<QuestionDeps, 'schemaOptions'>,
  warnings: string[],
): string | null {
  if (documents.length === 0) return null;
  const maxTokens = schemaOptions.maxDocumentTokens ?? MAX_DOCUMENT_TOKENS;
  const { text, omitted } = selectPassages(documents, question, { maxTokens, countTokens: schemaOptions.countTokens });
  if (omitted.length > 0) {
    const listed = omitted.slice(0, LISTED_GAPS).map(({ name, passages, of }) => `${name} (${passages} of ${of})`);
    const rest = omitted.length - listed.length;
    warnings.push(
      `Passages of documents are left out of the prompt: ${listed.join(', ')}${rest > 0 ? ` and of ${rest} more` : ''}; raise \`maxDocumentTokens\` to show them.`,
    );
  }
  return text === '' ? null : text;
}

const LISTED_GAPS = 3;

function gapWarnings(catalog: Catalog): string[] {
  const incomplete = catalog.incomplete.filter(({ affects }) => affects !== 'counts');
  if (incomplete.length === 0) return [];
  const listed = incomplete.slice(0, LISTED_GAPS).map(({ subject, reason }) => `${subject} (${reason})`);
  const rest = incomplete.length - listed.length;
  return [
    `Some of the database could not be read: ${listed.join('; ')}${rest > 0 ? `; and ${rest} more` : ''}. The answer may miss what stands there.`,
  ];
}

/** Looking up is an aid: when it fails, the question is asked without it, and the outcome says so. */
async function linkValues(
  catalog: Catalog,
  question: string,
  context: StepContext<QuestionDeps>,
  warnings: string[],
): Promise<ValueSearch> {
  const { linkValues: isWanted, valueIndex } = context.deps.schemaOptions;
  const nothing = { matches: [], unsearched: catalog.schema.relations.map(({ id }) => id) };
  if (!isWanted) return nothing;
  const options = {
    context,
    timeoutMs: LINKING_TIMEOUT_MS,
    maxMatches: MAX_MATCHES,
    kept: context.deps.catalogs.cells,
  };
  for (const index of valueIndex === undefined ? [undefined] : [valueIndex, undefined]) {
    try {
      return await searchValues(context.deps.adapter, catalog, question, { ...options, valueIndex: index });
    } catch (thrown) {
      const error = toAskemaError(thrown);
      if (error.code === 'ABORTED') throw error;
      warnings.push(`Values of the question could not be looked up: ${error.message}`);
    }
  }
  return nothing;
}
