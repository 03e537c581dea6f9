import {
  type Adapter,
  type AttributeId,
  type CallContext,
  type Catalog,
  castType,
  type Dialect,
  isAskemaError,
  qualifiedName,
  quoteIdentifier,
  quoteString,
  throwIfAborted,
  type ValueIndex,
  type ValueMatch,
} from '@askema/core';
import { likeness, MIN_CELL_SCORE, surfaceForms } from '@askema/grounding';
import { type PlannedAttribute, planAttributes } from './build/plan-attributes.ts';

export interface LikeIndexOptions {
  /** For all statements of one look-up together; what was found until then is returned. Default 5,000. */
  readonly timeoutMs?: number | undefined;
  /** Attributes that one look-up asks at most, those of small relations first. Default 50. */
  readonly maxAttributes?: number | undefined;
  /** Relations with more rows are not asked unless a look-up names their attributes. Default 1,000,000. */
  readonly maxRelationRows?: number | undefined;
  /** Cells of each attribute. Default 50. */
  readonly maxCells?: number | undefined;
}

const BYTES_PER_RELATION = 1024 * 1024;
/** Statements at the same time. */
const CONCURRENCY = 4;
const MAX_PATTERNS = 6;
/** A word is looked for by its beginning, so that an ending or a late misspelling does not count. */
const PREFIX_SHARE = 0.6;
const MIN_PREFIX = 3;
const MAX_TEXT = 200;

/**
 * A value index without an index: each look-up asks the database with LIKE, one bounded statement for each relation.
 * For warehouses of which no index was built. It finds cells that hold the text or the beginning of one of its words,
 * so it knows less than a built one, and each look-up costs a scan.
 *
 * `find` rejects with `ABORTED` only; a relation that fails or for which no time is left is left out.
 */
export function likeIndex(adapter: Adapter, catalog: Catalog, options: LikeIndexOptions = {}): ValueIndex {
  const planned = planAttributes(catalog, {});
  const byId = new Map(planned.map((attribute) => [attribute.id, attribute]));
  const { timeoutMs = 5_000, maxAttributes = 50, maxRelationRows = 1_000_000, maxCells = 50 } = options;
  return {
    async find({ text, attributes, limit, context }) {
      throwIfAborted(context.signal, 'Looking a value up');
      const patterns = likePatterns(text);
      if (patterns.length === 0 || limit < 1) return [];
      const chosen =
        attributes === undefined
          ? planned.filter(({ rowCount }) => rowCount === undefined || rowCount <= maxRelationRows)
          : attributes.flatMap((id) => byId.get(id) ?? []);
      const relations = Map.groupBy(chosen.slice(0, maxAttributes), ({ relation }) => JSON.stringify(relation));
      const ask: Ask = { adapter, patterns, maxCells, deadline: performance.now() + timeoutMs, context };
      const cells = await inTurns([...relations.values()], (group) => askRelation(ask, group));
      throwIfAborted(context.signal, 'Looking a value up');
      return rank(text, cells.flat(), limit);
    },
    covers: async (attribute) => (byId.has(attribute) ? 'part' : 'none'),
    close: async () => undefined,
  };
}

/**
 * LIKE patterns in lower case: the whole text, then the beginnings of its longest words. Whatever is no letter and no
 * digit stands as `_`, which means any one character everywhere: no dialect needs an ESCAPE.
 */
export function likePatterns(text: string): readonly string[] {
  const plain = (piece: string): string => piece.replace(/[^\p{L}\p{N}\p{M}]/gu, '_');
  const lower = text.slice(0, MAX_TEXT).toLowerCase().trim();
  const words = lower.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  if (words.length === 0) return [];
  const prefixes = [...words]
    .sort((a, b) => b.length - a.length)
    .filter((word) => word.length >= MIN_PREFIX)
    .map((word) => [...word].slice(0, Math.max(MIN_PREFIX, Math.ceil(word.length * PREFIX_SHARE))).join(''));
  return [...new Set([plain(lower), ...prefixes])].slice(0, MAX_PATTERNS).map((piece) => `%${piece}%`);
}

interface Ask {
  readonly adapter: Adapter;
  readonly patterns: readonly string[];
  readonly maxCells: number;
  readonly deadline: number;
  readonly context: CallContext;
}

interface AskedCell {
  readonly attribute: AttributeId;
  readonly cell: string;
}

async function askRelation(ask: Ask, attributes: readonly PlannedAttribute[]): Promise<readonly AskedCell[]> {
  const { adapter, context, deadline, maxCells } = ask;
  const timeoutMs = Math.floor(deadline - performance.now());
  if (timeoutMs < 1) return [];
  try {
    const sql = likeStatement(attributes, adapter.dialect, ask);
    const { rows } = await adapter.query(sql, {
      maxRows: maxCells * attributes.length,
      maxBytes: BYTES_PER_RELATION,
      timeoutMs,
      access: 'read',
      context,
    });
    return rows.flatMap(([place, cell]) => {
      const attribute = attributes[Number(place)];
      return attribute === undefined || typeof cell !== 'string' ? [] : { attribute: attribute.id, cell };
    });
  } catch (thrown) {
    if (isAskemaError(thrown) && thrown.code === 'ABORTED') throw thrown;
    return [];
  }
}

function likeStatement(
  attributes: readonly PlannedAttribute[],
  dialect: Dialect,
  { patterns, maxCells }: Pick<Ask, 'patterns' | 'maxCells'>,
): string {
  const selects = attributes.map(({ name, relation }, place) => {
    const text = `CAST(${quoteIdentifier(name, dialect)} AS ${castType('TEXT', dialect)})`;
    const conditions = patterns.map((pattern) => `LOWER(${text}) LIKE ${quoteString(pattern, dialect)}`);
    // A select with a LIMIT of its own stands in a union as a derived table only.
    return `SELECT ${place} AS place, cell FROM (SELECT DISTINCT ${text} AS cell FROM ${qualifiedName(relation, dialect, 'always')} AS probed WHERE ${conditions.join(' OR ')} LIMIT ${maxCells}) AS asked${place}`;
  });
  return selects.join('\nUNION ALL\n');
}

function rank(text: string, cells: readonly AskedCell[], limit: number): readonly ValueMatch[] {
  const wanted = surfaceForms(text);
  return cells
    .map(({ attribute, cell }) => ({ mention: text, attribute, value: cell, score: likeness(wanted, cell).score }))
    .filter(({ score }) => score >= MIN_CELL_SCORE)
    .sort((a, b) => b.score - a.score || a.value.length - b.value.length || (a.value < b.value ? -1 : 1))
    .slice(0, limit);
}

async function inTurns<Item, Out>(items: readonly Item[], work: (item: Item) => Promise<Out>): Promise<Out[]> {
  const results: Out[] = [];
  for (let at = 0; at < items.length; at += CONCURRENCY)
    results.push(...(await Promise.all(items.slice(at, at + CONCURRENCY).map(work))));
  return results;
}
