import type { LanguageModel, ModelRequest } from './language-model.ts';
import type { Recording } from './recording.ts';
import { canonicalJson, requestFields } from './request-key.ts';
import { modelName } from './wrap-model.ts';

/** No prompt is shown in full in an error. */
const MAX_EXCERPT_LENGTH = 60;

/** The recording that has most in common with a request; undefined when there are none. */
export function nearestRecording(
  model: LanguageModel,
  request: ModelRequest,
  recordings: readonly Recording[],
): { readonly recording: Recording; readonly index: number } | undefined {
  const asked = comparableText(model, requestFields(request));
  let best: { recording: Recording; index: number; score: number } | undefined;
  for (const [index, recording] of recordings.entries()) {
    const score = likeness(asked, comparableText(recording, recording.request));
    if (best === undefined || score > best.score) best = { recording, index, score };
  }
  return best;
}

/** The messages first, because they say most about what a request is; then the settings and the model. */
function comparableText(
  model: Pick<LanguageModel, 'provider' | 'modelId'>,
  fields: Readonly<Record<string, unknown>>,
): string {
  const { messages, ...settings } = fields;
  return `${canonicalJson(messages)}${canonicalJson(settings)}${modelName(model)}`;
}

/** The share of the longer text that both have at their beginning and at their end. */
function likeness(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  const prefix = commonPrefix(a, b);
  let suffix = 0;
  while (suffix < shorter - prefix && a[a.length - 1 - suffix] === b[b.length - 1 - suffix]) suffix += 1;
  return (prefix + suffix) / Math.max(a.length, b.length, 1);
}

function commonPrefix(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  let length = 0;
  while (length < shorter && a[length] === b[length]) length += 1;
  return length;
}

/** The first thing in which a request differs from a recording, in words, with short excerpts. */
export function describeDifference(model: LanguageModel, request: ModelRequest, recording: Recording): string {
  const asked: Readonly<Record<string, unknown>> = { model: modelName(model), ...requestFields(request) };
  const recorded: Readonly<Record<string, unknown>> = { model: modelName(recording), ...recording.request };
  const names = [...new Set(['messages', ...Object.keys(recorded), ...Object.keys(asked)])];
  for (const name of names) {
    if (canonicalJson(asked[name] ?? null) === canonicalJson(recorded[name] ?? null)) continue;
    return name === 'messages'
      ? describeMessages(textsOf(asked.messages), textsOf(recorded.messages))
      : `\`${name}\` ${describeTexts(textOfValue(asked[name]), textOfValue(recorded[name]))}`;
  }
  return 'in nothing but its key, so it was written by another version';
}

interface RoleText {
  readonly role: string;
  readonly text: string;
}

/** Messages as text; recordings may have been edited by hand, so nothing is taken for granted. */
function textsOf(messages: unknown): readonly RoleText[] {
  if (!Array.isArray(messages)) return [];
  return messages.map((message: { readonly role?: unknown; readonly content?: unknown }) => {
    const parts: readonly unknown[] = Array.isArray(message?.content) ? message.content : [];
    const texts = parts.map((part) => {
      const { type, text } = (part ?? {}) as { readonly type?: unknown; readonly text?: unknown };
      return type === 'text' && typeof text === 'string' ? text : canonicalJson(part);
    });
    return { role: String(message?.role), text: texts.join('\n') };
  });
}

function describeMessages(asked: readonly RoleText[], recorded: readonly RoleText[]): string {
  const count = Math.max(asked.length, recorded.length);
  for (let index = 0; index < count; index++) {
    const ours = asked[index];
    const theirs = recorded[index];
    if (ours === undefined || theirs === undefined)
      return `it has ${recorded.length} messages, this request has ${asked.length}`;
    if (ours.role === theirs.role && ours.text === theirs.text) continue;
    const where = `message ${index + 1} (${theirs.role})`;
    if (ours.role !== theirs.role) return `${where} has the role ${ours.role} now`;
    return `${where} ${describeTexts(ours.text, theirs.text)}`;
  }
  return 'in how the messages are divided into parts';
}

function describeTexts(asked: string, recorded: string): string {
  const prefix = commonPrefix(asked, recorded);
  const before = asked.slice(0, prefix);
  const line = before.split('\n').length;
  const start = Math.max(before.lastIndexOf('\n') + 1, prefix - 20);
  const where = asked.includes('\n') || recorded.includes('\n') ? `at line ${line}: ` : '';
  return `${where}recorded ${excerpt(recorded, start)}, asked ${excerpt(asked, start)}`;
}

function excerpt(text: string, start: number): string {
  const rest = text.slice(start, start + MAX_EXCERPT_LENGTH);
  return `${JSON.stringify(rest)}${text.length > start + MAX_EXCERPT_LENGTH ? '…' : ''}`;
}

function textOfValue(value: unknown): string {
  if (value === undefined) return '(nothing)';
  return typeof value === 'string' ? value : canonicalJson(value);
}
