import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import * as z from 'zod';
import { propertyRuns } from '../../../../../scripts/testing/property-runs.ts';
import { parseStructured } from './parse-structured.ts';

const schema = z.object({ sql: z.string(), note: z.string().optional() });
const value = { sql: 'SELECT 1' };
const sqlOf = async (text: string, cut = false) => {
  const parsed = await parseStructured(text, schema, { cut });
  return parsed.ok ? parsed.value.sql : parsed;
};

describe('where the value stands', () => {
  test.each([
    ['alone', '{"sql": "SELECT 1"}'],
    ['in a fence', 'Sure!\n```json\n{"sql": "SELECT 1"}\n```\nHope this helps.'],
    ['in a fence without a language', '```\n{"sql": "SELECT 1"}\n```'],
    ['in a fence that is never closed', '```json\n{"sql": "SELECT 1"}'],
    ['in a longer fence', '````json\n{"sql": "SELECT 1"}\n````'],
    ['in a fence of tildes, with CRLF', '~~~JSON\r\n{"sql": "SELECT 1"}\r\n~~~\r\n'],
    ['in an indented fence', '1. Here:\n   ```json\n   {"sql": "SELECT 1"}\n   ```'],
    ['on the line of the fence', '```{"sql": "SELECT 1"}```'],
    ['in prose', 'The answer is {"sql": "SELECT 1"}, as you can see.'],
    ['behind a stray brace', 'In {braces you find {"sql": "SELECT 1"} it'],
    ['behind a citation', 'As said [1], it is {"sql": "SELECT 1"}.'],
    ['behind apostrophes and quotes', `It's 5" wide: {"sql": "SELECT 1"}`],
    ['behind thoughts', '<think>maybe {"sql": "DROP TABLE t"}?</think>\n{"sql": "SELECT 1"}'],
    ['behind thoughts whose tag was in the prompt', 'maybe {"sql": "DROP TABLE t"}?</think>{"sql": "SELECT 1"}'],
    ['behind a block of SQL', '```sql\nSELECT 2\n```\n```json\n{"sql": "SELECT 1"}\n```'],
    ['as YAML', 'sql: SELECT 1'],
    ['as YAML in a fence', 'Here:\n```yaml\nsql: |-\n  SELECT 1\n```'],
    ['as YAML behind a sentence', 'Here is the query you asked for:\nsql: SELECT 1'],
    ['as YAML in a fence that says JSON', '```json\nsql: SELECT 1\n```'],
  ])('%s', async (_name, text) => {
    expect(await sqlOf(text)).toBe('SELECT 1');
  });

  test('the last valid one wins', async () => {
    const draft = '```json\n{"sql": "draft"}\n```';
    expect(await sqlOf(`${draft}\nNo, better:\n\`\`\`json\n{"sql": "final"}\n\`\`\``)).toBe('final');
    expect(await sqlOf('{"sql": "draft"} or rather {"sql": "final"}')).toBe('final');
    expect(await sqlOf(`${draft}\n\`\`\`json\n{"wrong": 1}\n\`\`\``)).toBe('draft');
  });

  test('a tag, fence or brace inside of a text is a part of it', async () => {
    const sql = "SELECT '<think>' || '</think>' || '```' || '}' -- {";
    expect(await sqlOf(JSON.stringify({ sql }))).toBe(sql);
    expect(await sqlOf(`So:\n\`\`\`json\n${JSON.stringify({ sql: 'x ``` y } {' })}\n\`\`\``)).toBe('x ``` y } {');
  });

  test('block scalars of YAML keep their lines', async () => {
    const text =
      '```yaml\nnote: two readings: this and that\nsql: |\n  SELECT a\n    FROM t -- note: x: y\n\n  WHERE b\n```';
    expect(await parseStructured(text, schema)).toEqual({
      ok: true,
      repaired: true,
      value: { sql: 'SELECT a\n  FROM t -- note: x: y\n\nWHERE b\n', note: 'two readings: this and that' },
    });
  });

  test('a shorter fence inside of a longer one is a part of it', async () => {
    expect(await sqlOf('````yaml\nsql: |\n  ```\n  x\n````\nDone.')).toBe('```\nx\n');
  });

  test('YAML does not turn text into something else', async () => {
    const words = z.object({ country: z.string(), day: z.string(), list: z.array(z.string()) });
    const parsed = await parseStructured('```yaml\ncountry: no\nday: 2024-05-17\nlist: [on, "1"]\n```', words);
    expect(parsed).toMatchObject({ ok: true, value: { country: 'no', day: '2024-05-17', list: ['on', '1'] } });
  });
});

describe('repair', () => {
  test.each([
    ['a trailing comma', '{"sql": "SELECT 1",}', 'SELECT 1'],
    ['single quotes', "{'sql': 'SELECT 1'}", 'SELECT 1'],
    ['names without quotes', '{sql: "SELECT 1"}', 'SELECT 1'],
    ['a comment', '{"sql": "SELECT 1" /* the best */}', 'SELECT 1'],
    ['a line break in a text', '{"sql": "SELECT 1\nFROM t"}', 'SELECT 1\nFROM t'],
    ['a missing brace', '```json\n{"sql": "SELECT 1"\n```', 'SELECT 1'],
    ['quotes in a text', '{"sql": "SELECT "a" FROM t"}', 'SELECT "a" FROM t'],
    [
      'a backslash that is no escape',
      String.raw`{"sql": "SELECT '\d+' LIKE '%\_%'"}`,
      String.raw`SELECT '\d+' LIKE '%\_%'`,
    ],
  ])('%s', async (_name, text, sql) => {
    expect(await parseStructured(text, schema)).toEqual({ ok: true, repaired: true, value: { sql } });
  });

  test.each([
    ['a text that falls apart into keys', '{sql: SELECT a, b: FROM t}'],
    ['triple quotes', '{"sql": """SELECT a FROM "t" """}'],
    ['an ellipsis', '{"sql": "SELECT 1", ...}'],
    ['keys in a list that nobody knows', '{"sql": "SELECT 1", "note": SELECT a, c: 1}'],
  ])('%s is refused rather than guessed', async (_name, text) => {
    expect(await sqlOf(text)).toMatchObject({ ok: false, problem: 'syntax' });
  });
});

describe('an answer that was cut off', () => {
  test.each([
    ['in a text', '{"sql": "SELECT a FROM t WHE'],
    ['in a fence', '```json\n{"sql": "SELECT a"'],
    ['in thoughts', '<think>{"sql": "SELECT a"}'],
    ['behind a last value that is wrong', '```json\n{"sql": "draft"}\n```\nBetter:\n```json\n{"sql": 5}\n```\nThat wa'],
    ['behind a draft', '```json\n{"sql": "draft"}\n```\nBetter:\n```json\n{"sql": "fin'],
    ['in YAML', 'sql: SELECT a'],
    ['in YAML in a fence', '```yaml\nsql: |\n  SELECT a'],
  ])('%s is no answer', async (_name, text) => {
    expect(await sqlOf(text, true)).toMatchObject({ ok: false });
  });

  test('behind the value does no harm', async () => {
    expect(await sqlOf('```json\n{"sql": "SELECT 1"}\n```\nThis query coun', true)).toBe('SELECT 1');
    expect(await sqlOf('{"sql": "SELECT 1"}', true)).toBe('SELECT 1');
  });
});

describe('what is wrong', () => {
  test('issues name the place', async () => {
    const nested = z.object({ items: z.array(z.object({ name: z.string() })) });
    expect(await parseStructured('{"items": [{"name": "a"}, {"name": 5}]}', nested)).toMatchObject({
      ok: false,
      problem: 'schema',
      issues: [{ path: 'items[1].name', message: expect.stringContaining('string') }],
    });
  });

  test.each([
    ['I cannot do that.', 'missing'],
    ['', 'missing'],
    ['<think>and on and on', 'missing'],
    ['maybe {"sql": "DROP TABLE t"}?</think>I cannot do that.', 'missing'],
    ['maybe {"sql": "DROP"} <think>or</think> not</think>I cannot do that.', 'missing'],
    ['```sql\nSELECT 1\n```', 'missing'],
    ['{"other": 1}', 'schema'],
    ['{"sql": "SELECT "a", "b" FROM t"}', 'syntax'],
  ])('%j is %s', async (text, problem) => {
    const parsed = await parseStructured(text, schema);
    expect(parsed).toMatchObject({ ok: false, problem });
    expect(parsed.ok ? [] : parsed.issues).not.toEqual([]);
  });
});

test.each([
  '{',
  '[',
  '{"a":',
  '[[[{',
  '"',
  '```',
  '```\n',
  '<think>',
  '</think>',
  '{"a" ',
  '\\',
  '{"a": "b" "',
  'a: ',
  '- ',
  '&a [*a,',
  '{}',
])('hostile text of %j ends soon', async (piece) => {
  const start = performance.now();
  await parseStructured(piece.repeat(Math.ceil(100_000 / piece.length)), schema);
  expect(performance.now() - start).toBeLessThan(15_000);
});

test('an alias bomb of YAML is refused', async () => {
  const bomb = [
    'a: &a [x, x]',
    ...[...'bcdefghijk'].map((key, i) => `${key}: &${key} [${`*${'abcdefghij'[i]}, `.repeat(9)}]`),
  ];
  expect(await sqlOf(`\`\`\`yaml\n${bomb.join('\n')}\nsql: SELECT 1\n\`\`\``)).toMatchObject({
    ok: false,
    problem: 'syntax',
  });
});

/**
 * YAML that means the value: some texts of blanks and line breaks (`" \n"`) are not what they were after the library
 * wrote them as a block.
 */
function yamlOf(value: unknown): string {
  const text = stringify(value);
  return isDeepStrictEqual(parse(text), value) ? text : stringify(value, { blockQuote: false });
}

/** The fence is longer than what looks like one within the text, as CommonMark wants it. */
function fenced(yaml: string): string {
  const fence = '`'.repeat(Math.max(3, ...[...yaml.matchAll(/`+/g)].map(([run]) => run.length + 1)));
  return `\n${fence}yaml\n${yaml}${fence}\n`;
}

test('a value is found in whatever noise stands around it', async () => {
  const anything = z.strictObject({ answer: z.unknown() });
  const noise = fc
    .array(
      fc.constantFrom(
        'So ',
        '{',
        '}',
        '[',
        '"',
        "it's ",
        '\n',
        '`x` ',
        '[1] ',
        '{"other": 1} ',
        '\n```sql\nSELECT 1\n```\n',
        '\\',
        '<b>',
        ': ',
        '\n- x\n',
      ),
      { maxLength: 6 },
    )
    .map((pieces) => pieces.join(''));
  const wrap = fc.constantFrom(
    (json: string) => json,
    (json: string) => `\n\`\`\`json\n${json}\n\`\`\`\n`,
    (json: string) => `\n\`\`\`\n${json}\n\`\`\`\n`,
    (json: string) => `<think>{"answer": "a draft"}</think>${json}`,
    (json: string) => fenced(yamlOf(JSON.parse(json))),
  );
  const json = fc.jsonValue({
    maxDepth: 3,
    stringUnit: fc.oneof(
      fc.constantFrom('{', '}', '"', '\\', '\n', '`', ':'),
      fc.string({ maxLength: 1, minLength: 1 }),
    ) as never,
  });
  await fc.assert(
    fc.asyncProperty(
      noise,
      noise,
      wrap,
      json,
      fc.constantFrom(0, 2),
      async (before, after, wrapped, answer, indent) => {
        const text = `${before} ${wrapped(JSON.stringify({ answer }, null, indent))} ${after}`;
        const parsed = await parseStructured(text, anything);
        expect(parsed).toEqual({ ok: true, repaired: false, value: JSON.parse(JSON.stringify({ answer })) });
      },
    ),
    { numRuns: propertyRuns(150) },
  );
});

test('the value is what validation makes of it', async () => {
  const transformed = z.object({ n: z.string().transform(Number), d: z.string().default('x') });
  expect(await parseStructured('{"n": "12"}', transformed)).toMatchObject({ ok: true, value: { n: 12, d: 'x' } });
  const slow = z.object({ sql: z.string().refine(async (sql) => sql.length > 3, 'too short') });
  expect(await parseStructured('{"sql": "a"}', slow)).toMatchObject({
    ok: false,
    issues: [{ path: 'sql', message: 'too short' }],
  });
  expect(await parseStructured(JSON.stringify(value), slow)).toMatchObject({ ok: true });
});
