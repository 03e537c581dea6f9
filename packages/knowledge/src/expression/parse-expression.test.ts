import { ansiLexer, bigqueryLexer } from '@askema/dialects';
import { describe, expect, test } from 'vitest';
import type { Expression } from './expression.ts';
import { parseExpression } from './parse-expression.ts';
import { partsOf } from './walk-expression.ts';

/** The tree as brackets, so that a test shows what binds to what. */
function tree(expression: Expression): string {
  const parts = partsOf(expression).map(tree);
  switch (expression.kind) {
    case 'literal':
      return expression.type === 'number' ? expression.value : `${expression.type}:${expression.value}`;
    case 'column':
      return [...expression.qualifier, expression.name].join('.') + (expression.isQuoted ? '!' : '');
    case 'star':
      return '*';
    case 'unary':
    case 'binary':
      return `(${[expression.operator, ...parts].join(' ')})`;
    case 'call':
      return `${expression.name}(${expression.isDistinct ? 'distinct ' : ''}${parts.join(' ')})`;
    case 'test':
      return `(is ${expression.isNegated ? 'not ' : ''}${expression.is} ${parts.join(' ')})`;
    case 'cast':
      return `(${expression.isSafe ? 'try ' : ''}cast ${expression.type} ${parts.join(' ')})`;
    case 'extract':
    case 'interval':
      return `(${expression.kind} ${expression.unit} ${parts.join(' ')})`;
    default:
      return `(${'isNegated' in expression && expression.isNegated ? 'not ' : ''}${expression.kind} ${parts.join(' ')})`;
  }
}

const parsed = (text: string): string => tree(parseExpression(text, ansiLexer));

function failure(text: string): unknown {
  try {
    parseExpression(text, ansiLexer);
  } catch (thrown) {
    return thrown;
  }
  throw new Error(`\`${text}\` was read as ${parsed(text)}`);
}

describe('what is read', () => {
  test.each([
    ['a + b * c - d', '(- (+ a (* b c)) d)'],
    ['a - (b - c)', '(- a (- b c))'],
    ['-a * b', '(* (- a) b)'],
    ['NOT a = b AND c OR d', '(OR (AND (NOT (= a b)) c) d)'],
    ['a <> b AND a != c', '(AND (<> a b) (<> a c))'],
    ["x || 'a''b' = y", "(= (|| x string:a'b) y)"],
    ['a BETWEEN 1 AND 2 AND b', '(AND (between a 1 2) b)'],
    ["a NOT IN ('x', 'y') OR b NOT LIKE 'z%'", '(OR (not in a string:x string:y) (NOT LIKE b string:z%))'],
    ['a IS NOT NULL AND b IS TRUE', '(AND (is not null a) (is true b))'],
    ["s ILIKE '%x%'", '(ILIKE s string:%x%)'],
    ['o.a::decimal(10,2) / CAST(b AS double precision)', '(/ (cast DECIMAL(10, 2) o.a) (cast DOUBLE PRECISION b))'],
    ['TRY_CAST(a AS int)', '(try cast INT a)'],
    ['-1::int', '(- (cast INT 1))'],
    ['CASE WHEN a THEN 1 WHEN b THEN 2 ELSE 3 END', '(case a 1 b 2 3)'],
    ["CASE o.status WHEN 'x' THEN 1 END + 1", '(+ (case o.status string:x 1) 1)'],
    ['COUNT(*)', 'COUNT(*)'],
    ['count(distinct o.customer_id)', 'COUNT(distinct o.customer_id)'],
    ["SUM(a) FILTER (WHERE b = 'x')", 'SUM(a (= b string:x))'],
    ['PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY a DESC)', 'PERCENTILE_CONT(0.5 a)'],
    [
      "EXTRACT(year FROM d) + YEAR(d) + DATE_PART('years', d)",
      '(+ (+ (extract YEAR d) (extract YEAR d)) (extract YEAR d))',
    ],
    ["DATE_TRUNC('MONTH', d)", 'DATE_TRUNC(string:month d)'],
    ['DATEDIFF(day, a, b)', 'DATEDIFF(string:day a b)'],
    ["d >= DATE '2024-02-29' - INTERVAL '7' DAY", '(>= d (- date:2024-02-29 (interval DAY 7)))'],
    ["d + INTERVAL '3 months'", '(+ d (interval MONTH 3))'],
    ['"Net Amount" + orders."Qty" + Total', '(+ (+ Net Amount! orders.Qty!) Total)'],
    ['date + filter + "select"', '(+ (+ date filter) select!)'],
    ['a /* of all */ + b -- the rest', '(+ a b)'],
    ['CURRENT_DATE', 'CURRENT_DATE()'],
  ])('%s', (text, expected) => {
    expect(parsed(text)).toBe(expected);
  });

  test('spans slice the text', () => {
    const text = ' SUM( (o.a + 1) ) / 2';
    const spans: string[] = [];
    const visit = (part: Expression): void => {
      spans.push(text.slice(part.span.start, part.span.end));
      partsOf(part).forEach(visit);
    };
    visit(parseExpression(text, ansiLexer));
    expect(spans).toEqual(['SUM( (o.a + 1) ) / 2', 'SUM( (o.a + 1) )', '(o.a + 1)', 'o.a', '1', '2']);
  });

  test('quotes and escapes are those of the dialect', () => {
    expect(tree(parseExpression("`Net Amount` = 'a\\'b'", bigqueryLexer))).toBe("(= Net Amount! string:a'b)");
  });
});

describe('what is refused', () => {
  test.each([
    ['', /it is empty/, 0],
    ['-- nothing', /it is empty/, 10],
    ['(SELECT 1)', /sub-queries/, 1],
    ['a IN (SELECT b FROM c)', /sub-queries/, 6],
    ['EXISTS (SELECT 1)', /sub-queries/, 0],
    ['SUM(a) OVER (PARTITION BY b)', /window functions/, 7],
    ['a = ?', /parameter/, 4],
    ['a = :b', /parameter/, 4],
    ["a = '{{ b }}' + {{ b }}", /parameter/, 16],
    ['a; DROP TABLE b', /no semicolon/, 1],
    ['a b', /`b` stands behind its end/, 2],
    ['a FROM b', /`FROM` stands behind its end/, 2],
    ["a = 'b", /a text in quotes is never closed/, 4],
    ['a /* b', /a comment is never closed/, 2],
    ['"a', /a name in quotes is never closed/, 0],
    ['a +', /it ends where an expression should follow/, 3],
    ['(a', /it ends where `\)` should follow/, 2],
    ['SUMM(a)', /no function `SUMM` here\. Did you mean `SUM`/, 0],
    ['RANDOM()', /no function `RANDOM`/, 0],
    ['pg_sleep(1)', /no function `pg_sleep`/, 0],
    ['pg_catalog.pg_sleep(1)', /no names of schemas/, 0],
    ['"pg_sleep"(1)', /no names of schemas/, 0],
    ['NOW()', /no function `NOW`/, 0],
    ['ROUND(a, 1, 2)', /ROUND takes 1 to 2 arguments and has 3/, 0],
    ['NVL(a)', /NVL takes 2 arguments and has 1/, 0],
    ['SUM(a) + SUM(MAX(b))', /MAX stands inside of SUM/, 13],
    ['LOWER(a) FILTER (WHERE b)', /is no aggregate/, 9],
    ['MEDIAN(DISTINCT a)', /takes no DISTINCT/, 0],
    ['PERCENTILE_CONT(0.5)', /needs WITHIN GROUP/, 0],
    ["a LIKE 'b' ESCAPE 'c'", /ESCAPE is not known/, 11],
    ["DATE '2024-13-45'", /is no date/, 5],
    ['DATE_TRUNC(fortnight, d)', /no unit of time/, 11],
    ['SUM(*)', /stands where an expression should begin/, 4],
    ["x'41'", /of a special kind/, 0],
    ['a IS b', /IS `b` is not known/, 5],
    ['CAST(a AS decimal(x))', /no size of a type/, 18],
  ])('%s', (text, message, offset) => {
    expect(failure(text)).toMatchObject({
      code: 'KNOWLEDGE_INVALID',
      message: expect.stringMatching(message),
      details: { position: expect.objectContaining({ offset }) },
    });
  });

  test('nesting and length have an end, and below it the stack is safe', () => {
    expect(failure(`${'('.repeat(201)}a${')'.repeat(201)}`)).toMatchObject({ code: 'KNOWLEDGE_INVALID' });
    expect(failure('NOT '.repeat(100_000))).toMatchObject({ code: 'KNOWLEDGE_INVALID' });
    expect(failure(Array.from({ length: 2_001 }, () => 'a').join(' + '))).toMatchObject({ code: 'KNOWLEDGE_INVALID' });
    expect(parsed(Array.from({ length: 2_000 }, () => 'a').join(' + '))).toContain('(+ a a)');
  });
});
