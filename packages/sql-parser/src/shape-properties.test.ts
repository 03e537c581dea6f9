import { snowflakeDialect } from '@askema/dialects';
import fc from 'fast-check';
import { afterAll, expect, test, vi } from 'vitest';
import { propertyRuns } from '../../../scripts/testing/property-runs.ts';
import { sqlparserTs } from './index.ts';
import { measureComplexity } from './source/complexity.ts';
import { scanTokens } from './source/scan-tokens.ts';
import { makeTokenTable } from './source/token-table.ts';
import { makePositions } from './sqlparser-ts/convert-name.ts';
import { dotted, misplaced, slice } from './test-support/slice.ts';

vi.setConfig({ testTimeout: 120_000 });

const parser = sqlparserTs({ timeoutMs: 60_000 });
afterAll(() => parser.close());

const word = fc.integer({ min: 0, max: 99 }).map((number) => `c${number}`);
const quoted = fc
  .string({ unit: fc.constantFrom('a', 'é', '😀', ' ', '.', '""', ',', '(', "'"), minLength: 1, maxLength: 5 })
  .map((text) => `"${text}"`);
const name = fc.oneof(word, quoted);
const gap = fc.constantFrom(' ', '\n', '\t', '\r\n', ' /* x, "y" */ ', ' -- FROM z\n');
const literal = fc.constantFrom('1', "'😀 AND x'", "'it''s'", '-2.5', 'NULL', "'--'");

interface Piece {
  readonly sql: string;
  readonly columns: readonly string[];
}
const column: fc.Arbitrary<Piece> = fc
  .tuple(fc.option(fc.constantFrom('t0', '"T 1"'), { nil: undefined }), name)
  .map(([qualifier, text]) => (qualifier === undefined ? text : `${qualifier}.${text}`))
  .map((sql) => ({ sql, columns: [sql] }));
const value: fc.Arbitrary<Piece> = fc.oneof(
  column,
  literal.map((sql) => ({ sql, columns: [] })),
  column.map(({ sql, columns }) => ({ sql: `COALESCE(${sql}, 0)`, columns })),
  fc.tuple(column, column).map(([a, b]) => ({
    sql: `CASE WHEN ${a.sql} = 1 THEN ${b.sql} ELSE 'x' END`,
    columns: [...a.columns, ...b.columns],
  })),
);
const comparison: fc.Arbitrary<Piece> = fc
  .tuple(value, fc.constantFrom('=', '<>', '>=', 'LIKE'), value)
  .map(([a, operator, b]) => ({ sql: `${a.sql} ${operator} ${b.sql}`, columns: [...a.columns, ...b.columns] }));
const condition: fc.Arbitrary<Piece & { readonly filters: number }> = fc
  .array(fc.tuple(comparison, fc.constantFrom('AND', 'OR'), fc.boolean()), { minLength: 1, maxLength: 5 })
  .map((parts) => ({
    sql: parts
      .map(([{ sql }, operator, not], index) => `${index === 0 ? '' : ` ${operator} `}${not ? `NOT (${sql})` : sql}`)
      .join(''),
    columns: parts.flatMap(([{ columns }]) => columns),
    filters: parts.length,
  }));

test('a generated query has exactly the relations, columns and filters that were generated, each where its span says', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(value, { minLength: 1, maxLength: 4 }),
      fc.array(fc.tuple(name, name), { maxLength: 3 }),
      condition,
      gap,
      async (items, joins, where, space) => {
        const relations = ['db.t0', ...joins.map(([table]) => table)];
        const sql = [
          `SELECT${space}${items.map((item) => item.sql).join(`${space},`)}`,
          `FROM${space}db.t0`,
          ...joins.map(
            ([table, key], index) => `JOIN ${table}${space}AS "j${index}" ON "j${index}".${key} = t0.${key}`,
          ),
          `WHERE${space}${where.sql}`,
        ].join(space);
        const result = await parser.parse(sql, snowflakeDialect);
        if (!result.ok) throw new Error(`${result.reason}\n${sql}`);
        const [block] = result.shape.blocks;
        if (block === undefined) throw new Error('no block');
        const wanted = [
          ...items.flatMap((item) => item.columns),
          ...joins.flatMap(([, key], index) => [`"j${index}".${key}`, `t0.${key}`]),
          ...where.columns,
        ];
        expect(block.columns.map(({ span }) => slice(sql, span))).toEqual(wanted);
        expect(block.relations.map(({ span }) => slice(sql, span))).toEqual(relations);
        expect(block.relations.slice(1).map(({ alias }) => alias?.text)).toEqual(joins.map((_, index) => `j${index}`));
        expect(block.filters.filter(({ clause }) => clause === 'where')).toHaveLength(where.filters);
        expect(block.items.map(({ expression }) => slice(sql, expression))).toEqual(items.map((item) => item.sql));
        for (const [index, join] of block.joins.entries()) {
          const [pair] = join.pairs;
          expect(slice(sql, pair?.span)).toBe(`"j${index}".${joins[index]?.[1]} = t0.${joins[index]?.[1]}`);
        }
      },
    ),
    { numRuns: propertyRuns(80) },
  );
});

test('lines and columns become offsets, whatever the characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', '\n', '\r', '\t', 'é', '😀', '中') }), (text) => {
      const positions = makePositions(text);
      let line = 1;
      let columnNumber = 1;
      let offset = 0;
      for (const character of text) {
        expect(positions.offsetOf(line, columnNumber)).toBe(offset);
        offset += character.length;
        if (character === '\n') {
          line++;
          columnNumber = 1;
        } else columnNumber++;
      }
    }),
  );
});

test('operators count where they hang on each other, not where commas part them', () => {
  const chained = (sql: string): number => {
    const table = makeTokenTable(sql, scanTokens(sql, snowflakeDialect.lexer));
    return measureComplexity(table, { from: 0, to: table.tokens.length }).chained;
  };
  expect(chained(`SELECT ${Array(500).fill('a + 1').join(', ')} FROM t`)).toBeLessThan(5);
  expect(chained(`SELECT ${Array(500).fill('a').join(' + ')} FROM t`)).toBeGreaterThanOrEqual(499);
  expect(
    chained(`SELECT f(${Array(100).fill('a').join(' + ')}) * f(${Array(100).fill('a').join(' + ')})`),
  ).toBeLessThan(110);
  expect(chained(`SELECT (${Array(100).fill('a').join(' + ')}) ${'+ b '.repeat(100)}`)).toBeGreaterThanOrEqual(199);
});

test('names hold the words of their spans', async () => {
  const sql = 'WITH "ä😀" AS (SELECT 1 AS "x y") SELECT "ä😀"."x y" FROM "ä😀" ORDER BY "x y"';
  const result = await parser.parse(sql, snowflakeDialect);
  if (!result.ok) throw new Error(result.reason);
  expect(misplaced(sql, result.shape)).toEqual([]);
  expect(result.shape.blocks[0]?.relations.map(({ name: parts, block }) => [dotted(parts), block])).toEqual([
    ['ä😀', 1],
  ]);
  expect(result.shape.blocks[0]?.columns[0]?.relation).toEqual({ block: 0, relation: 0 });
});
