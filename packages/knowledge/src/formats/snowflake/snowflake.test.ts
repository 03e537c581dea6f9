import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Knowledge } from '../../model/knowledge.ts';
import type { Metric } from '../../model/semantic-model.ts';
import { exportSnowflake } from './export-snowflake.ts';
import { importSnowflake } from './import-snowflake.ts';

const DATA = process.env.ASKEMA_DATA ?? fileURLToPath(new URL('../../../../../../shared/data', import.meta.url));
const SNOWFLAKE = `${DATA}/knowledge/snowflake`;
const hasFiles = existsSync(SNOWFLAKE);
if (!hasFiles) {
  // biome-ignore lint/suspicious/noConsole: a test that does not read its data says so.
  console.warn(`NOT READ: ${SNOWFLAKE} is not there. Set ASKEMA_DATA to the folder that holds it.`);
}

const BAKERY = `
name: bakery
description: Sales of two bakeries.
tables:
  - name: sales
    synonyms: [receipts]
    base_table: { database: SHOP, schema: PUBLIC, table: SALES }
    primary_key: { columns: [sale_id] }
    dimensions:
      - name: channel
        expr: channel
        data_type: VARCHAR(8)
        is_enum: true
        sample_values: [counter, web]
      - name: receipt
        expr: receipt_no
        data_type: VARCHAR
        unique: true
        sample_values: ['A-1']
        cortex_search_service: { service: receipts_search }
    time_dimensions:
      - { name: sold_at, expr: sold_at, data_type: TIMESTAMP_NTZ }
    facts:
      - { name: amount, expr: quantity * price, data_type: 'NUMBER(38,0)', access_modifier: private_access }
    filters:
      - { name: online, synonyms: [web sales], expr: channel = 'web' }
    metrics:
      - { name: revenue, synonyms: [turnover], expr: SUM(amount) }
      - { name: receipts, expr: COUNT(DISTINCT receipt), access_modifier: private_access }
      - { name: per_receipt, expr: revenue / receipts }
      - name: open_orders
        expr: SUM(open_count)
        non_additive_dimensions: [{ table: sales, dimension: sold_at, sort_direction: descending }]
  - name: shops
    base_table: { database: SHOP, schema: PUBLIC, table: "Shops of 2024" }
    primary_key: { columns: [country, shop_no] }
    dimensions: [{ name: city, expr: "INITCAP(city)" }]
    metrics:
      - { name: revenue, expr: SUM(rent_income) }
relationships:
  - name: sale_shop
    left_table: sales
    right_table: shops
    relationship_columns:
      - { left_column: shop_country, right_column: country }
      - { left_column: shop, right_column: shop_no }
    join_type: inner
    relationship_type: many_to_one
metrics:
  - { name: all_income, expr: sales.revenue + shops.revenue }
  - { name: spread, expr: SUM(sales.amount) / COUNT(shops.city) }
custom_instructions: never read
module_custom_instructions:
  sql_generation: Round money to cents.
  question_categorization: Refuse questions about wages.
verified_queries:
  - name: best days
    question: Which days sold most?
    sql: SELECT sold_at, SUM(__sales.amount) FROM __sales JOIN __shops ON TRUE GROUP BY 1;
    verified_at: 1714752498
    verified_by: renee
    use_as_onboarding_question: true
`;
const read = (text: string) => importSnowflake([{ path: 'view.yaml', text }]);
const thrown = (text: string): unknown => {
  try {
    return read(text);
  } catch (error) {
    return error;
  }
};
const whole = ({ knowledge }: ReturnType<typeof read>): Knowledge => ({ schemaVersion: 1, problems: [], ...knowledge });
const byName = (metrics: readonly Metric[]) => Object.fromEntries(metrics.map((one) => [one.name, one.definition]));

describe('importSnowflake', () => {
  const { knowledge, lost } = read(BAKERY);
  const [model] = knowledge.models;
  const [sales, shops] = model?.datasets ?? [];

  it('reads tables, keys and fields', () => {
    expect(sales).toMatchObject({
      source: 'SHOP.PUBLIC.SALES',
      primaryKey: ['sale_id'],
      uniqueKeys: [['receipt_no']],
      ai: { synonyms: ['receipts'] },
      standing: { state: 'proposed', source: 'snowflake', place: { file: 'view.yaml', line: 5 } },
    });
    expect(shops?.source).toBe('SHOP.PUBLIC."Shops of 2024"');
    expect(shops?.fields[0]?.expressions).toEqual([{ dialect: 'SNOWFLAKE', expression: 'INITCAP(city)' }]);
    const [channel, receipt, soldAt, amount] = sales?.fields ?? [];
    expect(channel).toMatchObject({ dimension: {}, type: 'String', values: [{ value: 'counter' }, { value: 'web' }] });
    expect(receipt).toMatchObject({ values: [], ai: { other: { sample_values: ['A-1'] } } });
    expect(soldAt).toMatchObject({ dimension: { isTime: true }, type: 'DateTime' });
    expect(amount).toMatchObject({ isHidden: true, type: 'Integer' });
    expect(amount?.dimension).toBeUndefined();
    expect(amount?.expressions).toEqual([{ dialect: 'ANSI_SQL', expression: 'quantity * price' }]);
  });

  it('reads metrics of tables, of the view, and of other metrics', () => {
    expect(byName(model?.metrics ?? [])).toMatchObject({
      revenue: { kind: 'aggregate', dataset: 'sales', expressions: [{ expression: 'SUM(amount)' }] },
      per_receipt: { kind: 'derived', expression: 'revenue / receipts' },
      open_orders: { nonAdditive: { field: 'sales.sold_at', choice: 'first', within: [] } },
      shops_revenue: { kind: 'aggregate', dataset: 'shops' },
      all_income: {
        kind: 'derived',
        expression: 'revenue + shops_revenue',
        inputs: [{ metric: 'revenue' }, { metric: 'shops_revenue' }],
      },
      spread: { kind: 'aggregate', dataset: undefined },
    });
    expect(model?.metrics.filter((one) => one.isHidden).map((one) => one.name)).toEqual(['receipts']);
    expect(model?.filters).toMatchObject([{ name: 'online', dataset: 'sales', synonyms: ['web sales'] }]);
  });

  it('takes a fact of the same name as its metric for the fact, where it is added up', () => {
    const { knowledge: own } = read(
      'name: a\ntables: [{ name: t, base_table: { table: t }, metrics: [{ name: x, expr: SUM(x) }] }]',
    );
    expect(own.models[0]?.metrics[0]?.definition).toMatchObject({ kind: 'aggregate' });
  });

  it('reads joins over several columns, queries and instructions', () => {
    expect(model?.relationships).toMatchObject([
      { from: 'sales', to: 'shops', fromColumns: ['shop_country', 'shop'], toColumns: ['country', 'shop_no'] },
    ]);
    expect(knowledge.verifiedQueries).toMatchObject([
      {
        id: 'best-days',
        sql: 'SELECT sold_at, SUM(sales.amount) FROM sales JOIN shops ON TRUE GROUP BY 1',
        names: 'logical',
        dialect: 'snowflake',
        verifiedAt: '2024-05-03T16:08:18.000Z',
        verifiedBy: 'renee',
        isOnboarding: true,
      },
    ]);
    expect(knowledge.texts.map(({ id, text }) => [id, text])).toEqual([
      ['bakery-instructions', 'Round money to cents.'],
      ['bakery-question-categorization', 'Refuse questions about wages.'],
    ]);
  });

  it('joins by the column of a dimension that has another name', () => {
    const view = BAKERY.replace('expr: receipt_no', 'expr: shop_key').replace(
      'left_column: shop,',
      'left_column: receipt,',
    );
    expect(read(view).knowledge.models[0]?.relationships[0]?.fromColumns).toEqual(['shop_country', 'shop_key']);
  });

  it('turns a join from one to many around, and leaves out one that repeats rows', () => {
    const turned = read(BAKERY.replace('many_to_one', 'one_to_many')).knowledge.models[0]?.relationships[0];
    expect(turned).toMatchObject({ from: 'shops', toColumns: ['shop_country', 'shop'] });
    const many = read(BAKERY.replace('many_to_one', 'many_to_many'));
    expect(many.knowledge.models[0]?.relationships).toEqual([]);
    expect(many.lost.map(({ what }) => what)).toContain('relationship sale_shop');
  });

  it('lists keys inside of parts that it does not read', () => {
    const view = BAKERY.replace("expr: channel = 'web' }", "expr: channel = 'web', labels: [x] }")
      .replace('sort_direction: descending', 'sort_direction: descending, null_order: first')
      .replace('table: SALES', 'table: SALES, alias: s');
    const more = read(view).lost.filter(({ what }) => !lost.some((one) => one.what === what));
    expect(more.map(({ what }) => what)).toEqual([
      'metric open_orders: non_additive_dimensions: null_order',
      'dataset sales: alias',
      'filter online: labels',
    ]);
  });

  it('lists what it leaves out, with its line', () => {
    expect(lost.map(({ what, place }) => `${place.line} ${what}`).sort()).toEqual([
      `${lineOf('cortex_search_service')} field sales.receipt: cortex_search_service`,
      `${lineOf('name: revenue, expr: SUM(rent_income)')} metric revenue`,
      `${lineOf('join_type')} relationship sale_shop: join_type inner`,
      `${lineOf('custom_instructions: never')} model bakery: custom_instructions`,
    ]);
  });

  it.each([
    ['a window function', 'SUM(x) OVER (PARTITION BY y)', /Window functions/],
    ['aggregates beside metrics', 'revenue / COUNT(*)', /mixes/],
  ])('leaves out a metric with %s', (_, expr, reason) => {
    const own = read(BAKERY.replace('expr: revenue / receipts', `expr: "${expr}"`));
    expect(own.knowledge.models[0]?.metrics.map(({ name }) => name)).not.toContain('per_receipt');
    expect(own.lost).toContainEqual(
      expect.objectContaining({ what: 'metric per_receipt', reason: expect.stringMatching(reason) }),
    );
  });

  it.each([
    ['a missing key', 'expr: channel\n', 'exprr: channel\n', /`sales\.channel`: `expr` is missing\. Is it `exprr`\?/],
    ['a table that is not there', 'left_table: sales', 'left_table: sale', /no table `sale`\. Did you mean `sales`\?/],
    ['a name that stands twice', 'name: receipts, ', 'name: Revenue, ', /`Revenue` stands twice/],
    ['a word that it does not know', 'many_to_one', 'many_to_on', /many_to_many\. Did you mean `many_to_one`/],
  ])('refuses %s', (_, from, to, message) => {
    expect(thrown(BAKERY.replace(from, to))).toMatchObject({
      code: 'KNOWLEDGE_INVALID',
      message: expect.stringMatching(message),
      details: { file: 'view.yaml', line: expect.any(Number) },
    });
  });
});

describe('exportSnowflake', () => {
  it('writes what it has read', () => {
    const first = read(BAKERY);
    const exported = exportSnowflake(whole(first));
    expect(exported.lost).toEqual([]);
    const again = importSnowflake(exported.files);
    expect(withoutPlaces(again.knowledge)).toEqual(withoutPlaces(first.knowledge));
    expect(again.lost.map(({ what }) => what)).toEqual(['field sales.receipt: cortex_search_service']);
    expect(exported.files[0]?.text).toContain('FROM __sales JOIN __shops');
  });

  it('writes filters into aggregates, ratios as divisions, and leaves out what would mean something else', () => {
    const { knowledge } = read(BAKERY);
    const [model] = knowledge.models;
    if (model === undefined) throw new Error('no model');
    const metric = (name: string, definition: Metric['definition']): Metric => ({
      name,
      definition,
      extensions: [],
      standing: model.standing,
    });
    const sum = (filter: string, expression = 'SUM(amount) + COUNT(*)') =>
      ({ kind: 'aggregate', dataset: 'sales', expressions: [{ dialect: 'ANSI_SQL', expression }], filter }) as const;
    const input = (name: string) => ({ metric: name });
    const exported = exportSnowflake({
      ...whole(read(BAKERY)),
      models: [
        {
          ...model,
          metrics: [
            metric('web', sum("channel = 'web'")),
            metric('median', sum("channel = 'web'", 'PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY amount)')),
            metric('share', { kind: 'ratio', numerator: input('web'), denominator: input('web') }),
            metric('growth', {
              kind: 'derived',
              expression: 'web - before',
              inputs: [input('web'), { metric: 'web', alias: 'before', offset: { count: 1, unit: 'month' } }],
            }),
            metric('running', { kind: 'cumulative', input: input('web') }),
            metric('of_running', { kind: 'ratio', numerator: input('web'), denominator: input('running') }),
          ],
        },
      ],
    });
    const written = parse(exported.files[0]?.text ?? '') as {
      tables: { metrics: { expr: string }[] }[];
      metrics: { expr: string }[];
    };
    expect(written.tables[0]?.metrics.map(({ expr }) => expr)).toEqual([
      "SUM(CASE WHEN (channel = 'web') THEN amount END) + COUNT(CASE WHEN (channel = 'web') THEN 1 END)",
    ]);
    expect(written.metrics.map(({ expr }) => expr)).toEqual(['sales.web / NULLIF(sales.web, 0)']);
    expect(exported.lost.map(({ what }) => what)).toEqual([
      'metric median',
      'metric growth',
      'metric running',
      'metric of_running',
    ]);
  });
});

describe('the files of semantic-model-generator', () => {
  const names = hasFiles ? readdirSync(SNOWFLAKE).filter((name) => name.endsWith('.yaml')) : [];
  const textOf = (name: string) => readFileSync(`${SNOWFLAKE}/${name}`, 'utf8');

  it.skipIf(!hasFiles)('reads the valid ones, and writes them again', () => {
    for (const name of names.filter((one) => one.startsWith('valid'))) {
      const first = read(textOf(name));
      const exported = exportSnowflake(whole(first));
      expect(exported.lost).toEqual([]);
      expect(withoutPlaces(importSnowflake(exported.files).knowledge)).toEqual(withoutPlaces(first.knowledge));
    }
  });

  it.skipIf(!hasFiles)('says what is wrong with the others, and where', () => {
    const messages = names
      .filter((one) => one.startsWith('invalid'))
      .map((name) => [name, String(thrown(textOf(name)))]);
    expect(messages).toMatchInlineSnapshot(`
      [
        [
          "invalid-data-type.yaml",
          "AskemaError: view.yaml:23 \`ALIAS.ZIP_CODE\`: \`data_type\` is 'OBJECT': columns of this type cannot stand in a semantic view.",
        ],
        [
          "invalid-duplicate-verified-queries.yaml",
          "AskemaError: view.yaml:26 \`daily cumulative expenses in 2023 dec\`: the name \`daily cumulative expenses in 2023 dec\` stands twice. Rename or remove one.",
        ],
        [
          "invalid-unmatched-quote.yaml",
          "AskemaError: view.yaml:32 \`AREA_CODE.ZIP_CODE"\`: \`name\` is 'ZIP_CODE"': a quote is opened and not closed.",
        ],
        [
          "invalid-uppercase-aggregation.yaml",
          "AskemaError: view.yaml:26 \`ALIAS.ZIP_CODE\`: \`default_aggregation\` is 'AVG'; it is one of sum, avg, median, min, max, count, count_distinct. Did you mean \`avg\`?",
        ],
      ]
    `);
  });

  it.skipIf(!hasFiles)('reads the view that a converter made of TPC-DS without a loss', () => {
    const file = `${DATA}/knowledge/ossie/pairs/snowflake/tpcds_from_ossie.yaml`;
    const first = importSnowflake([{ path: 'tpcds.yaml', text: readFileSync(file, 'utf8') }]);
    expect(first.lost).toEqual([]);
    expect(first.knowledge.models[0]?.datasets.map((one) => one.fields.length)).toEqual([8, 5, 6, 6, 6]);
    expect(first.knowledge.models[0]?.relationships).toHaveLength(4);
    expect(first.knowledge.models[0]?.metrics.every(({ definition }) => definition.kind === 'aggregate')).toBe(true);
    const exported = exportSnowflake(whole(first));
    expect(exported.lost).toEqual([]);
    expect(withoutPlaces(importSnowflake(exported.files).knowledge)).toEqual(withoutPlaces(first.knowledge));
  });
});

function lineOf(part: string): number {
  return BAKERY.slice(0, BAKERY.indexOf(part)).split('\n').length;
}

/** Lines differ, metrics of other metrics move to the view, and `undefined` is what is not there. */
function withoutPlaces(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, inner: unknown) => {
      if (key === 'place') return undefined;
      return key === 'metrics' ? [...(inner as Metric[])].sort((a, b) => (a.name < b.name ? -1 : 1)) : inner;
    }),
  );
}
