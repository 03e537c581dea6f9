import type { LexerTraits } from '@askema/core';
import { backslashDialect, fixtureDialect } from '@askema/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../../../scripts/testing/any-character.ts';
import { lexSql } from './lex-sql.ts';
import { prefixQuery } from './prefix-query.ts';
import { readOnlyText } from './read-only-text.ts';
import { splitCtes } from './split-ctes.ts';
import { splitStatements } from './split-statements.ts';
import { statementKind } from './statement-kind.ts';
import { stripComments } from './strip-comments.ts';

/** Everything that a dialect can have, at once. */
const everything: LexerTraits = {
  ...fixtureDialect.lexer,
  lineComments: ['--', '#', '//'],
  blockComments: 'nested',
  stringQuotes: ["'''", "'"],
  dollarQuotes: true,
  dollarTags: true,
  identifierQuotes: [
    ['"', '"'],
    ['`', '`'],
    ['[', ']'],
  ],
  parameterPrefixes: ['?', ':', '@', '$'],
  stringPrefixes: [{ prefix: 'e', backslashEscapes: true }, { prefix: 'r' }],
  colonPaths: true,
  statements: { scripting: { declareOpensBlock: true }, chainOperator: '->>', effectFunctions: ['F', 'G*'] },
};
const TRAITS = [fixtureDialect.lexer, backslashDialect.lexer, everything];

const PIECES =
  "SELECT FROM WITH RECURSIVE a b AS ( ) , ; ' '' \" ` [ ] -- /* */ # // \n \r $$ $t$ {{ }} \x24{ } @{ : :: :p ?1 1.5e .5 0x e' r' ''' \\ BEGIN END CASE IF LOOP DECLARE CREATE FUNCTION EXPLAIN INTO NOT MATERIALIZED SEARCH CYCLE SET . |> ->> é \u00A0 \uFEFF \uD800 \0".split(
    ' ',
  );
const text = fc.oneof(
  fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }).map((parts) => parts.join(' ')),
  fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }).map((parts) => parts.join('')),
  fc.string({ unit: anyCharacter, maxLength: 60 }),
);

describe.each(TRAITS.map((traits, index) => ({ traits, index })))('any text, traits $index', ({ traits }) => {
  it('tokens, one behind the other, are the text', () => {
    fc.assert(
      fc.property(text, (sql) => {
        const tokens = lexSql(sql, traits);
        expect(tokens.map((token) => sql.slice(token.start, token.end)).join('')).toBe(sql);
        expect(tokens.map((token) => token.text).join('')).toBe(sql);
        for (const token of tokens) expect(token.end).toBeGreaterThan(token.start);
        expect(tokens.slice(0, -1).some(({ unterminated }) => unterminated === true)).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  it('nothing throws, spans slice the text, and what is returned is plain JSON', () => {
    fc.assert(
      fc.property(text, (sql) => {
        const split = splitCtes(sql, traits);
        expect(JSON.parse(JSON.stringify(split))).toMatchObject({ ctes: split.ctes.map(({ name }) => ({ name })) });
        const spans = [...splitStatements(sql, traits), split.final, split.statement];
        for (const { start, end } of spans) expect(0 <= start && start <= end && end <= sql.length).toBe(true);
        for (const { body, bodySpan, span, rawName } of split.ctes) {
          expect(sql.slice(bodySpan.start, bodySpan.end)).toBe(body);
          expect(sql.slice(span.start, span.end).startsWith(rawName)).toBe(true);
        }
        for (const index of split.ctes.keys()) prefixQuery(sql, split, index + 1, { traits });
        readOnlyText(sql, traits);
        statementKind(sql, traits);
        stripComments(sql, traits);
      }),
      { numRuns: 500 },
    );
  });
});

describe('generated statements come back as they were put together', () => {
  const name = fc.constantFrom('a', 'B', '"c d"', '"E""f"', 'order_1', 'größe');
  const blank = fc.constantFrom(' ', '\n', ' /* ) AS ( */ ', ' -- ) SELECT\n', '\t');
  const expression = fc.constantFrom(
    '1',
    "')'",
    '"("',
    '(2)',
    'CASE WHEN 1 THEN (2) END',
    "'it''s'",
    '/* ( */ 3',
    'COUNT(*)',
  );
  const simple = fc
    .tuple(expression, blank, name)
    .map(([value, space, from]) => `SELECT ${value}${space}FROM t.${from}`);
  const nested = fc.tuple(simple, simple).map(([one, other]) => `WITH x AS (${one}) ${other}`);
  const body = fc.oneof(
    simple,
    nested,
    simple.map((sql) => `(${sql})`),
    simple.map((sql) => `SELECT * FROM (${sql}) AS s`),
  );
  const cte = fc.record({
    name,
    body,
    space: blank,
    columns: fc.constantFrom('', '(x, "y")'),
    hint: fc.constantFrom('', 'MATERIALIZED ', 'NOT MATERIALIZED '),
  });
  const statement = fc.record({
    prelude: fc.array(fc.constantFrom("SET x = ';'", 'DECLARE y INT', 'SELECT 1'), { maxLength: 2 }),
    lead: fc.constantFrom('', 'INSERT INTO t (x) ', 'CREATE TABLE t AS ', 'EXPLAIN '),
    recursive: fc.boolean(),
    ctes: fc.array(cte, { minLength: 1, maxLength: 6 }),
    final: simple,
    end: fc.constantFrom('', ';', ' ; -- ;'),
  });

  it('names, bodies, what stands in front and behind', () => {
    fc.assert(
      fc.property(statement, blank, ({ prelude, lead, recursive, ctes, final, end }, space) => {
        const list = ctes
          .map((one) => `${one.name}${one.space}${one.columns} AS ${one.hint}(${one.body})`)
          .join(`,${space}`);
        const sql = `${prelude.map((one) => `${one};${space}`).join('')}${lead}WITH${space}${recursive ? 'RECURSIVE ' : ''}${list}${space}${final}${end}`;
        const split = splitCtes(sql, fixtureDialect.lexer);
        expect(split.ctes.map((one) => [one.rawName, one.body])).toEqual(ctes.map((one) => [one.name, one.body]));
        expect(split.prelude.map((span) => sql.slice(span.start, span.end))).toEqual(prelude);
        expect(sql.slice(split.final.start, split.final.end)).toBe(final);
        expect(split.recursive).toBe(recursive);
        for (const index of ctes.keys()) {
          const prefix = prefixQuery(sql, split, index + 1, { traits: fixtureDialect.lexer, maxRows: 3 });
          const again = splitCtes(prefix, fixtureDialect.lexer);
          expect(again.ctes.slice(0, index + 1).map((one) => one.body)).toEqual(
            ctes.slice(0, index + 1).map((one) => one.body),
          );
          expect(prefix.slice(again.final.start)).toBe(`SELECT * FROM ${ctes[index]?.name}\nLIMIT 3`);
        }
      }),
      { numRuns: 300 },
    );
  });
});

/** Milliseconds of this process, so that a machine with much else to do changes little. */
const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

describe('long and deep texts take milliseconds', { timeout: 60_000 }, () => {
  const LONG = 100_000;
  const repeat = (piece: string, length = LONG): string => piece.repeat(Math.ceil(length / piece.length));
  it.each<[string, string]>([
    ...[
      "'",
      '"',
      '`',
      '[',
      '(',
      ')',
      '$',
      '$a',
      '$a$',
      '{{',
      '{',
      '/*',
      '*/',
      '-',
      '--\r',
      '#',
      ':',
      '?',
      '@',
      '.',
      '1',
      '1.',
      '1e',
      '\\',
      'e',
      "e'",
      "E'\n",
      'a.',
      '\0',
      'é',
      '\uFEFF',
      ';',
      ',',
      ' ',
      '\n',
    ].map((piece): [string, string] => [JSON.stringify(piece), repeat(piece)]),
    ['10,000 ORs', `SELECT 1 WHERE ${repeat('a = 1 OR ', 90_000)} b`],
    ['500 nested sub-queries', `${'SELECT * FROM ('.repeat(500)}SELECT 1${')'.repeat(500)}`],
    ['nested WITHs', `${'WITH a AS ('.repeat(8_000)}SELECT 1${') SELECT 1'.repeat(8_000)}`],
    ['nested WITHs that nothing closes', repeat('WITH a AS (')],
    ['WITHs in the rest of one another', repeat('WITH a AS (SELECT 1) (', LONG)],
    ['many CTEs of one name', `WITH ${repeat('a AS (SELECT * FROM a), ')} b AS (SELECT 1) SELECT 1`],
    ['recursive CTEs of one name', `WITH RECURSIVE ${repeat('a AS (SELECT * FROM a), ')} b AS (SELECT 1) SELECT 1`],
    ['WITH SEARCH', repeat('WITH a AS (SELECT 1) SEARCH x, ')],
    ['lists of columns', repeat('WITH a (')],
    ['EXPLAIN', repeat('EXPLAIN (')],
    ['EXPLAIN WITH', repeat('EXPLAIN WITH a AS (')],
    ['blocks', repeat('BEGIN IF CASE ')],
    ['chains', repeat('SELECT 1 ->> ')],
    ['chains of WITHs', repeat('WITH a AS (SELECT 1) ->> ')],
    ['pipes', repeat('FROM t |> ')],
    ['calls', repeat('f(')],
    ['statements', repeat('SELECT 1;')],
  ])('%s', (_, whole) => {
    for (const traits of TRAITS) {
      const sql = traits === everything ? whole : whole.slice(0, 20_000);
      const from = cpuMs();
      const split = splitCtes(sql, traits);
      splitStatements(sql, traits);
      readOnlyText(sql, traits);
      statementKind(sql, traits);
      JSON.stringify(split);
      for (const count of [1, split.ctes.length])
        if (split.ctes.length >= count && count > 0) prefixQuery(sql, split, count, { traits });
      // All four together take about 250 ms at most on an idle machine; a quadratic pass takes many seconds.
      expect(cpuMs() - from).toBeLessThan(3_000);
    }
  });

  it('a text of twice the length takes about twice as long, not four times', () => {
    const timeOf = (count: number): number => {
      const sql = `${'WITH a AS ('.repeat(count)}SELECT 1${') SELECT 1'.repeat(count)}`;
      const times = [1, 2, 3].map(() => {
        const from = cpuMs();
        splitCtes(sql, everything);
        readOnlyText(sql, everything);
        return cpuMs() - from;
      });
      return Math.min(...times);
    };
    timeOf(500);
    expect(timeOf(8_000) / timeOf(2_000)).toBeLessThan(12);
  });

  it('WITHs nested deeper than anybody writes are read over', () => {
    let split = splitCtes(`${'WITH a AS ('.repeat(100)}SELECT 1${') SELECT 1'.repeat(100)}`, everything);
    let depth = 0;
    for (; split.ctes[0]?.nested !== undefined; depth += 1) split = split.ctes[0].nested;
    expect(depth).toBe(16);
  });
});
