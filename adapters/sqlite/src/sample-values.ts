import { statementRequest } from '@askema/adapter-kit';
import {
  type AttributeId,
  indexSchema,
  isAskemaError,
  quoteIdentifier,
  type SampleOptions,
  type SampleValues,
  type Value,
} from '@askema/core';
import { sqliteDialect } from '@askema/dialects';
import type { Database } from './database.ts';

/** Attributes of one statement; SQLite takes at most 500 terms in a compound SELECT. */
const TERMS = 200;

/** Rows looked at for one attribute, so that a large table with few distinct values is not read to its end. */
const ROWS_LOOKED_AT = 10_000;

/** A longer value is of no use in a prompt. */
const VALUE_BYTES = 1_000;

/** What one statement may bring. */
const STATEMENT_BYTES = 8 * 1024 * 1024;

/**
 * Draws samples of many attributes with one statement; see `SampleValues` of core. The values come attribute by
 * attribute, so those that came before the deadline are kept. A statement that fails is halved, until the one bad
 * attribute is alone and left out.
 */
export function createSampleValues(database: Database): SampleValues {
  return async (attributes, sampling) => {
    const found = new Map<AttributeId, Value[]>();
    const deadline = performance.now() + sampling.timeoutMs;
    const selects = sampleSelects(attributes, sampling);
    const draw = async (chunk: readonly SampleSelect[]): Promise<void> => {
      const timeoutMs = Math.ceil(deadline - performance.now());
      if (timeoutMs <= 0 || chunk.length === 0) return;
      try {
        const drawn = drawSamples(database, chunk, { ...sampling, timeoutMs });
        for await (const [id, value] of drawn) {
          const values = found.get(id);
          if (values === undefined) found.set(id, [value]);
          else values.push(value);
        }
        for (const { id } of chunk) if (!found.has(id)) found.set(id, []);
      } catch (thrown) {
        if (!isAskemaError(thrown) || !thrown.code.startsWith('QUERY_')) throw thrown;
        if (thrown.code === 'QUERY_TIMEOUT') return;
        for (const { id } of chunk) found.delete(id);
        if (chunk.length === 1) return;
        const middle = chunk.length >> 1;
        await draw(chunk.slice(0, middle));
        await draw(chunk.slice(middle));
      }
    };
    for (let start = 0; start < selects.length; start += TERMS) await draw(selects.slice(start, start + TERMS));
    return Object.fromEntries(found);
  };
}

interface SampleSelect {
  readonly id: AttributeId;
  /** With `#` where the number of the attribute goes. */
  readonly select: (number: number) => string;
}

function sampleSelects(attributes: readonly AttributeId[], { catalog, limit }: SampleOptions): SampleSelect[] {
  if (limit < 1) return [];
  const index = indexSchema(catalog);
  return [...new Set(attributes)].flatMap((id) => {
    const attribute = index.attribute(id);
    const info = attribute && catalog.relations[attribute.relation];
    if (attribute === undefined || info === undefined) return [];
    const column = quoteIdentifier(attribute.name, sqliteDialect);
    const relation = quoteIdentifier(info.nameParts.relation, sqliteDialect);
    const looked = `SELECT ${column} AS v FROM ${relation} WHERE ${column} IS NOT NULL LIMIT ${ROWS_LOOKED_AT}`;
    const select = (number: number): string =>
      `SELECT * FROM (SELECT DISTINCT ${number}, v FROM (${looked}) WHERE octet_length(v) <= ${VALUE_BYTES} LIMIT ${limit})`;
    return [{ id, select }];
  });
}

async function* drawSamples(
  { client }: Database,
  chunk: readonly SampleSelect[],
  { limit, timeoutMs, context }: SampleOptions,
): AsyncGenerator<readonly [AttributeId, Value]> {
  const sql = chunk.map(({ select }, number) => select(number)).join(' UNION ALL ');
  const request = { ...statementRequest(sql), maxRows: chunk.length * limit, maxBytes: STATEMENT_BYTES };
  const limits = { timeoutMs, signal: context.signal, what: 'Drawing sample values' };
  for await (const rows of client.rows(request, limits))
    for (const [number, value] of rows) {
      const id = chunk[Number(number)]?.id;
      if (id !== undefined && value !== undefined) yield [id, value];
    }
}
