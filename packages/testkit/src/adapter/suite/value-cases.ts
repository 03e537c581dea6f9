import { createCallContext, type Value } from '@askema/core';
import { expect } from 'vitest';
import { BYTES, FLOATS, INSTANTS, INTEGERS, TEXTS } from '../fixture/values.ts';
import type { AdapterBench, AdapterCase } from './adapter-bench.ts';

/** The column `v` of a table of the `values` fixture, in order. The last one is NULL. */
async function valuesOf(bench: AdapterBench, table: string): Promise<readonly Value[]> {
  const database = await bench.open('values');
  const { adapter, column } = database;
  const sql = `SELECT ${column('v')} FROM ${database.table(table)} ORDER BY ${column('id')}`;
  const { rows } = await adapter.query(sql);
  return rows.map(([value]) => value as Value);
}

/** `2024-02-29`, `2024-02-29T00:00:00` and `2024-02-29 00:00:00.000` are the same instant. */
function normaliseInstant(value: Value): Value {
  if (typeof value !== 'string') return value;
  const [date, time = '00:00:00'] = value.replace(/Z$/, '').split(/[T ]/);
  return `${date} ${time.replace(/\.0+$/, '')}`;
}

/** How cells come back. */
export const VALUE_CASES = {
  'values-integers': {
    title: 'Whole numbers are exact: a number up to 2^53, a bigint beyond.',
    async run(bench) {
      expect(await valuesOf(bench, 'integers')).toEqual([...INTEGERS, null]);
    },
  },

  'values-floats': {
    title: 'Doubles of every size come back as they are.',
    async run(bench) {
      expect(await valuesOf(bench, 'floats')).toEqual([...FLOATS, null]);
    },
  },

  'values-decimals': {
    title: 'Decimals are strings, digit by digit.',
    needs: 'decimals',
    async run(bench) {
      const { rows } = await bench.open('shop');
      expect(await rows(bench.statements.decimal)).toEqual([['12345678901234567890.12']]);
    },
  },

  'values-nan': {
    title: 'NaN is NaN, not NULL.',
    needs: 'nan',
    async run(bench) {
      const { rows } = await bench.open('shop');
      expect(await rows(bench.statements.nan)).toEqual([[Number.NaN]]);
    },
  },

  'values-text': {
    title: 'Text of every script and length; an empty text is not NULL.',
    async run(bench) {
      expect(await valuesOf(bench, 'texts')).toEqual([...TEXTS, null]);
    },
  },

  'values-text-nul': {
    title: 'A NUL character does not end a text.',
    needs: 'NUL in text',
    async run(bench) {
      const { rows } = await bench.open('shop');
      expect(await rows(bench.statements.nulText)).toEqual([['a\0b']]);
    },
  },

  'values-bytes': {
    title: 'Bytes are a plain Uint8Array, empty ones too.',
    async run(bench) {
      expect(await valuesOf(bench, 'bytes')).toEqual([...BYTES, null]);
    },
  },

  'values-instants': {
    title: 'Dates and times are ISO texts.',
    async run(bench) {
      expect((await valuesOf(bench, 'instants')).map(normaliseInstant)).toEqual([...INSTANTS, null]);
    },
  },

  'values-booleans': {
    title: 'Booleans, or 1 and 0 where the engine has none.',
    async run(bench) {
      const values = await valuesOf(bench, 'booleans');
      expect(values.map((value) => (value === 1 ? true : value === 0 ? false : value))).toEqual([true, false, null]);
    },
  },

  'values-duplicate-columns': {
    title: 'Rows are positional: two columns of one name are both there.',
    async run(bench) {
      const { adapter } = await bench.open('shop');
      const { columns, rows } = await adapter.query("SELECT 1 AS a, 'x' AS a, NULL AS a");
      expect(columns.map(({ name }) => name.toLowerCase())).toEqual(['a', 'a', 'a']);
      expect(rows).toEqual([[1, 'x', null]]);
    },
  },

  'values-columns': {
    title: 'Columns carry name and type, also when there is no row.',
    async run(bench) {
      const database = await bench.open('shop');
      const sql = `SELECT ${['code', 'percent'].map(database.column)} FROM ${database.table('coupon')}`;
      const { columns, rows } = await database.adapter.query(sql);
      expect(rows).toEqual([]);
      expect(columns.map(({ name, type }) => ({ name, type }))).toEqual([
        { name: 'code', type: 'TEXT' },
        { name: 'percent', type: 'NUMERIC' },
      ]);
    },
  },

  'quoting-names': {
    title: 'A quoted name means the table and the column of that name, whatever is in it.',
    needs: 'free names',
    async run(bench) {
      const { rows, table, column } = await bench.open('names');
      for (const [index, name] of bench.names.entries()) {
        expect(await rows(`SELECT ${column('id')} FROM ${table(name)}`)).toEqual([[1]]);
        expect({ name, rows: await rows(`SELECT ${column(name)} FROM ${table('columns')}`) }).toEqual({
          name,
          rows: [[index]],
        });
      }
    },
  },

  'sample-values': {
    title: 'Samples are distinct, not NULL, at most as many as asked for, and an attribute without any has none.',
    async run(bench) {
      const { adapter } = await bench.open('shop');
      const catalog = await adapter.introspect();
      const ids = catalog.schema.attributes.map(({ id }) => id);
      const named = (name: string): string =>
        catalog.schema.attributes.find((attribute) => attribute.name === name)?.id ?? '';
      const options = { catalog, limit: 3, timeoutMs: 10_000, context: createCallContext() };
      const samples = await adapter.sampleValues(ids, options);
      expect(new Set(samples[named('title')])).toEqual(new Set(['Pencil', 'Notebook', 'Lamp']));
      expect(samples[named('email')]).toHaveLength(3);
      expect(samples[named('referred_by')]?.toSorted()).toEqual([1, 3]);
      expect(samples[named('code')] ?? []).toEqual([]);
    },
  },
} satisfies Record<string, AdapterCase>;
