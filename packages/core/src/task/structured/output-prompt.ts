import { assistantMessage, type JsonSchema, type Message, userMessage } from '../../model/language-model.ts';
import { shortened } from '../../text/shortened.ts';
import type { ParsedStructured } from './parse-structured.ts';
import { issueText } from './validate-output.ts';

export type TextFormat = 'json' | 'yaml';

/** A model that repeats a page of nonsense gets its beginning and end back, not all of it. */
const MAX_ANSWER_LENGTH = 6000;
const MAX_ISSUES = 12;
const MAX_ISSUE_LENGTH = 300;

/**
 * The conversation with the instruction to answer in a fenced block: what does not change stands behind the system
 * prompt, so that the prefix stays cacheable; a short reminder stands at the end, where small models heed it.
 */
export function withTextInstruction(
  messages: readonly Message[],
  schema: JsonSchema | undefined,
  format: TextFormat,
): readonly Message[] {
  const rules = formatRules(schema, format);
  const reminder = `Answer with one fenced \`\`\`${format} block, and nothing after it.`;
  const system = messages.findIndex(({ role }) => role === 'system');
  if (system < 0) return appendToEnd(messages, `${rules}\n\n${reminder}`);
  return appendToEnd(
    messages.map((message, index) => (index === system ? appended(message, rules) : message)),
    reminder,
  );
}

function formatRules(schema: JsonSchema | undefined, format: TextFormat): string {
  const rules = [
    `Your answer is read by a program. It must hold exactly one fenced block of ${format.toUpperCase()}, which begins with \`\`\`${format} and ends with \`\`\`.`,
  ];
  if (format === 'yaml')
    rules.push(
      'Write texts of several lines, SQL above all, as block scalars (`key: |`, and the lines below indented); put texts that hold a colon or a hash into double quotes.',
    );
  if (schema !== undefined) rules.push(`The value in it must fit this JSON Schema:\n${JSON.stringify(schema)}`);
  return rules.join('\n');
}

/** A message with more text behind it. Only system and user messages come here. */
function appended(message: Message, text: string): Message {
  if (message.role !== 'system' && message.role !== 'user') return message;
  return { ...message, content: [...message.content, { type: 'text', text: `\n\n${text}` }] };
}

function appendToEnd(messages: readonly Message[], text: string): readonly Message[] {
  const last = messages.at(-1);
  return last?.role === 'user' ? [...messages.slice(0, -1), appended(last, text)] : [...messages, userMessage(text)];
}

/**
 * What a model is told about an answer that could not be used: its answer, what is wrong with it, and to answer again.
 */
export function correctionMessages(
  answer: string,
  parsed: Extract<ParsedStructured<unknown>, { readonly ok: false }>,
  cut: boolean,
): readonly Message[] {
  const reasons = parsed.issues
    .slice(0, MAX_ISSUES)
    .map((issue) => `- ${shortened(issueText(issue), MAX_ISSUE_LENGTH)}`);
  const what = {
    missing: 'Your answer does not hold the value that was asked for:',
    syntax: 'Your answer could not be read:',
    schema: 'Your answer does not fit the schema:',
  }[parsed.problem];
  const said = cut
    ? 'Your answer was cut off at the length limit. Answer again, much shorter: the value alone, without explanation around it.'
    : `${what}\n${reasons.join('\n')}\nAnswer again with the whole value, corrected.`;
  // Vendors refuse empty messages.
  return [
    assistantMessage(answer.trim() === '' ? '(no text)' : middleCut(answer, MAX_ANSWER_LENGTH)),
    userMessage(said),
  ];
}

function middleCut(text: string, length: number): string {
  if (text.length <= length) return text;
  const half = length / 2;
  return `${text.slice(0, half)}\n[${text.length - length} characters left out]\n${text.slice(-half)}`;
}
