import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { importDbt } from '../formats/dbt/import/import-dbt.ts';
import { readOssie } from '../formats/ossie/read-ossie.ts';
import type { Knowledge } from '../model/knowledge.ts';
import type { KnowledgeCheck } from './knowledge-check.ts';
import { checkSqlite } from './test-support/check-sqlite.ts';

const DATA = `${process.env.ASKEMA_DATA ?? fileURLToPath(new URL('../../../../../shared/data', import.meta.url))}/knowledge`;
const JAFFLE = { file: `${DATA}/jaffle-shop/jaffle_shop.sqlite` };
const hasData = existsSync(DATA);
// biome-ignore lint/suspicious/noConsole: a test that does not read its data says so.
if (!hasData) console.warn(`NOT READ: ${DATA} is not there. Set ASKEMA_DATA to the folder that holds it.`);

function loaded(path: string): Knowledge {
  const { models, problems } = readOssie(readFileSync(`${DATA}/${path}`, 'utf8'), path);
  return { schemaVersion: 1, settings: {}, models, problems, verifiedQueries: [], texts: [] };
}

/** `11 field:a.x code`: the line, the entry, the code. */
function places({ findings }: KnowledgeCheck): readonly string[] {
  return findings.map(({ place, entry, code }) => `${place.line} ${entry} ${code}`);
}

describe.skipIf(!hasData)('a file that passes the official validator', () => {
  const path = 'ossie/made-here/passes-official-validator.yaml';

  it('has all defects that its form shows, and sources that are not there', async () => {
    const found = places(await checkSqlite(loaded(path), JAFFLE));
    // A field stands at the line of its dataset.
    expect(found.toSorted()).toEqual([
      '10 dataset:a unknown-source',
      '10 field:a.x aggregate-in-field',
      '16 field:a.x extension-json',
      '17 dataset:b unknown-source',
      '20 relationship:r depends-on-broken',
      '20 relationship:r depends-on-broken',
      '20 relationship:r join-columns',
      '22 metric:m1 expression-invalid',
      '22 metric:m1 unknown-dataset',
      '23 metric:m1 dialect-twice',
      '24 metric:x no-aggregate',
      '24 metric:x unknown-dataset',
    ]);
  });

  it('has columns that are not there, where its tables are', async () => {
    const script = 'CREATE TABLE nonsense (x INTEGER, y INTEGER); CREATE TABLE b (id INTEGER);';
    const check = await checkSqlite(loaded(path), { script });
    const messages = check.findings.map(({ entry, code, message }) => `${entry} ${code} ${message}`).join('\n');
    expect(messages).toMatch(/dataset:a unknown-column .*primary key.*`no_such`/);
    expect(messages).toMatch(/field:a\.x unknown-column .*`no_such_column`/);
    expect(messages).toMatch(/relationship:r unknown-column .*`z`/);
    expect(messages).not.toContain('unknown-source');
  });

  it('leaves nothing of it to be used', async () => {
    const { entries } = await checkSqlite(loaded(path), JAFFLE);
    expect(entries.filter(({ state }) => state === 'accepted').map(({ id }) => id)).toEqual(['model:m']);
  });
});

describe.skipIf(!hasData)('what the official converter makes of jaffle-shop', () => {
  const path = 'jaffle-shop/ossie-by-official-converter.yaml';
  const check = () => checkSqlite(loaded(path), JAFFLE);

  it.each([
    ['revenue_growth_mom', 'constant-part', /offset was lost/],
    ['cumulative_revenue', 'same-expression', /`revenue`.*running/],
    ['orders', 'no-dataset', /which dataset's rows/],
    ['food_revenue', 'ambiguous-name', /`order_item\.is_food_item` or `products\.is_food_item`/],
    ['drink_revenue', 'ambiguous-name', /`order_item\.is_drink_item` or `products\.is_drink_item`/],
    ['new_customer_orders', 'unknown-field', /as dbt writes it.*`orders\.customer_order_number`/],
    ['large_orders', 'unknown-field', /`orders\.order_total_dim`/],
    ['food_orders', 'unknown-field', /`orders\.is_food_order`/],
    ['drink_orders', 'unknown-field', /`orders\.is_drink_order`/],
  ])('is wrong about %s: %s', async (name, code, text) => {
    const { findings } = await check();
    const finding = findings.find((one) => one.entry === `metric:${name}` && one.code === code);
    expect(`${finding?.message} ${finding?.advice}`).toMatch(text);
  });

  it.each([
    ['average_order_value', 'integer-division'],
    ['food_revenue_pct', 'integer-division'],
    ['drink_revenue_pct', 'integer-division'],
    ['median_revenue', 'written-otherwise'],
  ])('has in %s what SQLite computes otherwise than it says: %s', async (name, code) => {
    expect((await check()).findings.filter(({ entry }) => entry === `metric:${name}`).map((one) => one.code)).toContain(
      code,
    );
  });

  it('lets the others be used', async () => {
    const { entries } = await check();
    const failed = entries.filter(({ state }) => state === 'failed').map(({ id }) => id);
    const right = [
      'revenue',
      'order_cost',
      'order_total',
      'lifetime_spend_pretax',
      'count_lifetime_orders',
      'order_gross_profit',
    ];
    for (const name of right) expect(failed).not.toContain(`metric:${name}`);
  });
});

it.skipIf(!hasData)('finds nothing that fails in jaffle-shop as our importer reads it', async () => {
  const names = readdirSync(`${DATA}/jaffle-shop/dbt`).filter((name) => name.endsWith('.yml'));
  const files = names.map((path) => ({ path, text: readFileSync(`${DATA}/jaffle-shop/dbt/${path}`, 'utf8') }));
  const { knowledge } = importDbt(files);
  const check = await checkSqlite({ schemaVersion: 1, problems: [], ...knowledge }, JAFFLE);
  expect(check.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(check.entries.filter(({ id }) => id.startsWith('metric:')).length).toBeGreaterThanOrEqual(19);
  expect(check.statements).toBeGreaterThan(100);
});
