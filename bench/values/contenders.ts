import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { attributeId, createCallContext, finishCatalog, type Row, relationId, resolveAdapter } from '@askema/core';
import { sqliteDialect } from '@askema/dialects';
import Database from 'better-sqlite3';
import Fuse from 'fuse.js';
import MiniSearch from 'minisearch';
import { buildValueIndex, openValueIndex } from '../../packages/value-index/src/index.ts';

/** What is measured: built once, then asked for the five best. */
export interface Contender {
  readonly bytesOnDisk: number | undefined;
  find(text: string): Promise<readonly string[]>;
  close(): Promise<void>;
}

export interface ContenderKind {
  readonly name: string;
  /** It is not tried with more values. */
  readonly maxValues: number;
  readonly why: string;
  build(values: readonly string[]): Promise<Contender>;
}

const LIMIT = 5;
const ATTRIBUTES = 20;

export const CONTENDERS: readonly ContenderKind[] = [
  { name: 'value-index', maxValues: Number.POSITIVE_INFINITY, why: '', build: askema },
  { name: 'LIKE scan', maxValues: Number.POSITIVE_INFINITY, why: '', build: likeScan },
  { name: 'minisearch', maxValues: 1_000_000, why: 'it holds everything in memory', build: miniSearch },
  { name: 'fuse.js', maxValues: 100_000, why: 'each look-up compares every value', build: fuse },
];

/**
 * Twenty attributes of one relation, each with its share of the values, behind an adapter that costs next to nothing.
 */
async function askema(values: readonly string[]): Promise<Contender> {
  const folder = mkdtempSync(join(tmpdir(), 'askema-bench-'));
  const path = join(folder, 'bench.values');
  const relation = relationId(['thing']);
  const size = Math.ceil(values.length / ATTRIBUTES);
  const names = Array.from({ length: ATTRIBUTES }, (_, at) => `a${at}`);
  const catalog = finishCatalog({
    schemaVersion: 1,
    dialect: 'sqlite',
    name: 'bench',
    nameComparison: 'insensitive',
    schema: {
      relations: [{ id: relation, name: 'thing' }],
      attributes: names.map((name) => ({ id: attributeId(relation, name), relation, name, type: 'TEXT' })),
      primaryKeys: [],
      foreignKeys: [],
      domainConstraints: [],
    },
    relations: { [relation]: { nameParts: { relation: 'thing' }, kind: 'table', rowCount: size } },
    attributes: Object.fromEntries(
      names.map((name, at) => [attributeId(relation, name), { position: at + 1, nativeType: 'TEXT' }]),
    ),
    uniqueKeys: [],
    checks: [],
    families: [],
    keyStanding: {},
    incomplete: [],
  });
  const adapter = resolveAdapter({
    contract: 1,
    dialect: sqliteDialect,
    name: 'bench',
    access: 'read',
    executor: {
      async *execute(sql) {
        const at = Number(/"a(\d+)"/.exec(sql)?.[1]);
        yield { type: 'columns', columns: [{ name: 'cell', nativeType: 'TEXT', type: 'TEXT' }] };
        const own = values.slice(at * size, (at + 1) * size);
        for (let start = 0; start < own.length; start += 1_000)
          yield { type: 'rows', rows: own.slice(start, start + 1_000).map((value): Row => [value]) };
        yield { type: 'end' };
      },
    },
    introspector: { introspect: async () => catalog },
    close: async () => undefined,
  });
  await buildValueIndex({ adapter, catalog, path, maxValuesPerAttribute: size + 1, detectChanges: 'row count' });
  const index = await openValueIndex(path, { catalog });
  const context = createCallContext();
  return {
    bytesOnDisk: statSync(path).size,
    find: async (text) => (await index.find({ text, limit: LIMIT, context })).map(({ value }) => value),
    async close() {
      await index.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** What asking the database itself comes to: the text anywhere in a cell, whatever the case of ASCII letters. */
async function likeScan(values: readonly string[]): Promise<Contender> {
  const folder = mkdtempSync(join(tmpdir(), 'askema-bench-'));
  const database = new Database(join(folder, 'bench.sqlite'));
  database.exec('CREATE TABLE thing (cell TEXT)');
  const insert = database.prepare('INSERT INTO thing VALUES (?)');
  database.transaction(() => {
    for (const value of values) insert.run(value);
  })();
  const find = database.prepare("SELECT cell FROM thing WHERE cell LIKE ? ESCAPE '!' LIMIT 5").pluck();
  return {
    bytesOnDisk: statSync(join(folder, 'bench.sqlite')).size,
    find: async (text) => find.all(`%${text.replace(/[%_!]/g, '!$&')}%`) as string[],
    async close() {
      database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function miniSearch(values: readonly string[]): Promise<Contender> {
  const index = new MiniSearch<{ id: number; text: string }>({
    fields: ['text'],
    searchOptions: { fuzzy: 0.2, prefix: true },
  });
  index.addAll(values.map((text, id) => ({ id, text })));
  return {
    bytesOnDisk: undefined,
    find: async (text) =>
      index
        .search(text)
        .slice(0, LIMIT)
        .map(({ id }) => values[id as number] ?? ''),
    close: async () => undefined,
  };
}

async function fuse(values: readonly string[]): Promise<Contender> {
  const index = new Fuse(values, { ignoreLocation: true, threshold: 0.4 });
  return {
    bytesOnDisk: undefined,
    find: async (text) => index.search(text, { limit: LIMIT }).map(({ item }) => item),
    close: async () => undefined,
  };
}
