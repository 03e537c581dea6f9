import type { LexerTraits } from '@askema/core';
import { lexSql, namesIn, splitCtes, splitStatements, stripComments } from '@askema/sql';
import { describe, expect, it } from 'vitest';
import {
  ansiLexer,
  bigqueryLexer,
  duckdbLexer,
  mysqlLexer,
  postgresLexer,
  snowflakeLexer,
  sqliteDialect,
} from './index.ts';

const read = (sql: string, traits: LexerTraits): readonly string[] =>
  lexSql(sql, traits)
    .filter(({ kind }) => kind !== 'blank')
    .map(({ kind, text, unterminated }) => `${kind} ${text}${unterminated ? ' …' : ''}`);

describe('tokens', () => {
  it.each<[string, LexerTraits, string, readonly string[]]>([
    ['doubled quotes', ansiLexer, `'it''s' "a""b"`, [`string 'it''s'`, `quotedName "a""b"`]],
    ['no backslash escapes', ansiLexer, `'\\' x`, [`string '\\'`, 'word x']],
    ['prefixed strings', ansiLexer, `N'a' X'00' U&'b' n`, [`string N'a'`, `string X'00'`, `string U&'b'`, 'word n']],
    [
      'numbers',
      ansiLexer,
      '1 .5 1.5e-3 0xFF 1_000 t.1',
      ['number 1', 'number .5', 'number 1.5e-3', 'number 0xFF', 'number 1_000', 'word t', 'number .1'],
    ],
    ['nested comments', ansiLexer, '/* /* */ */ a', ['comment /* /* */ */', 'word a']],
    ['letters of every script', ansiLexer, 'größe 数 x\u00A0y', ['word größe', 'word 数', 'word x', 'word y']],
    [
      'Snowflake escapes',
      snowflakeLexer,
      `'a\\'b' 'c''d' $$it's \\$$ x`,
      [`string 'a\\'b'`, `string 'c''d'`, `string $$it's \\$$`, 'word x'],
    ],
    [
      'Snowflake comments',
      snowflakeLexer,
      '1 // a\n2 -- b\n/* c /* */ 3 / 4',
      [
        'number 1',
        'comment // a',
        'number 2',
        'comment -- b',
        'comment /* c /* */',
        'number 3',
        'operator /',
        'number 4',
      ],
    ],
    [
      'Snowflake paths and parameters',
      snowflakeLexer,
      'a:b.c::INT :p $1 $v "x":y :1 t[0]:z',
      [
        'word a',
        'operator :',
        'word b',
        'punctuation .',
        'word c',
        'operator ::',
        'word INT',
        'parameter :p',
        'parameter $1',
        'parameter $v',
        'quotedName "x"',
        'operator :',
        'word y',
        'parameter :1',
        'word t',
        'punctuation [',
        'number 0',
        'punctuation ]',
        'operator :',
        'word z',
      ],
    ],
    [
      'BigQuery quotes',
      bigqueryLexer,
      `'''a'b''' """c"d""" "e" 'f\\'g' '' ""`,
      [`string '''a'b'''`, `string """c"d"""`, 'string "e"', `string 'f\\'g'`, `string ''`, `string ""`],
    ],
    [
      'BigQuery prefixes',
      bigqueryLexer,
      `r'\\d' Rb"x" bR'''y''' b'z' rest`,
      [`string r'\\d'`, 'string Rb"x"', `string bR'''y'''`, `string b'z'`, 'word rest'],
    ],
    ['BigQuery names', bigqueryLexer, '`a.b-c` `d\\`e` f', ['quotedName `a.b-c`', 'quotedName `d\\`e`', 'word f']],
    [
      'BigQuery comments and parameters',
      bigqueryLexer,
      '# a\r@p @@v ?',
      ['comment # a', 'parameter @p', 'parameter @@v', 'parameter ?'],
    ],
    [
      'BigQuery pipes',
      bigqueryLexer,
      'FROM t |> WHERE a',
      ['word FROM', 'word t', 'operator |>', 'word WHERE', 'word a'],
    ],
    [
      'PostgreSQL dollar quotes',
      postgresLexer,
      `$$a$$ $t$b $$ $t$ a$$b $1`,
      ['string $$a$$', 'string $t$b $$ $t$', 'word a$$b', 'parameter $1'],
    ],
    ['PostgreSQL escapes', postgresLexer, `E'a\\'b' '\\' e`, [`string E'a\\'b'`, `string '\\'`, 'word e']],
    [
      'PostgreSQL casts and JSON',
      postgresLexer,
      `a::int b->>'c' d ? e`,
      ['word a', 'operator ::', 'word int', 'word b', 'operator ->>', `string 'c'`, 'word d', 'operator ?', 'word e'],
    ],
    [
      'DuckDB',
      duckdbLexer,
      `$n ?1 {'a': [1]} x[1:2] 5 // 2`,
      [
        'parameter $n',
        'parameter ?1',
        'punctuation {',
        `string 'a'`,
        'operator :',
        'punctuation [',
        'number 1',
        'punctuation ]',
        'punctuation }',
        'word x',
        'punctuation [',
        'number 1',
        'operator :',
        'number 2',
        'punctuation ]',
        'number 5',
        'operator //',
        'number 2',
      ],
    ],
    [
      'templates',
      snowflakeLexer,
      `{{ ref('a;b') }} {% if x %} \${y} @{z}`,
      [`template {{ ref('a;b') }}`, 'template {% if x %}', `template \${y}`, 'template @{z}'],
    ],
    ['PostgreSQL names hold blanks of Unicode', postgresLexer, 'a\u00A0b\u3000', ['word a\u00A0b\u3000']],
    [
      'PostgreSQL operators end where a comment opens, and in a sign only when they are odd',
      postgresLexer,
      'a <--b\n||/*c*/d @-1 =-2 **/ e#>>f',
      [
        'word a',
        'operator <',
        'comment --b',
        'operator ||',
        'comment /*c*/',
        'word d',
        'operator @-',
        'number 1',
        'operator =',
        'operator -',
        'number 2',
        'operator **/',
        'word e',
        'operator #>>',
        'word f',
      ],
    ],
    ['DuckDB blanks', duckdbLexer, 'a\u200Bb\u2060c\u0085d', ['word a', 'word b', 'word c\u0085d']],
    [
      'DuckDB numbers',
      duckdbLexer,
      `0x1F 1_000 1_ .5e1_0 N'a'`,
      ['number 0', 'word x1F', 'number 1_000', 'number 1', 'word _', 'number .5e1_0', `string N'a'`],
    ],
    ['BigQuery blanks', bigqueryLexer, 'a\u0085b\u180Ec\bd\uFEFFe', ['word a', 'word b', 'word c', 'word d\uFEFFe']],
    [
      'MySQL names that begin with digits, and numbers',
      mysqlLexer,
      '1b 0x1F 0xg 0b01 0b2 1e5x 1.5 t.5a 7 5. .5e1',
      [
        'word 1b',
        'number 0x1F',
        'word 0xg',
        'number 0b01',
        'word 0b2',
        'number 1e5',
        'word x',
        'number 1.5',
        'word t',
        'punctuation .',
        'word 5a',
        'number 7',
        'number 5.',
        'number .5e1',
      ],
    ],
    [
      'MySQL comments behind two hyphens and a control character, or at the end',
      mysqlLexer,
      `1--1--\x01'\n\\N2--`,
      ['number 1', 'operator -', 'operator -', 'number 1', `comment --\x01'`, 'operator \\N', 'number 2', 'comment --'],
    ],
    [
      'SQLite parameters',
      sqliteDialect.lexer,
      '#a $b :c @d',
      ['parameter #a', 'parameter $b', 'parameter :c', 'parameter @d'],
    ],
    ['what is never closed', postgresLexer, `a 'b; c`, ['word a', `string 'b; c …`]],
    ['a tag that is never closed', postgresLexer, `$t$ b $$`, ['string $t$ b $$ …']],
    ['a name that is never closed', bigqueryLexer, '`a b', ['quotedName `a b …']],
    ['a comment that is never closed', postgresLexer, '/* /* */', ['comment /* /* */ …']],
    ['a template that is never closed', snowflakeLexer, '{{ a', ['template {{ a …']],
    ['a backslash at the end', bigqueryLexer, `'a\\`, [`string 'a\\ …`]],
  ])('%s', (_, traits, sql, tokens) => {
    expect(read(sql, traits)).toEqual(tokens);
  });
});

it.each([mysqlLexer, bigqueryLexer, postgresLexer, duckdbLexer])('a comment opens behind a slash', (traits) => {
  expect(read(`4//*'*/2 '`, traits)).toEqual(['number 4', 'operator /', `comment /*'*/`, 'number 2', `string ' …`]);
});

describe('splitStatements', () => {
  const split = (sql: string, traits: LexerTraits): string[] =>
    splitStatements(sql, traits).map(({ start, end }) => sql.slice(start, end));

  it('semicolons in strings, names and comments end nothing; comments outside belong to none', () => {
    expect(split(`-- a\nSELECT ';' AS ";" /* ; */ ; ; SELECT 2 -- ;\n; -- end`, ansiLexer)).toEqual([
      `SELECT ';' AS ";"`,
      'SELECT 2',
    ]);
  });

  it.each<[string, LexerTraits, readonly string[]]>([
    [
      'a script of BigQuery',
      bigqueryLexer,
      [
        'DECLARE x INT64',
        'BEGIN SELECT 1; IF x THEN SELECT CASE WHEN a THEN b ELSE IF(c, d, e) END; ELSEIF y THEN SELECT 2; END IF; END',
        'SELECT 3',
      ],
    ],
    [
      'loops of BigQuery',
      bigqueryLexer,
      [
        'LOOP SET x = 1; IF y THEN LEAVE; END IF; END LOOP',
        'WHILE a DO SELECT 1; END WHILE',
        'REPEAT SELECT 1; UNTIL x END REPEAT',
        'FOR r IN (SELECT 1) DO SELECT r; END FOR',
        'CASE x WHEN 1 THEN SELECT 1; ELSE SELECT 2; END CASE',
        'SELECT 4',
      ],
    ],
    [
      'a routine of BigQuery',
      bigqueryLexer,
      ['CREATE PROCEDURE p() BEGIN SELECT 1; BEGIN SELECT 2; END; END', 'CALL p()'],
    ],
    [
      'a block of Snowflake',
      snowflakeLexer,
      ["DECLARE x INT; y INT DEFAULT 1; BEGIN SELECT ';'; IF (x = 1) THEN SELECT 1; END IF; RETURN x; END", 'SELECT 1'],
    ],
    ['dollar quotes', snowflakeLexer, ['EXECUTE IMMEDIATE $$ BEGIN SELECT 1; END $$', 'SELECT 1']],
    [
      'transactions',
      snowflakeLexer,
      ['BEGIN', 'SELECT 1', 'BEGIN TRANSACTION', 'SELECT CASE WHEN 1 THEN 2 END', 'END'],
    ],
    ['transactions of PostgreSQL', postgresLexer, ['BEGIN ISOLATION LEVEL SERIALIZABLE', 'SELECT 1', 'END']],
    [
      'a function of PostgreSQL',
      postgresLexer,
      [
        'CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT 1; SELECT CASE WHEN a THEN 1 END; END',
        'DO $x$ BEGIN; END; $x$',
        'SELECT 1',
      ],
    ],
    [
      'columns called begin and end',
      ansiLexer,
      ['CREATE TABLE t (begin INT, "end" INT)', 'SELECT t.begin, t.end FROM t', 'SELECT 1'],
    ],
  ])('%s', (_, traits, statements) => {
    expect(split(statements.join(';\n'), traits)).toEqual(statements);
    expect(split(`${statements.join('; ')};`, traits)).toEqual(statements);
  });

  it('a block that is never closed runs to the end', () => {
    expect(split('BEGIN SELECT 1; SELECT 2', bigqueryLexer)).toEqual(['BEGIN SELECT 1; SELECT 2']);
  });
});

describe('names', () => {
  it('as each engine stores them', () => {
    const names = (sql: string, traits: LexerTraits): string[] => splitCtes(sql, traits).ctes.map(({ name }) => name);
    const sql = 'WITH Ab AS (SELECT 1), "Cd""e" AS (SELECT 2) SELECT 3';
    expect(names(sql, snowflakeLexer)).toEqual(['AB', 'Cd"e']);
    expect(names(sql, postgresLexer)).toEqual(['ab', 'Cd"e']);
    expect(names(sql, duckdbLexer)).toEqual(['Ab', 'Cd"e']);
    expect(names('WITH Ab AS (SELECT 1), `C\\`d` AS (SELECT 2) SELECT 3', bigqueryLexer)).toEqual(['Ab', 'C`d']);
  });

  it('compare by case where the engine does', () => {
    const reads = (sql: string, traits: LexerTraits): unknown => splitCtes(sql, traits).ctes[1]?.dependsOn;
    const sql = 'WITH ab AS (SELECT 1), c AS (SELECT * FROM "AB") SELECT 1';
    expect(reads(sql, snowflakeLexer)).toEqual(['AB']);
    expect(reads(sql, postgresLexer)).toEqual([]);
    expect(reads(sql, duckdbLexer)).toEqual(['ab']);
    expect(
      reads('WITH ab AS (SELECT 1), c AS (SELECT * FROM `AB`, t.ab, UNNEST(ab) WITH OFFSET) SELECT 1', bigqueryLexer),
    ).toEqual(['ab']);
  });

  it('are listed with their places', () => {
    const sql = 'SELECT a."B" -- c';
    expect(namesIn(lexSql(sql, snowflakeLexer), snowflakeLexer)).toEqual([
      { name: 'SELECT', rawName: 'SELECT', start: 0, end: 6 },
      { name: 'A', rawName: 'a', start: 7, end: 8 },
      { name: 'B', rawName: '"B"', start: 9, end: 12 },
    ]);
  });
});

it('comments are stripped, strings and names that look like one are not', () => {
  expect(stripComments(`-- x\nSELECT/**/'--a', "/*b*/" -- c\nFROM t # d`, bigqueryLexer)).toBe(
    `\nSELECT '--a', "/*b*/" \nFROM t `,
  );
});
