import {
  type Adapter,
  type AttributeId,
  type CallContext,
  type Catalog,
  castType,
  type Dialect,
  foldName,
  indexSchema,
  isAskemaError,
  type NameParts,
  parameterPlaceholder,
  qualifiedName,
  quoteIdentifier,
  quoteString,
  type RelationId,
  type SchemaIndex,
  throwIfAborted,
  type ValueMatch,
} from '@askema/core';
import pLimit from 'p-limit';
import { type Mention, questionMentions, SQUASHED_MARKS, squashMarks, squashText } from './question-mentions.ts';
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
 * Finds the cells that pieces of a question may mean: everything in quotation marks and every run of one to five words
 * is compared with whole cells of text attributes. Case, blanks, hyphens, dots, commas, apostrophes and a plural s do
 * not count; the score says how much was overlooked (1: nothing but case). One bounded read statement for each
 * relation, with the words as bound parameters; small relations first, a few at a time. A relation that fails or takes
 * too long is left out.
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

/** One statement with its positional parameters. */
interface ProbeStatement {
  readonly sql: string;
  readonly parameters: readonly string[];
}

/** Parameters of one statement at most; SQLite takes 32,766, BigQuery 10,000. Long lists lose their last words. */
const MAX_PARAMETERS = 8_000;

/**
 * The statement that looks whole cells of several attributes of one relation up: rows of the attribute's position in
 * the list and the cell as it is stored. `words` are squashed (see `squashText`). The alias is for BigQuery, where the
 * name of a relation hides a column of the same name.
 */
export function probeStatement(
  dialect: Dialect,
  relation: NameParts,
  attributes: readonly string[],
  words: readonly string[],
): ProbeStatement {
  const from = qualifiedName(relation, dialect, 'always');
  const wanted = words.slice(0, Math.max(1, Math.floor(MAX_PARAMETERS / attributes.length)));
  const parameters: string[] = [];
  // Enumerations, intervals and the like have no LOWER in some engines, and do not stand in one column with text: the
  // cast makes text of them.
  const selects = attributes.map((attribute, position) => {
    const text = `CAST(${quoteIdentifier(attribute, dialect)} AS ${castType('TEXT', dialect)})`;
    const placeholders = wanted.map((word) => {
      parameters.push(word);
      return parameterPlaceholder(dialect, parameters.length);
    });
    return `SELECT DISTINCT ${position} AS place, ${text} AS cell FROM ${from} AS probed WHERE ${squashed(text, dialect)} IN (${placeholders.join(', ')})`;
  });
  return { sql: selects.join('\nUNION ALL\n'), parameters };
}

function squashed(text: string, dialect: Dialect): string {
  return SQUASHED_MARKS.reduce(
    (inner, mark) => `REPLACE(${inner}, ${quoteString(mark, dialect)}, '')`,
    `LOWER(${text})`,
  );
}

/** A mention in the form that is looked up; the score caps that of its matches. */
interface MentionForm {
  readonly mention: Mention;
  readonly maxScore: number;
}

/** Blanks around the cell, or marks and blanks inside, are all that differs. */
const TRIMMED_SCORE = 0.95;
const SQUASHED_SCORE = 0.9;
const SINGULAR_SCORE = 0.85;

/** Squashed forms shorter than this match only cells that are the same but for case and outer blanks. */
const MIN_SQUASHED_LENGTH = 3;

/** What to look up: each mention squashed, and without its plural s where it stands in no quotation marks. */
function mentionForms(mentions: readonly Mention[]): ReadonlyMap<string, readonly MentionForm[]> {
  const forms = new Map<string, MentionForm[]>();
  const add = (key: string, form: MentionForm): void => {
    if (key === '') return;
    const group = forms.get(key);
    if (group === undefined) forms.set(key, [form]);
    else if (!group.some(({ mention }) => mention === form.mention)) group.push(form);
  };
  for (const mention of mentions) {
    const squashed = squashText(mention.text);
    add(squashed, { mention, maxScore: 1 });
    // SQLite's LOWER changes ASCII letters only: what it makes of ÉCLAIR is Éclair.
    add(squashMarks(foldName(mention.text, 'insensitive')), { mention, maxScore: 1 });
    if (mention.quoted || squashed.length <= MIN_SQUASHED_LENGTH) continue;
    for (const singular of singularForms(squashed)) add(singular, { mention, maxScore: SINGULAR_SCORE });
  }
  return forms;
}

/** The matches of one cell that an engine found; the engine's own folding may be coarser, so each is checked again. */
function matchesOfCell(
  attribute: AttributeId,
  cell: string,
  forms: ReadonlyMap<string, readonly MentionForm[]>,
): ValueMatch[] {
  const squashed = squashText(cell);
  const candidates = forms.get(squashed) ?? [];
  const matches: ValueMatch[] = [];
  for (const { mention, maxScore } of candidates) {
    const likeness = Math.min(maxScore, score(mention.text, cell));
    if (likeness < TRIMMED_SCORE && squashed.length < MIN_SQUASHED_LENGTH) continue;
    matches.push({ mention: mention.text, attribute, value: cell, score: likeness });
  }
  return matches;
}

function score(mention: string, cell: string): number {
  const wanted = mention.toLowerCase();
  const stored = cell.toLowerCase();
  if (stored === wanted) return 1;
  return stored.trim() === wanted ? TRIMMED_SCORE : SQUASHED_SCORE;
}

/** "cats" may mean "cat", "categories" "category", "classes" "class". */
function singularForms(squashed: string): string[] {
  if (squashed.endsWith('ss') || !squashed.endsWith('s')) return [];
  const forms = [squashed.slice(0, -1)];
  if (squashed.endsWith('ies')) forms.push(`${squashed.slice(0, -3)}y`);
  if (/(?:s|x|z|ch|sh)es$/u.test(squashed)) forms.push(squashed.slice(0, -2));
  return forms;
}
