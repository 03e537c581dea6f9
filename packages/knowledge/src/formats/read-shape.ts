import { AskemaError, didYouMean } from '@askema/core';
import type { z } from 'zod';
import type { Path, YamlFile } from './read-yaml.ts';

/**
 * The value of a file of another tool, when it has this shape.
 *
 * @throws AskemaError `KNOWLEDGE_INVALID` for the first thing that does not fit, with its line, the entry and the
 * nearest right word.
 */
export function readShape<Shape extends z.ZodType>(schema: Shape, yaml: YamlFile, file: string): z.output<Shape> {
  const parsed = schema.safeParse(yaml.value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const path = (issue?.path ?? []).map((part) => (typeof part === 'number' ? part : String(part)));
  throw invalidAt(yaml, file, path, issue === undefined ? 'it has another shape' : describe(issue, yaml.value, path));
}

/** An error about the value at `path`, with what to do as a sentence. */
export function invalidAt(yaml: YamlFile, file: string, path: Path, reason: string, advice = ''): AskemaError {
  const line = yaml.lineOf(path);
  const entry = path.length === 0 ? undefined : entryAt(yaml.value, path);
  const where = entry === undefined ? '' : `\`${entry}\`: `;
  return new AskemaError(
    'KNOWLEDGE_INVALID',
    `${file}:${line} ${where}${/[.?]$/.test(reason) ? reason : `${reason}.`} ${advice}`.trim(),
    { details: { file, line, ...(entry === undefined ? {} : { entry }) } },
  );
}

/** What an object has beside the keys that are read, with the nearest of these for what looks like a slip. */
export function unreadKeys(value: object, read: readonly string[]): { readonly key: string; readonly hint: string }[] {
  return Object.entries(value)
    .filter(([key, content]) => !read.includes(key) && content !== null && content !== undefined)
    .map(([key]) => ({ key, hint: didYouMean(key, read) }));
}

function describe(issue: z.core.$ZodIssue, root: unknown, path: Path): string {
  const key = String(path.at(-1) ?? 'the file');
  const value = valueAt(root, path);
  if (value === undefined) {
    const parent = valueAt(root, path.slice(0, -1));
    const others = typeof parent === 'object' && parent !== null ? Object.keys(parent) : [];
    return `\`${key}\` is missing. ${didYouMean(key, others).replace('Did you mean', 'Is it')}`.trim();
  }
  const shown =
    typeof value === 'object' ? (Array.isArray(value) ? 'a list' : 'a map') : `'${String(value).slice(0, 80)}'`;
  if (issue.code === 'invalid_value') {
    const allowed = issue.values.map(String);
    return `\`${key}\` is ${shown}; it is one of ${allowed.join(', ')}. ${didYouMean(String(value), allowed)}`.trim();
  }
  return `\`${key}\` is ${shown}: ${issue.message.replace(/^Invalid input: /, '')}`;
}

function valueAt(root: unknown, path: Path): unknown {
  let value = root;
  for (const part of path) value = (value as Record<string | number, unknown> | null | undefined)?.[part];
  return value;
}

/** The names on the way to the value: `orders.status`. */
function entryAt(root: unknown, path: Path): string | undefined {
  const names = path.flatMap((_, at) => {
    const value = valueAt(root, path.slice(0, at + 1));
    const name = typeof value === 'object' && value !== null ? (value as { name?: unknown }).name : undefined;
    return typeof name === 'string' ? [name] : [];
  });
  return names.length === 0 ? undefined : names.join('.');
}
