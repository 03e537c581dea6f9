import { sqliteDialect } from '@askema/dialects';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cteStatement, FINAL_STEP, findStep, prefixWith, replaceStep, viewStatement } from './cte-statement.ts';

const { lexer } = sqliteDialect;
const SQL = `WITH a AS (SELECT 1 AS x), "B b"(y) AS ( -- the second
  SELECT x FROM a
), c AS MATERIALIZED (SELECT y FROM "B b" JOIN a ON x = y) SELECT * FROM c;`;
const statement = cteStatement(SQL, lexer);

describe('cteStatement', () => {
  it('has the CTEs and the SELECT behind them as steps, each with what it reads', () => {
    expect(statement.steps).toEqual([
      { name: 'a', text: 'SELECT 1 AS x', reads: [] },
      { name: 'B b', text: '-- the second\n  SELECT x FROM a', reads: [0] },
      { name: 'c', text: 'SELECT y FROM "B b" JOIN a ON x = y', reads: [0, 1] },
      { name: FINAL_STEP, text: 'SELECT * FROM c', reads: [0, 1, 2] },
    ]);
    expect(cteStatement('SELECT 1', lexer).steps).toEqual([{ name: FINAL_STEP, text: 'SELECT 1', reads: [] }]);
  });

  it('finds a step however its name is written', () => {
    const found = ['a', ' A ', '"B b"', 'b b', '`B b`', 'final SELECT', 'nope', ''].map((name) =>
      findStep(statement, name, lexer),
    );
    expect(found).toEqual([0, 0, 1, 1, 1, 3, undefined, undefined]);
  });

  it('shows a step, and counts in it', () => {
    expect(viewStatement(statement, 1, lexer)).toBe(
      'WITH a AS (SELECT 1 AS x), "B b"(y) AS ( -- the second\n  SELECT x FROM a\n)\nSELECT * FROM "B b"\nLIMIT 101',
    );
    expect(prefixWith(statement, 0, lexer, (name) => `SELECT COUNT(*) FROM ${name}`)).toBe(
      'WITH a AS (SELECT 1 AS x)\nSELECT COUNT(*) FROM a',
    );
  });
});

describe('replaceStep', () => {
  const changed = (position: number, body: string) => replaceStep(statement, position, body, lexer);

  it.each([
    'SELECT 2 AS x',
    '```sql\nSELECT 2 AS x;\n```',
    'a AS (SELECT 2 AS x)',
    'A AS MATERIALIZED (SELECT 2 AS x),',
    'WITH a AS (SELECT 2 AS x), "B b"(y) AS (SELECT 9) SELECT 9',
  ])('takes the text of the step alone: %s', (body) => {
    expect(changed(0, body)).toEqual({
      type: 'spliced',
      sql: SQL.replace('SELECT 1 AS x)', 'SELECT 2 AS x\n)'),
      from: 'SELECT 1 AS x',
      to: 'SELECT 2 AS x',
    });
  });

  it('takes the SELECT behind the CTEs out of a whole statement', () => {
    const whole = changed(3, 'WITH a AS (SELECT 7), "B b" AS (SELECT 8), c AS (SELECT 9) SELECT y FROM c');
    expect(whole).toMatchObject({ type: 'spliced', sql: SQL.replace('SELECT * FROM c;', 'SELECT y FROM c\n;') });
  });

  it('keeps a body with a WITH of its own', () => {
    expect(changed(2, 'WITH z AS (SELECT y FROM "B b") SELECT y FROM z')).toMatchObject({
      type: 'spliced',
      to: 'WITH z AS (SELECT y FROM "B b") SELECT y FROM z',
    });
  });

  it('a comment at the end does not swallow the bracket', () => {
    const { sql = '' } = changed(0, 'SELECT 2 AS x -- two') as { sql?: string };
    expect(cteStatement(sql, lexer).steps.map(({ name }) => name)).toEqual(['a', 'B b', 'c', FINAL_STEP]);
    expect(changed(3, 'SELECT 2 -- two')).toMatchObject({
      type: 'spliced',
      sql: SQL.replace('SELECT * FROM c;', 'SELECT 2 -- two\n;'),
    });
  });

  it('tells the same text, and one that reaches beyond its place', () => {
    expect(changed(0, ' SELECT 1\n AS x /* same */')).toEqual({ type: 'same' });
    for (const body of [
      '',
      '-- nothing',
      'SELECT 1) SELECT (2',
      'SELECT 1), d AS (SELECT 2',
      'SELECT 1); SELECT (1',
      "SELECT '",
    ])
      expect(changed(0, body).type, body).toBe('invalid');
    expect(changed(9, 'SELECT 1')).toMatchObject({ type: 'invalid' });
  });

  it('changes nothing but the step, or nothing at all, whatever is written', () => {
    const part = fc.constantFrom(
      ...`SELECT|FROM|WITH|AS|a|c|"B b"|(|)|,|;|'|"|--|/*|*/|\n| |1|x|[|]|\`|UNION ALL|RECURSIVE|$$|final`.split('|'),
    );
    const body = fc.oneof(
      fc.array(part, { maxLength: 12 }).map((parts) => parts.join(' ')),
      fc.string(),
    );
    fc.assert(
      fc.property(body, fc.nat(3), (text, position) => {
        const result = replaceStep(statement, position, text, lexer);
        if (result.type !== 'spliced') return;
        const after = cteStatement(result.sql, lexer);
        expect(after.steps.map(({ name }) => name)).toEqual(statement.steps.map(({ name }) => name));
        for (const [at, step] of after.steps.entries())
          if (at !== position) expect(step.text).toBe(statement.steps[at]?.text);
        const span = statement.split.ctes[position]?.bodySpan ?? statement.split.final;
        expect(result.sql.startsWith(SQL.slice(0, span.start))).toBe(true);
        expect(result.sql.endsWith(SQL.slice(span.end).trimEnd())).toBe(true);
      }),
      { numRuns: 700 },
    );
  });
});
