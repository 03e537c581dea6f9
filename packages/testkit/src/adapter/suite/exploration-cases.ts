import { type Catalog, createCallContext, fillProbe, indexSchema, parameterPlaceholder, type Row } from '@askema/core';
import { servicesOf } from '@askema/grounding';
import { prefixQuery } from '@askema/sql';
import { expect } from 'vitest';
import { type AdapterCase, errorOf, type OpenDatabase } from './adapter-bench.ts';

function attributesOf(catalog: Catalog, relation: string, names: readonly string[]): readonly string[] {
  const index = indexSchema(catalog);
  const id = index.relationsNamed(relation)[0]?.id ?? '';
  return names.map((name) => index.attributeNamed(id, name)?.id ?? `no ${relation}.${name}`);
}

/** A statement with comments, strings and names that mislead who does not read them. */
function cteStatement({ table, column }: OpenDatabase): string {
  return `-- WITH nothing AS (SELECT 1)
WITH ${column('Big_Lines')} AS (
  SELECT ${column('order_no')}, ${column('quantity')} /* ) */ FROM ${table('order_line')}
  WHERE ${column('quantity')} >= 2 AND ${column('sku')} <> ') SELECT (' -- )
), per_order AS (
  SELECT ${column('order_no')}, SUM(${column('quantity')}) AS total FROM ${column('Big_Lines')} GROUP BY ${column('order_no')}
)
SELECT COUNT(*) FROM per_order WHERE total > 2`;
}

/** What refinement and exploration ask of an adapter. */
export const EXPLORATION_CASES = {
  'cte-prefixes': {
    title: 'A statement is taken apart at its WITH, and each beginning of it runs on the engine.',
    async run(bench) {
      const database = await bench.open('shop');
      const { adapter, rows } = database;
      const sql = cteStatement(database);
      const split = servicesOf(adapter).cteParser.split(sql);
      expect(split.complete).toBe(true);
      expect(split.ctes.map(({ rawName }) => rawName)).toEqual([database.column('Big_Lines'), 'per_order']);
      expect(split.ctes[1]?.dependsOn).toEqual([split.ctes[0]?.name]);
      const traits = adapter.dialect.lexer;
      const counts: number[] = [];
      for (const count of [1, 2])
        counts.push((await rows(prefixQuery(sql, split, count, { traits, maxRows: 10 }))).length);
      expect(counts).toEqual([3, 3]);
      expect(await rows(sql)).toEqual([[2]]);
    },
  },

  'probes-run': {
    title: 'Ready statements of the dialect run, and find what is there.',
    async run(bench) {
      const { adapter, rows } = await bench.open('shop');
      const catalog = await adapter.introspect();
      const ids = [
        ...attributesOf(catalog, 'product', ['title', 'price']),
        ...attributesOf(catalog, 'customer', ['email', 'joined']),
      ];
      const probes = servicesOf(adapter).explorer.probes(ids, { catalog, search: 'ENC', limit: 5 });
      const results: Record<string, readonly Row[]> = {};
      for (const { kind, sql, attributes } of probes)
        results[`${kind} ${ids.indexOf(attributes[0] ?? '')}`] = await rows(sql);
      expect(results['frequent 0']?.map(([cell]) => cell)).toEqual(
        expect.arrayContaining(['Pencil', 'Notebook', 'Lamp']),
      );
      expect(results['range 1']?.[0]?.slice(0, 2).map(Number)).toEqual([0.5, 19.25]);
      expect(results['range 3']?.[0]?.slice(2).map(Number)).toEqual([4, 3, 3]);
      if (adapter.dialect.probes.search !== undefined) expect(results['search 0']).toEqual([['Pencil']]);
    },
  },

  'probes-nested': {
    title: "Statements that look into lists and fields run on the engine's own types.",
    needs: 'nested types',
    async run(bench) {
      const { adapter, rows } = await bench.open('nested');
      const catalog = await adapter.introspect();
      const ids = attributesOf(catalog, 'document', ['tags', 'address', 'items']);
      const probes = servicesOf(adapter).explorer.probes(ids, { catalog, limit: 50 });
      expect(probes.length).toBeGreaterThan(0);
      const found: Row[] = [];
      for (const { sql } of probes) found.push(...(await rows(sql)));
      expect(JSON.stringify(found)).toMatch(/city|sku|old/);
    },
  },

  'probes-values': {
    title: 'What looking up values sends: distinct cells, whether a value occurs, and what stands beside it.',
    async run(bench) {
      const { adapter, table, column } = await bench.open('shop');
      const { probes } = adapter.dialect;
      const ask = async (
        skeleton: string,
        holes: Readonly<Record<string, string | number>>,
        parameters: readonly string[],
      ) =>
        (
          await adapter.query(fillProbe(skeleton, { relation: table('order_line'), limit: 5, ...holes }), {
            parameters,
          })
        ).rows;
      const cells =
        probes.cells ?? 'SELECT DISTINCT {attribute} FROM {relation} WHERE {attribute} IS NOT NULL LIMIT {limit}';
      const skus = await ask(cells, { attribute: column('sku') }, []);
      expect(skus.flat().sort()).toEqual(['A-1', 'B-2', 'C-3']);
      const occurs = probes.occurs ?? 'SELECT 1 FROM {relation} WHERE {condition} LIMIT 1';
      const condition = `${column('sku')} = ${parameterPlaceholder(adapter.dialect, 1)}`;
      expect(await ask(occurs, { condition }, ['C-3'])).toHaveLength(1);
      expect(await ask(occurs, { condition }, ["nothing'--"])).toEqual([]);
      const companions =
        probes.companions ?? 'SELECT DISTINCT {attribute} FROM {relation} WHERE {condition} LIMIT {limit}';
      const lines = await ask(companions, { attribute: column('order_no'), condition }, ['A-1']);
      expect(lines.flat().map(Number).sort()).toEqual([100, 102]);
    },
  },

  'profile-attribute': {
    title: 'The figures of a profile are right.',
    async run(bench) {
      const { adapter } = await bench.open('shop');
      const catalog = await adapter.introspect();
      const [email = '', price = ''] = [
        ...attributesOf(catalog, 'customer', ['email']),
        ...attributesOf(catalog, 'product', ['price']),
      ];
      const options = { catalog, timeoutMs: 20_000, context: createCallContext() };
      expect(await servicesOf(adapter).explorer.profile(email, options)).toMatchObject({
        rowCount: 4,
        nullCount: 1,
        distinctCount: 3,
      });
      const prices = await servicesOf(adapter).explorer.profile(price, options);
      expect([prices.minimum, prices.maximum].map(Number)).toEqual([0.5, 19.25]);
      expect((await errorOf(servicesOf(adapter).explorer.profile('no such attribute', options))).code).toBe(
        'INPUT_INVALID',
      );
    },
  },

  explore: {
    title: 'Exploration of a question profiles columns and joins, without a warning.',
    async run(bench) {
      const { adapter } = await bench.open('shop');
      const catalog = await adapter.introspect();
      const context = createCallContext();
      const question = 'quantity and title of each order line';
      const explored = await servicesOf(adapter).explorer.explore(catalog, question, {
        context,
        // How fast an engine profiles is not what is asserted; the case has a limit of its own.
        timeoutMs: 60_000,
        statementTimeoutMs: 60_000,
      });
      expect(explored.warnings).toEqual([]);
      const [quantity = '', sku = ''] = attributesOf(catalog, 'order_line', ['quantity', 'sku']);
      expect(explored.profiles[quantity]).toMatchObject({ rowCount: 5, nullCount: 0, distinctCount: 4 });
      expect(explored.joins.find(({ from }) => from === sku)).toMatchObject({ orphanCount: 0, isTargetUnique: true });
    },
  },

  'sample-hostile-names': {
    title: 'Samples of hostile names: the statement means the column.',
    needs: 'free names',
    async run(bench) {
      const { adapter } = await bench.open('names');
      const catalog = await adapter.introspect();
      const index = indexSchema(catalog);
      const attributes = index.attributesOf(index.relationsNamed('columns')[0]?.id ?? '').map(({ id }) => id);
      const options = { catalog, limit: 2, timeoutMs: 60_000, context: createCallContext() };
      const samples = await adapter.sampleValues(attributes, options);
      expect(attributes.length).toBeGreaterThan(30);
      expect(attributes.map((id) => samples[id])).toEqual(attributes.map((_, position) => [position]));
    },
  },
} satisfies Record<string, AdapterCase>;
