import { type Parameter, quoteString } from '@askema/core';
import { expect } from 'vitest';
import { BYTES, TEXTS } from '../fixture/values.ts';
import { type AdapterCase, errorOf } from './adapter-bench.ts';

/** Texts that would end a string, a comment or a statement if they were glued into the SQL. */
const HOSTILE_TEXTS: readonly string[] = [
  "'; DROP TABLE customer; --",
  "' OR '1'='1",
  "\\' OR 1=1 --",
  '*/ DROP TABLE customer /*',
  '$1',
  '?',
  ':name',
  "''",
  '\\',
];

/** Values that go into statements. */
export const PARAMETER_CASES = {
  'parameters-by-position': {
    title: 'Values go in by their position.',
    async run(bench) {
      const { adapter, table, column } = await bench.open('shop');
      const { placeholder } = bench.statements;
      const sql = `SELECT ${column('name')} FROM ${table('customer')} WHERE ${column('id')} >= ${placeholder(1)} AND ${column('name')} <> ${placeholder(2)} ORDER BY ${column('id')}`;
      const { rows } = await adapter.query(sql, { parameters: [3, 'Chidi'] });
      expect(rows).toEqual([["O'Neil"]]);
    },
  },

  'parameters-by-name': {
    title: 'Values go in by their name.',
    needs: 'named parameters',
    async run(bench) {
      const { adapter, table, column } = await bench.open('shop');
      const { namedPlaceholder } = bench.statements;
      const sql = `SELECT ${column('id')} FROM ${table('customer')} WHERE ${column('name')} = ${namedPlaceholder('wanted')}`;
      const { rows } = await adapter.query(sql, { parameters: { wanted: "O'Neil" } });
      expect(rows).toEqual([[4]]);
    },
  },

  'parameters-hostile-text': {
    title: 'A text stays a text.',
    async run(bench) {
      const { adapter, table } = await bench.open('shop');
      const { placeholder, textType } = bench.statements;
      for (const text of [...HOSTILE_TEXTS, ...TEXTS]) {
        const { rows } = await adapter.query(`SELECT CAST(${placeholder(1)} AS ${textType}) AS t`, {
          parameters: [text],
        });
        expect(rows).toEqual([[text]]);
      }
      expect((await adapter.query(`SELECT COUNT(*) FROM ${table('customer')}`)).rows).toEqual([[4]]);
    },
  },

  'parameters-exact': {
    title: 'NULL, large integers and bytes find the cells that hold them.',
    async run(bench) {
      const { adapter, table, column } = await bench.open('values');
      const { placeholder } = bench.statements;
      const find = async (relation: string, value: Parameter) =>
        (
          await adapter.query(
            `SELECT ${column('id')} FROM ${table(relation)} WHERE ${column('v')} = ${placeholder(1)}`,
            { parameters: [value] },
          )
        ).rows;
      expect(await find('integers', 9_007_199_254_740_993n)).toEqual([[5]]);
      expect(await find('integers', Number.MAX_SAFE_INTEGER)).toEqual([[4]]);
      expect(await find('bytes', BYTES[2] ?? new Uint8Array())).toEqual([[2]]);
      expect(await find('texts', 'NULL')).toEqual([[6]]);
      expect(await find('texts', null)).toEqual([]);
    },
  },

  'parameters-missing': {
    title: 'A missing value is an error, not NULL.',
    async run(bench) {
      const { adapter } = await bench.open('shop');
      const { placeholder, textType } = bench.statements;
      const promise = adapter.query(`SELECT CAST(${placeholder(1)} AS ${textType})`);
      expect(['QUERY_FAILED', 'INPUT_INVALID']).toContain((await errorOf(promise)).code);
    },
  },

  'quoting-strings': {
    title: "The dialect's string literals mean the text that went in.",
    async run(bench) {
      const { adapter } = await bench.open('shop');
      for (const text of [...HOSTILE_TEXTS, ...TEXTS]) {
        const { rows } = await adapter.query(`SELECT ${quoteString(text, adapter.dialect)} AS t`);
        expect(rows).toEqual([[text]]);
      }
    },
  },
} satisfies Record<string, AdapterCase>;
