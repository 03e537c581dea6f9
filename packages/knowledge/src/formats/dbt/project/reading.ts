import { z } from 'zod';
import type { Place } from '../../../model/standing.ts';
import { shortLine } from '../../../words/short-line.ts';
import type { Loss } from '../../conversion.ts';
import { isObject } from '../../plain-object.ts';
import type { Path } from '../../read-yaml.ts';

/** A file that is read, with the losses found so far in all files. */
export interface Reading {
  readonly file: string;
  readonly lost: Loss[];
  lineOf(path: Path): number;
}

export function placeOf(reading: Reading, path: Path): Place {
  return { file: reading.file, line: reading.lineOf(path) };
}

/**
 * A value as its schema says it; undefined, and a loss, where it is something else. Keys that the schema does not name
 * are losses: they mean something to dbt that nobody reads here.
 */
export function take<S extends z.ZodType>(
  reading: Reading,
  schema: S,
  value: unknown,
  path: Path,
  kind: string,
): z.output<S> | undefined {
  const result = schema.safeParse(value);
  const what = `${kind} ${nameOf(value) ?? `number ${String(path.at(-1))}`}`;
  if (result.success) {
    loseUnknown(reading, result.data, schema, path, what);
    return result.data;
  }
  const issue = result.error.issues[0];
  const within = (issue?.path ?? []).filter((key) => typeof key !== 'symbol');
  lose(reading, what, [...path, ...within], `\`${within.join('.')}\` is not as dbt describes it: ${issue?.message}`);
  return undefined;
}

export function lose(reading: Reading, what: string, path: Path, reason: string): void {
  reading.lost.push({ what, place: placeOf(reading, path), reason });
}

/** A description as it reads; one with Jinja in it is a loss. */
export function prose(reading: Reading, value: string | null | undefined, path: Path, what: string) {
  const text = value?.trim();
  if (text === undefined || text === '') return undefined;
  if (!/\{[{%]/.test(text)) return text;
  lose(reading, what, path, `Jinja in a text is not run: ${shortLine(text)}. Write the text out`);
  return undefined;
}

/** Keys that say where something was written, or what dbt does besides answering questions. */
const WITHOUT_MEANING = new Set(['metadata', 'data_tests', 'tests', 'data_type', 'input_measures', 'version']);

function loseUnknown(reading: Reading, data: unknown, schema: unknown, path: Path, what: string): void {
  const shape = shapeOf(schema);
  if (shape === undefined || !isObject(data)) return;
  for (const [key, value] of Object.entries(data)) {
    if (WITHOUT_MEANING.has(key) || saysNothing(value)) continue;
    if (key in shape) loseUnknown(reading, value, shape[key], [...path, key], `${what}: ${key}`);
    else lose(reading, `${what}: ${key}`, [...path, key], 'nothing here corresponds to it');
  }
}

/** The keys of an object that may be left out or null; undefined for anything else. */
function shapeOf(schema: unknown): Readonly<Record<string, unknown>> | undefined {
  let inner = schema;
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodNullable) inner = inner.unwrap();
  return inner instanceof z.ZodObject ? inner.shape : undefined;
}

/** Null, false and lists of nothing stand in manifests where nothing was written. */
function saysNothing(value: unknown): boolean {
  if (value === null || value === undefined || value === false || value === '') return true;
  if (typeof value !== 'object') return false;
  return Object.values(value).every(saysNothing);
}

export function nameOf(value: unknown): string | undefined {
  return isObject(value) && typeof value.name === 'string' ? value.name : undefined;
}
