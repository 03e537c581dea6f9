import pLimit from 'p-limit';
import type { Adapter } from '../adapter/adapter-spec.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { isAskemaError, throwIfAborted } from '../errors/askema-error.ts';
import type { ValueMatch } from '../ports/value-index.ts';
import type { RelationId } from '../schema/schema.ts';
import type { SchemaIndex } from '../schema/schema-index.ts';
import { indexSchema } from '../schema/schema-index.ts';
import type { CallContext } from '../task/call-context.ts';
import { type MentionForm, matchesOfCell, mentionForms } from './mention-forms.ts';
import { probeStatement } from './probe-statement.ts';
import { questionMentions } from './question-mentions.ts';
import { searchableRelations, textAttributes } from './searchable-attributes.ts';

export interface ProbeValuesOptions {
  readonly context: CallContext;
  /** For all statements together. What was found until then is returned. Default 3000. */
  readonly timeoutMs?: number | undefined;
  /** Relations with more rows are not searched. Default 50,000. */
  readonly maxRelationRows?: number | undefined;
  /** Default 100. */
  readonly maxMatches?: number | undefined;
  /** Statements that run at the same time. Default 4. */
  readonly concurrency?: number | undefined;
}

/** Rows of one statement's result; a question does not mean so many cells. */
const MAX_CELLS_PER_RELATION = 200;
/** SQLite takes compounds of 500 selects (https://sqlite.org/limits.html). */
const MAX_ATTRIBUTES = 250;
const MAX_BYTES_PER_RELATION = 1024 * 1024;

/**
 * Finds the cells that pieces of a question may mean: everything in quotation marks and every run of one to five words is
 * compared with whole cells of text attributes. Case, blanks, hyphens, dots, commas, apostrophes and a plural s do not count; the
 * score says how much was overlooked (1: nothing but case). One bounded read statement for each relation, with the words as
 * bound parameters; small relations first, a few at a time. A relation that fails or takes too long is left out.
 *
 * Views are searched only where there is nothing else: their cells are those of their tables.
 *
 * @returns matches with the longest mentions first, then the best scores; then in the order of the catalog.
 * @throws AskemaError `ABORTED` when the signal of the context fires.
 */
export async function probeValues(
  adapter: Adapter,
  catalog: Catalog,
  question: string,
  options: ProbeValuesOptions,
): Promise<readonly ValueMatch[]> {
  const { context } = options;
  throwIfAborted(context.signal, 'The search for values');
  const forms = mentionForms(questionMentions(question));
  if (forms.size === 0) return [];
  const index = indexSchema(catalog);
  const deadline = Date.now() + (options.timeoutMs ?? 3_000);
  const limit = pLimit(options.concurrency ?? 4);
  const relations = searchableRelations(catalog, options.maxRelationRows ?? 50_000);
  const found = await Promise.all(
    relations.map((relation) =>
      limit(() => probeRelation({ adapter, catalog, index, forms, deadline, context }, relation)),
    ),
  );
  throwIfAborted(context.signal, 'The search for values');
  return sortMatches(found.flat(), catalog).slice(0, options.maxMatches ?? 100);
}

interface Probe {
  readonly adapter: Adapter;
  readonly catalog: Catalog;
  readonly index: SchemaIndex;
  readonly forms: ReadonlyMap<string, readonly MentionForm[]>;
  readonly deadline: number;
  readonly context: CallContext;
}

async function probeRelation(probe: Probe, relation: RelationId): Promise<ValueMatch[]> {
  const { adapter, catalog, context, forms } = probe;
  const attributes = textAttributes(catalog, probe.index, relation).slice(0, MAX_ATTRIBUTES);
  const nameParts = catalog.relations[relation]?.nameParts;
  const remainingMs = Math.floor(probe.deadline - Date.now());
  if (attributes.length === 0 || nameParts === undefined || remainingMs < 1 || context.signal?.aborted) return [];
  const names = attributes.map((id) => probe.index.attribute(id)?.name ?? '');
  try {
    const statement = probeStatement(adapter.dialect, nameParts, names, [...forms.keys()]);
    const result = await adapter.query(statement.sql, {
      parameters: statement.parameters,
      maxRows: MAX_CELLS_PER_RELATION,
      maxBytes: MAX_BYTES_PER_RELATION,
      timeoutMs: remainingMs,
      access: 'read',
      context,
    });
    return result.rows.flatMap(([position, cell]) => {
      const attribute = attributes[Number(position)];
      return attribute === undefined || typeof cell !== 'string' ? [] : matchesOfCell(attribute, cell, forms);
    });
  } catch (thrown) {
    if (isAskemaError(thrown) && thrown.code === 'ABORTED') throw thrown;
    return [];
  }
}

function sortMatches(matches: readonly ValueMatch[], catalog: Catalog): ValueMatch[] {
  const position = new Map(catalog.schema.attributes.map(({ id }, place) => [id, place]));
  const place = (match: ValueMatch): number => position.get(match.attribute) ?? 0;
  return [...matches].sort(
    (a, b) =>
      b.mention.length - a.mention.length || b.score - a.score || place(a) - place(b) || compareText(a.value, b.value),
  );
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
