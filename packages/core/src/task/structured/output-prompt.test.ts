import { expect, test } from 'vitest';
import { systemMessage, textOf, userMessage } from '../../model/language-model.ts';
import { correctionMessages, withTextInstruction } from './output-prompt.ts';

const schema = { type: 'object', properties: { sql: { type: 'string' } }, required: ['sql'] };
const texts = (messages: readonly { readonly role: string; readonly content: readonly object[] }[]) =>
  messages.map(({ role, content }) => `[${role}] ${textOf(content as never)}`).join('\n');

test('the schema stands behind the system prompt, a reminder behind the question', () => {
  const messages = [systemMessage('You write SQL.'), userMessage('How many customers?')];
  expect(texts(withTextInstruction(messages, schema, 'json'))).toMatchInlineSnapshot(`
    "[system] You write SQL.

    Your answer is read by a program. It must hold exactly one fenced block of JSON, which begins with \`\`\`json and ends with \`\`\`.
    The value in it must fit this JSON Schema:
    {"type":"object","properties":{"sql":{"type":"string"}},"required":["sql"]}
    [user] How many customers?

    Answer with one fenced \`\`\`json block, and nothing after it."
  `);
});

test('YAML is explained', () => {
  const messages = [systemMessage('You write SQL.'), userMessage('How many customers?')];
  expect(texts(withTextInstruction(messages, schema, 'yaml'))).toMatchInlineSnapshot(`
    "[system] You write SQL.

    Your answer is read by a program. It must hold exactly one fenced block of YAML, which begins with \`\`\`yaml and ends with \`\`\`.
    Write texts of several lines, SQL above all, as block scalars (\`key: |\`, and the lines below indented); put texts that hold a colon or a hash into double quotes.
    The value in it must fit this JSON Schema:
    {"type":"object","properties":{"sql":{"type":"string"}},"required":["sql"]}
    [user] How many customers?

    Answer with one fenced \`\`\`yaml block, and nothing after it."
  `);
});

test('without a system prompt everything stands at the end, and no role is added', () => {
  const [only, ...rest] = withTextInstruction([userMessage('How many?')], undefined, 'json');
  expect(rest).toEqual([]);
  expect(textOf(only!.content)).toMatch(/^How many\?\n\nYour answer is read by a program/);
});

test('the beginning does not depend on the question, so that vendors can cache it', () => {
  const first = (question: string) =>
    withTextInstruction([systemMessage('S'), userMessage(question)], schema, 'json')[0];
  expect(first('a')).toEqual(first('b'));
});

test('a correction holds the answer, what is wrong and where, and no more than needed', () => {
  const issues = Array.from({ length: 50 }, (_, index) => ({ path: `items[${index}]`, message: 'x'.repeat(1000) }));
  const [answer, told] = correctionMessages(
    `begin${'y'.repeat(50_000)}end`,
    { ok: false, problem: 'schema', issues },
    false,
  );
  expect(textOf(answer!.content)).toMatch(/^begin.*\n\[44008 characters left out\]\n.*end$/s);
  expect(textOf(told!.content)).toContain('- `items[0]`: xxx');
  expect(textOf(told!.content).length).toBeLessThan(5000);
});

test('an empty answer is not sent back as an empty message', () => {
  const [answer] = correctionMessages(' \n', { ok: false, problem: 'missing', issues: [] }, false);
  expect(textOf(answer!.content).trim()).not.toBe('');
});
