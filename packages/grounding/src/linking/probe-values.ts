import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type Adapter,
  type AttributeId,
  type CallContext,
  type Catalog,
  indexSchema,
  isAskemaError,
  type NameParts,
  type RelationId,
  type SchemaIndex,
  throwIfAborted,
  type ValueIndex,
  type ValueMatch,
} from '@askema/core';
import pLimit from 'p-limit';
import { chooseRelations } from './choose-relations.ts';
import { type FlagCandidate, flagCandidates, flagStatement, flagValues } from './flag-cells.ts';
import type { KeptCells } from './kept-cells.ts';
import { findCovered, lookUpMentions } from './look-up-mentions.ts';
import { type MentionForm, matchesOfCell, mentionForms } from './mention-forms.ts';
import { MAX_PARAMETERS, probeStatement } from './probe-statement.ts';
import { questionMentions, squashText } from './question-mentions.ts';
import { relationsWithCells, searchableRelations, textAttributes } from './searchable-attributes.ts';

export interface ProbeValuesOptions {
  readonly context: CallContext;
  /** For all statements together. What was found until then is returned. Default 3000. */
  readonly timeoutMs?: number | undefined;
  /** Relations with more rows are not searched. Default 1,000,000. */
  readonly maxRelationRows?: number | undefined;
  /** For all statements on relations of more than 50,000 rows together. Default 1500. */
  readonly largeTimeoutMs?: number | undefined;
  /** Is asked for each piece of the question; relations above 50,000 rows that it knows whole are not searched. */
  readonly valueIndex?: ValueIndex | undefined;
  /** Default 100. */
  readonly maxMatches?: number | undefined;
  /**
   * Relations that are searched at most: those that words of the question choose by their names, those of their
   * attributes and keys. Default 150.
   */
  readonly maxRelations?: number | undefined;
  /** Statements that run at the same time. Default 4. */
  readonly concurrency?: number | undefined;
  /** Keeps the cells of small relations from one search to the next, where all relations are searched. */
  readonly kept?: KeptCells | undefined;
}

/** What a search for values found, and what it did not look through. */
export interface ValueSearch {
  readonly matches: readonly ValueMatch[];
  /**
   * Relations with text of which not every cell was compared: not chosen, too big, out of time, failed, or with more
   * matches than are read. In the order of the catalog.
   */
  readonly unsearched: readonly RelationId[];
}

/** Relations up to this size are searched first, and with all the time there is. */
const SMALL_ROWS = 50_000;

const MAX_RELATIONS = 150;

/** Rows of one statement's result; a question does not mean so many cells. */
const MAX_CELLS_PER_RELATION = 200;
/** SQLite takes compounds of 500 selects (https://sqlite.org/limits.html). */
const MAX_ATTRIBUTES = 250;
/** Columns that are asked whether they hold yes and no, and the different cells that tell. */
const MAX_FLAGS = 12;
const MAX_FLAG_CELLS = 3;
const MAX_BYTES_PER_RELATION = 1024 * 1024;
/** What is kept of the relations that share a statement: more cells are asked for question by question. */
const MAX_KEPT_CELLS = 50_000;
const MAX_KEPT_BYTES = 8 * 1024 * 1024;
const KEPT_TIMEOUT_MS = 1_000;

/**
 * Finds the cells that pieces of a question may mean: everything in quotation marks and every run of one to five words
 * is compared with whole cells of text attributes. Case, blanks, hyphens, dots, commas, apostrophes and a plural s do
 * not count; the score says how much was overlooked (1: nothing but case). The name of a column that holds yes and no
 * (1 and 0, Y and N, ...) means its yes: "parking" the 1 of `has_parking`. Bounded read statements search, with the words
 * as bound parameters: first one for several small relations, then one for each large relation, a few at a time. Where
 * there are many relations, those that the question is about are searched. A relation that is not chosen, is too big,
 * fails or takes too long is left out and named. What an index knows is added.
 *
 * Views are searched only where there is nothing else: their cells are those of their tables.
 *
 * @returns matches with the longest mentions first, then the best scores; then in the order of the catalog.
 * @throws AskemaError `ABORTED` when the signal of the context fires.
 */
export async function searchValues(
  adapter: Adapter,
  catalog: Catalog,
  question: string,
  options: ProbeValuesOptions,
): Promise<ValueSearch> {
  const { context, valueIndex } = options;
  throwIfAborted(context.signal, 'The search for values');
  const mentions = questionMentions(question);
  const forms = mentionForms(mentions);
  if (forms.size === 0) return { matches: [], unsearched: [] };
  const index = indexSchema(catalog);
  const deadline = Date.now() + (options.timeoutMs ?? 3_000);
  const limit = pLimit(options.concurrency ?? 4);
  const found: ValueMatch[] = [];
  const cutShort = new Set<RelationId>();
  const probeAll = (groups: readonly (readonly RelationId[])[], probe: Probe): Promise<unknown> =>
    Promise.all(
      groups.map((group) =>
        limit(async () => {
          const seen = await probeGroup(probe, group);
          found.push(...seen.matches);
          for (const relation of seen.unsearched) cutShort.add(relation);
        }),
      ),
    );
  const all = searchableRelations(catalog, Number.POSITIVE_INFINITY);
  const maxRows = options.maxRelationRows ?? 1_000_000;
  const most = options.maxRelations ?? MAX_RELATIONS;
  const within = chooseRelations(catalog, index, searchableRelations(catalog, maxRows), question, most);
  const smallRows = Math.min(maxRows, SMALL_ROWS);
  const small = new Set(within.filter((id) => (catalog.relations[id]?.rowCount ?? smallRows) <= smallRows));
  // Of many relations each question searches others.
  const kept = within.length < most && (await options.kept?.refresh()) === true ? options.kept : undefined;
  const probe = { adapter, catalog, index, forms, deadline, context, kept };
  // Made while the database searches.
  const withCells = nextTurn().then(() => relationsWithCells(catalog));
  await probeAll(groupRelations(catalog, index, [...small], kept === undefined ? forms.size : 1), probe);
  const flags = flagCandidates(catalog, index, [...small], question, mentions).slice(0, MAX_FLAGS);
  found.push(...(await Promise.all(flags.map((flag) => limit(() => probeFlag(probe, flag))))).flat());
  const covered = await findCovered(valueIndex, { catalog, index, relations: all, context });
  const large = within.filter((relation) => !small.has(relation) && !covered.relations.has(relation));
  const each = large.map((relation) => [relation]);
  const until = Math.min(deadline, Date.now() + (options.largeTimeoutMs ?? 1_500));
  await probeAll(each, { ...probe, deadline: until, kept: undefined });
  const searched = new Set([...small, ...large]);
  const lookedUp = await lookUpMentions(valueIndex, mentions, { forms, covered, deadline, context });
  found.push(...lookedUp.matches);
  throwIfAborted(context.signal, 'The search for values');
  return {
    matches: sortMatches(found, catalog).slice(0, options.maxMatches ?? 100),
    unsearched: (await withCells).filter(
      (id) => (!searched.has(id) || cutShort.has(id)) && !(lookedUp.isWhole && covered.relations.has(id)),
    ),
  };
}

/** {@link searchValues} without what was not searched. */
export async function probeValues(
  adapter: Adapter,
  catalog: Catalog,
  question: string,
  options: ProbeValuesOptions,
): Promise<readonly ValueMatch[]> {
  return (await searchValues(adapter, catalog, question, options)).matches;
}

interface Probe {
  readonly adapter: Adapter;
  readonly catalog: Catalog;
  readonly index: SchemaIndex;
  readonly forms: ReadonlyMap<string, readonly MentionForm[]>;
  readonly deadline: number;
  readonly context: CallContext;
  readonly kept?: KeptCells | undefined;
}

/** What was seen of some relations. */
interface Seen {
  readonly matches: readonly ValueMatch[];
  /** Those of which not every cell of their text was compared. */
  readonly unsearched: readonly RelationId[];
}

/** A statement over several relations has no more than this, so that one that fails costs little. */
const MAX_GROUP_ATTRIBUTES = 60;

/**
 * Small relations share a statement, up to the rows of one: each statement costs more than the search in a few rows.
 */
function groupRelations(
  catalog: Catalog,
  index: SchemaIndex,
  relations: readonly RelationId[],
  words: number,
): readonly (readonly RelationId[])[] {
  const most = Math.min(MAX_GROUP_ATTRIBUTES, Math.floor(MAX_PARAMETERS / words));
  const groups: { readonly relations: RelationId[]; rows: number; attributes: number }[] = [];
  for (const relation of relations) {
    const rows = catalog.relations[relation]?.rowCount ?? SMALL_ROWS;
    const attributes = textAttributes(catalog, index, relation).length;
    const last = groups.at(-1);
    if (last === undefined || last.rows + rows > SMALL_ROWS || last.attributes + attributes > most)
      groups.push({ relations: [relation], rows, attributes });
    else {
      last.relations.push(relation);
      last.rows += rows;
      last.attributes += attributes;
    }
  }
  return groups.map(({ relations: together }) => together);
}

/** Where the statement of several fails, each is asked alone: one that cannot be read hides no other. */
async function probeGroup(probe: Probe, relations: readonly RelationId[]): Promise<Seen> {
  const together = await probeRelations(probe, relations);
  if (together !== undefined) return together;
  if (relations.length === 1) return { matches: [], unsearched: relations };
  const alone: Seen[] = [];
  for (const relation of relations) alone.push(await probeGroup(probe, [relation]));
  return {
    matches: alone.flatMap(({ matches }) => matches),
    unsearched: alone.flatMap(({ unsearched }) => unsearched),
  };
}

/** What some relations have, as their statement numbers it. */
interface Place {
  readonly relation: NameParts;
  readonly attributes: readonly string[];
}

/** Undefined when the statement failed, or there was no time for it. */
async function probeRelations(probe: Probe, relations: readonly RelationId[]): Promise<Seen | undefined> {
  const { adapter, catalog, context, forms, index } = probe;
  const attributesOf = relations.map((relation) => textAttributes(catalog, index, relation));
  const asked = attributesOf.map((attributes) => attributes.slice(0, MAX_ATTRIBUTES));
  const attributes = asked.flat();
  if (attributes.length === 0) return { matches: [], unsearched: [] };
  const isPart = (at: number): boolean => asked[at]?.length !== attributesOf[at]?.length;
  const placesOf = (): readonly Place[] =>
    relations.map((relation, at) => ({
      relation: catalog.relations[relation]?.nameParts ?? { relation },
      attributes: (asked[at] ?? []).map((id) => index.attribute(id)?.name ?? ''),
    }));
  const cells = await cellsOf(probe, relations, placesOf, attributes);
  if (cells !== undefined) {
    const found = [...forms.keys()].flatMap((form) => cells.get(form) ?? []);
    const matches = found.flatMap(({ attribute, cell }) => matchesOfCell(attribute, cell, forms));
    return { matches, unsearched: relations.filter((_, at) => isPart(at)) };
  }
  const remainingMs = Math.floor(probe.deadline - Date.now());
  if (remainingMs < 1 || context.signal?.aborted) return undefined;
  try {
    const statement = probeStatement(adapter.dialect, placesOf(), [...forms.keys()]);
    const result = await adapter.query(statement.sql, {
      parameters: statement.parameters,
      maxRows: MAX_CELLS_PER_RELATION * relations.length,
      maxBytes: MAX_BYTES_PER_RELATION * relations.length,
      timeoutMs: remainingMs,
      access: 'read',
      context,
    });
    const matches = result.rows.flatMap(([position, cell]) => {
      const attribute = attributes[Number(position)];
      return attribute === undefined || typeof cell !== 'string' ? [] : matchesOfCell(attribute, cell, forms);
    });
    const isCut = result.truncated !== undefined || statement.parameters.length < forms.size * attributes.length;
    // Which of several lost rows, nobody knows.
    if (isCut && relations.length > 1) return undefined;
    return { matches, unsearched: relations.filter((_, at) => isCut || isPart(at)) };
  } catch (thrown) {
    if (isAskemaError(thrown) && thrown.code === 'ABORTED') throw thrown;
    return undefined;
  }
}

/** Not under the signal of one question: others may wait for what is kept as well. */
function sharedContext(context: CallContext): CallContext {
  return { ...context, signal: undefined };
}

interface Cell {
  readonly attribute: AttributeId;
  readonly cell: string;
}

/** All cells of the relations by their squashed text; undefined where they are not kept, or are too many. */
async function cellsOf(
  { adapter, kept, context }: Probe,
  relations: readonly RelationId[],
  placesOf: () => readonly Place[],
  attributes: readonly AttributeId[],
): Promise<ReadonlyMap<string, readonly Cell[]> | undefined> {
  const read = async (): Promise<ReadonlyMap<string, readonly Cell[]> | undefined> => {
    const { sql } = probeStatement(adapter.dialect, placesOf(), undefined);
    const bounds = { maxRows: MAX_KEPT_CELLS, maxBytes: MAX_KEPT_BYTES, timeoutMs: KEPT_TIMEOUT_MS } as const;
    const result = await adapter.query(sql, { ...bounds, access: 'read', context: sharedContext(context) });
    if (result.truncated !== undefined || kept?.take(result.rows.length) !== true) return undefined;
    const cells = result.rows.flatMap(([position, cell]): Cell[] => {
      const attribute = attributes[Number(position)];
      return attribute === undefined || typeof cell !== 'string' ? [] : [{ attribute, cell }];
    });
    return Map.groupBy(cells, ({ cell }) => squashText(cell));
  };
  return kept?.remember(`cells\n${relations.join('\n')}`, () => read().catch(() => undefined));
}

/** "parking" means the Y of `has_parking`, and "inactive" the 0 of `is_active`. */
async function probeFlag(
  { adapter, catalog, index, deadline, context, kept }: Probe,
  { attribute, relation, named, opposite }: FlagCandidate,
): Promise<ValueMatch[]> {
  const { name = '', type } = index.attribute(attribute) ?? {};
  const nameParts = catalog.relations[relation]?.nameParts;
  const timeoutMs = Math.floor(deadline - Date.now());
  if (nameParts === undefined || timeoutMs < 1 || context.signal?.aborted) return [];
  try {
    const bounds = { maxRows: MAX_FLAG_CELLS, timeoutMs, access: 'read' } as const;
    const read = async (under: CallContext): Promise<readonly unknown[]> => {
      const statement = flagStatement(adapter.dialect, nameParts, name);
      return (await adapter.query(statement, { ...bounds, context: under })).rows.map(([, cell]) => cell);
    };
    const cells =
      type === 'BOOL'
        ? ['true', 'false']
        : await (kept?.remember(`flag\n${attribute}`, () => read(sharedContext(context))) ?? read(context));
    const values = flagValues(cells);
    const match =
      (value: string | undefined) =>
      (mention: string): ValueMatch[] =>
        value === undefined ? [] : [{ mention, attribute, value, score: 1 }];
    return [...named.flatMap(match(values?.yes)), ...opposite.flatMap(match(values?.no))];
  } catch (thrown) {
    if (isAskemaError(thrown) && thrown.code === 'ABORTED') throw thrown;
    return [];
  }
}

function sortMatches(matches: readonly ValueMatch[], catalog: Catalog): ValueMatch[] {
  if (matches.length < 2) return [...matches];
  const position = new Map(matches.map(({ attribute }) => [attribute, 0]));
  catalog.schema.attributes.forEach(({ id }, place) => {
    if (position.has(id)) position.set(id, place);
  });
  const place = (match: ValueMatch): number => position.get(match.attribute) ?? 0;
  const different = new Map(
    matches.map((match) => [JSON.stringify([match.mention, match.attribute, match.value]), match]),
  );
  return [...different.values()].sort(
    (a, b) =>
      b.mention.length - a.mention.length || b.score - a.score || place(a) - place(b) || compareText(a.value, b.value),
  );
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
