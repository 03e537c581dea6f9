import { describe, expect, it } from 'vitest';
import { readOssie } from './read-ossie.ts';
import { writeOssie } from './write-ossie.ts';

const HEAD = 'version: 0.2.0.dev0\nname: shop\ndatasets:\n  - name: orders\n    source: main.orders\n';
const expression = (sql: string): string => `expression: { dialects: [{ dialect: ANSI_SQL, expression: "${sql}" }] }`;
const metric = (name: string, sql: string, ours?: object): string =>
  `  - name: ${name}\n    ${expression(sql)}\n${ours === undefined ? '' : `    custom_extensions: [{ vendor_name: ASKEMA, data: '${JSON.stringify(ours)}' }]\n`}`;

const problemsOf = (text: string): readonly (string | number | undefined)[][] =>
  readOssie(text, 'm.yaml').problems.map(({ severity, code, entry, place }) => [severity, code, entry, place.line]);

describe('readOssie', () => {
  it.each([
    ['a key that is no key of Ossie', `${HEAD}    primarykey: [id]\n`, ['warning', 'unknown-key', 'dataset:orders', 6]],
    ['a text for a list', `${HEAD}    primary_key: id\n`, ['warning', 'wrong-type', 'dataset:orders', 6]],
    ['keys that may be one or two', `${HEAD}    unique_keys: [id]\n`, ['warning', 'wrong-type', 'dataset:orders', 6]],
    ['a number as name', HEAD.replace('name: orders', 'name: 2024'), ['warning', 'wrong-type', undefined, 4]],
    ['a dataset without a source', `${HEAD}  - name: visits\n`, ['error', 'missing-part', 'dataset:visits', 6]],
    [
      'a name that stands twice',
      `${HEAD}  - name: ORDERS\n    source: b\n`,
      ['error', 'duplicate-name', 'dataset:orders', 6],
    ],
    [
      'a dialect that nobody knows',
      `${HEAD}metrics:\n  - name: m\n    expression: { dialects: [{ dialect: ANSI, expression: COUNT(*) }] }\n`,
      ['warning', 'unknown-dialect', 'metric:m', 8],
    ],
    [
      'a ratio without its parts',
      `${HEAD}metrics:\n${metric('m', 'NULL', { type: 'ratio' })}`,
      ['error', 'missing-part', 'metric:m', 7],
    ],
    [
      'an extension with a wrong value',
      `${HEAD}metrics:\n${metric('m', 'COUNT(*)', { empty: 0 })}`,
      ['error', 'extension-invalid', 'metric:m', 9],
    ],
    [
      'an extension with a wrong key',
      `${HEAD}metrics:\n${metric('m', 'COUNT(*)', { units: 'USD' })}`,
      ['warning', 'unknown-key', 'metric:m', 9],
    ],
  ])('reports %s', (_, text, problem) => {
    expect(problemsOf(text)).toEqual([problem]);
  });

  it('names the nearest key', () => {
    const [problem] = readOssie(`${HEAD}    primarykey: [id]\n`, 'm.yaml').problems;
    expect(problem?.message).toContain('Did you mean `primary_key`?');
  });

  it.each([
    [
      'version: "1.0"\nname: a\ndatasets: []',
      /^m\.yaml:1 names version 1\.0, which is not known\. Read are 0\.1\.0, 0\.1\.1/,
    ],
    ['name: a\ndatasets: []', /^m\.yaml:1 names no version/],
    ['version: 0.1.1\nsemantic_models: []', /Did you mean `semantic_model`\?/],
    ['- a', /is no Ossie model/],
    ['version: 0.1.1\nsemantic_model:\n  - name: a\n  - name: b', /^m\.yaml:4 has 2 models: a, b\./],
  ])('refuses %j', (text, message) => {
    expect(() => readOssie(text, 'm.yaml')).toThrow(message);
  });

  it('reads the model that is asked for', () => {
    const text = 'version: 0.1.1\nsemantic_model:\n  - { name: a, datasets: [] }\n  - { name: b, datasets: [] }';
    expect(readOssie(text, 'm.yaml', 'file', { model: 'B' }).models.map(({ name }) => name)).toEqual(['b']);
    expect(() => readOssie(text, 'm.yaml', 'file', { model: 'c' })).toThrow(/has no model c, but a, b/);
  });

  it('reads our extension below COMMON, and keeps what else stands there', () => {
    const data = JSON.stringify({ askema: { grain: 'one order' }, other: [1] });
    const text = `version: 0.1.1\nsemantic_model:\n  - name: a\n    datasets:\n      - name: o\n        source: o\n        custom_extensions: [{ vendor_name: COMMON, data: '${data}' }, { vendor_name: ASKEMA, data: '{}' }]\n`;
    const { models, problems } = readOssie(text, 'm.yaml');
    expect(models[0]?.datasets[0]).toMatchObject({
      grain: 'one order',
      extensions: [{ vendor: 'COMMON', data: '{"other":[1]}' }],
    });
    expect(problems.map(({ code }) => code)).toEqual(['unknown-vendor', 'duplicate-extension']);
  });
});

describe('writeOssie', () => {
  const { models } = readOssie(
    `${HEAD}metrics:\n${metric('revenue', 'SUM(orders.amount)')}${metric('orders', 'COUNT(orders.id)')}` +
      metric('average', 'NULL', { type: 'ratio', numerator: 'revenue', denominator: 'orders' }) +
      metric('food', 'SUM(orders.amount)', { filter: 'orders.is_food' }) +
      metric('running', 'NULL', { type: 'cumulative', input: 'revenue' }),
    'm.yaml',
  );
  const [model] = models;
  if (model === undefined) throw new Error('There is no model.');
  const { files, lost } = writeOssie(model);

  it('writes for other tools what is right, and NULL where only our extension is', () => {
    const plain = [...(files[0]?.text ?? '').matchAll(/^ {10}expression: (.*)$/gm)].map(([, sql]) => sql);
    expect(plain).toEqual([
      'SUM(orders.amount)',
      'COUNT(orders.id)',
      '(SUM(orders.amount)) * 1.0 / NULLIF((COUNT(orders.id)), 0)',
      '"NULL"',
      '"NULL"',
    ]);
    expect(lost.map(({ what }) => what)).toEqual(['metric food: expression', 'metric running: expression']);
  });
});
