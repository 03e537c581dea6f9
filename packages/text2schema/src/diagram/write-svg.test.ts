import { attributeId, type DataType, foreignKeyId, relationId, type Schema } from '@askema/core';
import * as fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { describe, expect, it, vi } from 'vitest';
import { anyCharacter } from '../../../../scripts/testing/any-character.ts';
import { textWidth } from './diagram-table.ts';
import { writeSvg } from './write-svg.ts';

vi.setConfig({ testTimeout: 60_000 });

interface Table {
  readonly name: string;
  readonly columns: readonly (readonly [name: string, type: DataType])[];
  readonly key?: readonly string[];
  readonly notNull?: readonly string[];
  readonly refers?: readonly (readonly [column: string, target: string, to: string])[];
}

function schemaOf(tables: readonly Table[]): Schema {
  return {
    relations: tables.map(({ name }) => ({ id: relationId([name]), name })),
    attributes: tables.flatMap(({ name: table, columns }) => {
      const relation = relationId([table]);
      return columns.map(([name, type]) => ({ id: attributeId(relation, name), relation, name, type }));
    }),
    primaryKeys: tables.flatMap(({ name, key }) => {
      const relation = relationId([name]);
      return key === undefined ? [] : [{ relation, attributes: key.map((column) => attributeId(relation, column)) }];
    }),
    foreignKeys: tables.flatMap(({ name, refers = [] }) =>
      refers.map(([column, other, to]) => {
        const [relation, target] = [relationId([name]), relationId([other])];
        const pairs = [{ from: attributeId(relation, column), to: attributeId(target, to) }];
        return { id: foreignKeyId(relation, target, pairs), relation, target, pairs };
      }),
    ),
    domainConstraints: tables.flatMap(({ name, notNull = [] }) =>
      notNull.map((column) => ({
        attribute: attributeId(relationId([name]), column),
        constraint: 'not null' as const,
      })),
    ),
  };
}

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  text: string;
}

/** A strict XML parser: what is not well-formed throws. */
function parseXml(text: string): Element {
  const parser = new SaxesParser();
  const root: Element = { name: '', attributes: {}, children: [], text: '' };
  const open = [root];
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const element: Element = { name, attributes, children: [], text: '' };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on('text', (content) => {
    const top = open.at(-1);
    if (top !== undefined) top.text += content;
  });
  parser.on('closetag', () => open.pop());
  parser.write(text).close();
  const [svg] = root.children;
  if (svg === undefined) throw new Error('There is no element.');
  return svg;
}

function all(element: Element, name: string): Element[] {
  return [...(element.name === name ? [element] : []), ...element.children.flatMap((child) => all(child, name))];
}

/** The titles of the groups of a class, in the order of their ids. */
function titles(svg: Element, kind: string): string[] {
  return all(svg, 'g')
    .filter(({ attributes }) => attributes.class === kind)
    .sort((a, b) => Number(a.attributes.id?.match(/\d+/)?.[0]) - Number(b.attributes.id?.match(/\d+/)?.[0]))
    .map(({ children }) => children.find(({ name }) => name === 'title')?.text ?? '');
}

const SHOP = schemaOf([
  {
    name: '客户',
    columns: [
      ['编号', 'NUMERIC'],
      ['一个非常长的中文列名称用来测试单元格的宽度', 'TEXT'],
    ],
    key: ['编号'],
  },
  {
    name: 'order <&> "line"',
    columns: [
      ['order', 'NUMERIC'],
      ["it's", 'TEXT'],
      ['boss', 'NUMERIC'],
      ['W'.repeat(40), 'TEXT'],
    ],
    key: ['order'],
    notNull: ["it's"],
    refers: [
      ['order', '客户', '编号'],
      ['boss', 'order <&> "line"', 'order'],
    ],
  },
]);

describe('writeSvg', () => {
  it('draws every table, column and foreign key, with their names as titles', async () => {
    const svg = parseXml(await writeSvg(SHOP, { title: 'A & B' }));
    expect(svg.attributes).toMatchObject({
      'font-family': 'monospace',
      role: 'img',
      'aria-labelledby': 'diagram-title diagram-desc',
    });
    expect(svg.children.slice(0, 2).map(({ name, text }) => [name, text])).toEqual([
      ['title', 'A & B'],
      [
        'desc',
        'Tables: 客户, order <&> "line". order <&> "line" (order) refers to 客户 (编号). order <&> "line" (boss) refers to order <&> "line" (order).',
      ],
    ]);
    expect(titles(svg, 'node')).toEqual(['客户', 'order <&> "line"']);
    expect(titles(svg, 'edge')).toEqual([
      'order <&> "line" (order) refers to 客户 (编号)',
      'order <&> "line" (boss) refers to order <&> "line" (order)',
    ]);
    const words = all(svg, 'text').map(({ text }) => text.trim());
    for (const word of ['PK', 'PK FK', 'FK', "it's", 'NUMERIC', 'TEXT?', 'TEXT']) expect(words).toContain(word);
  });

  it('gives every text the room that it needs, in Chinese too', async () => {
    const svg = parseXml(await writeSvg(SHOP));
    const tables = all(svg, 'g').filter(({ attributes }) => attributes.class === 'node');
    for (const table of tables) {
      const xs = all(table, 'polygon').flatMap(({ attributes }) =>
        (attributes.points ?? '').split(' ').map((point) => Number(point.split(',')[0])),
      );
      // Names begin at the same place, wide letters or not.
      const [, second, third] = all(table, 'text').filter(({ text }) => /^(?:order|it's|W+)$/.test(text));
      if (third !== undefined) expect(third.attributes.x).toBe(second?.attributes.x);
      const texts = all(table, 'text').map(({ attributes, text }) => ({
        from: Number(attributes.x),
        to: Number(attributes.x) + textWidth(text, 12),
        y: attributes.y,
      }));
      for (const each of texts) {
        expect(each.to).toBeLessThanOrEqual(Math.max(...xs));
        const next = texts.filter(({ y, from }) => y === each.y && from > each.from).sort((a, b) => a.from - b.from)[0];
        if (next !== undefined) expect(each.to).toBeLessThanOrEqual(next.from);
      }
    }
    expect(textWidth('中文', 10)).toBe(21);
    expect(textWidth('ab', 10)).toBe(13);
  });

  it('is well-formed and has every name, whatever the names', async () => {
    const name = fc.oneof(
      fc.constantFrom(
        '<',
        '&amp;',
        ']]>',
        '-->',
        '"',
        "'",
        '\u0000',
        '\u001b[2J',
        'a\nb',
        '\u202e',
        '\ud800',
        '\uffff',
        ' ',
        '\u00a0',
        '名',
        '<B>x</B>',
        '%',
        '\\N',
        '{a|b}',
      ),
      fc.string({ unit: anyCharacter, minLength: 1, maxLength: 6 }),
    );
    const names = fc.uniqueArray(name, { minLength: 1, maxLength: 4, selector: (text) => text.toLowerCase() });
    await fc.assert(
      fc.asyncProperty(names, names, async (tables, columns) => {
        const [first = 'x'] = columns;
        const schema = schemaOf(
          tables.map((table) => ({
            name: table,
            columns: columns.map((column) => [column, 'TEXT'] as const),
            key: [first],
            refers: [[first, tables[0] ?? 'x', first] as const],
          })),
        );
        const svg = parseXml(await writeSvg(schema));
        expect(titles(svg, 'node')).toHaveLength(schema.relations.length);
        expect(titles(svg, 'edge')).toHaveLength(schema.foreignKeys.length);
        expect(all(svg, 'script')).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  it('is the same text for the same schema, laid out to the right or down', async () => {
    const right = await writeSvg(SHOP);
    expect(await writeSvg(structuredClone(SHOP))).toBe(right);
    expect(await writeSvg(SHOP, { direction: 'down' })).not.toBe(right);
  });

  it('draws nothing for an empty schema, and no line to what is not there', async () => {
    const empty = parseXml(await writeSvg(schemaOf([])));
    expect(empty.children.map(({ text }) => text).slice(0, 2)).toEqual(['0 tables and 0 foreign keys', 'No tables.']);
    const svg = parseXml(
      await writeSvg(schemaOf([{ name: 'a', columns: [['x', 'TEXT']], refers: [['x', 'gone', 'y']] }])),
    );
    expect(titles(svg, 'edge')).toEqual([]);
    expect(all(svg, 'text').map(({ text }) => text.trim())).toContain('FK');
  });

  it('lays out 300 tables in time, and a chain of 500', async () => {
    const tables = (count: number, target: (index: number) => number): Table[] =>
      Array.from({ length: count }, (_, index) => ({
        name: `table_${index}`,
        columns: [
          ['id', 'NUMERIC'] as const,
          ['parent', 'NUMERIC'] as const,
          ...Array.from({ length: 8 }, (__, column) => [`column_${column}`, 'TEXT'] as const),
        ],
        key: ['id'],
        refers: index === 0 ? [] : [['parent', `table_${target(index)}`, 'id'] as const],
      }));
    const schema = schemaOf(tables(300, (index) => Math.floor(index / 3)));
    const started = process.cpuUsage();
    expect(titles(parseXml(await writeSvg(schema)), 'node')).toHaveLength(300);
    const { user, system } = process.cpuUsage(started);
    // Alone it takes a third of a second; other tests share the processor and the compiler.
    expect((user + system) / 1_000_000).toBeLessThan(5);
    const chain = schemaOf(tables(500, (index) => index - 1));
    expect(titles(parseXml(await writeSvg(chain)), 'node')).toHaveLength(500);
  });
});
