import { type Catalog, nearestNames } from '@askema/core';
import { z } from 'zod';
import type { Tool, ToolReply } from '../contract.ts';
import type { Databases } from '../databases/find-database.ts';
import { jsonLength } from '../reply/cut-text.ts';
import { withData } from '../reply/data-block.ts';
import { makeTool } from '../reply/make-tool.ts';
import type { ReplyLimits } from '../reply/reply-limits.ts';
import { DETAILS, type RelationSheet, relationSheet, type SheetOptions } from './relation-sheet.ts';
import { countWords, searchRelations } from './search-relations.ts';
import { sheetLines } from './sheet-lines.ts';

/** Of a search; whoever gives no words wants all. */
const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 100;
/** More words find nothing more, and keep the thread that reads them, and all who share it, for seconds. */
const MAX_WORDS_CHARACTERS = 2_000;

const catalogOutput = z.looseObject({
  relations: z.array(z.unknown()).optional(),
  truncated: z.string().optional(),
});

/** Finds relations and columns by words, and tells their structure: no cells. */
export function searchCatalogTool(databases: Databases, limits: ReplyLimits): Tool {
  const input = z.strictObject({
    words: z.string().optional(),
    detail: z.enum(DETAILS).optional(),
    limit: z.int().min(1).max(MAX_LIMIT).optional(),
    ...databases.field,
  });
  return makeTool({
    name: 'search_catalog',
    title: 'Search catalog',
    description: 'Finds tables and columns by words, or all: keys, comments, row counts; full adds types.',
    input,
    output: catalogOutput,
    idempotent: true,
    async run({ words: given = '', detail = 'summary', limit: asked, database }, { signal, tenant }) {
      const words = given.slice(0, MAX_WORDS_CHARACTERS);
      const limit = asked ?? (words.trim() === '' ? MAX_LIMIT : DEFAULT_LIMIT);
      const { text2sql, adapter, name } = databases.find(database);
      const catalog = await text2sql.catalog({ signal, tenant });
      const found = searchRelations(catalog, words);
      const room = limits.maxCharacters * 0.8;
      const likenessOf = countWords(words);
      const options: SheetOptions = { catalog, dialect: adapter.dialect, detail, likenessOf, room: room / 2 };
      const sheets: RelationSheet[] = [];
      let left = room;
      for (const relation of found.slice(0, limit)) {
        const sheet = relationSheet(relation, options);
        left -= jsonLength(sheet) + 1;
        if (left < 0 && sheets.length > 0) break;
        sheets.push(sheet);
      }
      return replyOf(sheets, { total: found.length, limit, words, catalog, name, dialect: adapter.dialect.name });
    },
  });
}

interface FoundRelations {
  readonly total: number;
  /** How many were asked for. */
  readonly limit: number;
  readonly words: string;
  readonly catalog: Catalog;
  /** Of the database. */
  readonly name: string;
  readonly dialect: string;
}

function replyOf(sheets: readonly RelationSheet[], found: FoundRelations): ToolReply<z.infer<typeof catalogOutput>> {
  const { total, limit, words, catalog, name, dialect } = found;
  const more =
    sheets.length < limit
      ? 'use more telling words, or less detail'
      : `use more telling words, or a greater limit (at most ${MAX_LIMIT})`;
  const truncated =
    sheets.length < total ? `Only the first ${sheets.length} of ${total} relations are here: ${more}.` : undefined;
  const near = total === 0 ? nearestInCatalog(words, catalog) : [];
  const gaps = catalog.incomplete.filter(({ affects }) => affects !== 'counts').length;
  const all = catalog.schema.relations.length;
  // Whoever asks about the whole database must see that this is a part.
  const count =
    total < all ? `${total} of ${all} relations match.` : `${total} ${total === 1 ? 'relation' : 'relations'}.`;
  const head = `${count}${truncated === undefined ? '' : ` ${truncated}`}`;
  const whole = gaps === 0 ? '' : ` The catalog is not whole: ${gaps} parts could not be read.`;
  const lines = near.length > 0 ? [`Nearest names: ${near.join(', ')}`] : sheets.flatMap(sheetLines);
  return {
    structured: {
      dialect,
      relations: [...sheets],
      total,
      ...(truncated === undefined ? {} : { truncated }),
      ...(near.length > 0 ? { nearestNames: near } : {}),
      ...(gaps === 0 ? {} : { incomplete: gaps }),
    },
    text: withData(`${head}${whole}`, `catalog of ${name}`, lines),
    isError: false,
  };
}

/** Names that are written nearly as one of the words. */
function nearestInCatalog(words: string, { schema }: Catalog): readonly string[] {
  const names = new Set([...schema.relations, ...schema.attributes].map(({ name }) => name));
  const wanted = words.split(/\s+/).filter((word) => word !== '');
  return [...new Set(wanted.slice(0, 5).flatMap((word) => nearestNames(word, names)))].slice(0, 10);
}
