import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { JsonSchema } from '../../model/language-model.ts';
import type { JsonValue } from '../../values/value.ts';
import { type Candidate, findCandidates } from './find-candidates.ts';
import { jsonSchemaOf } from './json-schema-of.ts';
import { type OutputIssue, validateOutput } from './validate-output.ts';

export interface ParseStructuredOptions {
  /**
   * True when the answer was stopped at a length limit: then nothing is repaired, and nothing that stands before a part
   * that was cut off is taken.
   */
  readonly cut?: boolean | undefined;
}

export type ParsedStructured<Out> =
  | {
      readonly ok: true;
      readonly value: Out;
      /** True when the text had to be repaired. */
      readonly repaired: boolean;
    }
  | {
      readonly ok: false;
      /**
       * `missing`: there is nothing like a value. `syntax`: it cannot be read. `schema`: it was read and does not fit.
       */
      readonly problem: 'missing' | 'syntax' | 'schema';
      readonly issues: readonly OutputIssue[];
    };

/**
 * Reads the value that a model was asked for out of its answer, and validates it. Lenient: the value may stand in a
 * fenced block, in prose, or alone; in JSON or YAML; thoughts are stripped; broken JSON is repaired. The last value
 * that is valid wins. When none is, the issues are those of the likeliest one.
 */
export async function parseStructured<Out>(
  text: string,
  schema: StandardSchemaV1<unknown, Out>,
  options: ParseStructuredOptions = {},
): Promise<ParsedStructured<Out>> {
  const failures: (Failure & { readonly likely: boolean })[] = [];
  for (const candidate of findCandidates(text)) {
    if (options.cut && !candidate.complete) break;
    const read = await readCandidate(candidate, !options.cut);
    const judged = read.ok ? await judge(schema, read) : { ok: false as const, ...unreadable(read.message) };
    if (judged.ok) return judged;
    failures.push({ ...judged, likely: candidate.repairable });
    if (options.cut && candidate.repairable) break;
  }
  const { problem, issues } = failures.find(({ likely }) => likely) ?? failures[0] ?? NOTHING_FOUND;
  return { ok: false, problem, issues };
}

type Failure = Pick<Extract<ParsedStructured<never>, { readonly ok: false }>, 'problem' | 'issues'>;

const NOTHING_FOUND: Failure = {
  problem: 'missing',
  issues: [{ path: '', message: 'There is no JSON or YAML value in the answer.' }],
};

function unreadable(message: string): Failure {
  return { problem: 'syntax', issues: [{ path: '', message }] };
}

async function judge<Out>(
  schema: StandardSchemaV1<unknown, Out>,
  read: { readonly value: unknown; readonly repaired: boolean },
): Promise<ParsedStructured<Out>> {
  const validated = await validateOutput(schema, read.value);
  if (!validated.ok) return { ok: false, problem: 'schema', issues: validated.issues };
  if (read.repaired && !hasOnlyKnownKeys(read.value, jsonSchemaOf(schema)))
    return {
      ok: false,
      ...unreadable('This is no valid JSON: a text in it lacks its quotes, or the escape before a quote.'),
    };
  return { ok: true, value: validated.value, repaired: read.repaired };
}

/**
 * False when an object holds a key that its schema does not name. A repair may take a part of a text for a key of its
 * own (`sql: SELECT a, b: 1`), and validators drop unknown keys silently: then half a statement would pass for a whole
 * one. Parts of a schema that are not plain properties and items are not looked into.
 */
function hasOnlyKnownKeys(value: unknown, schema: JsonValue | undefined): boolean {
  if (!isSchema(schema) || typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every((item) => hasOnlyKnownKeys(item, schema.items));
  const { properties } = schema;
  if (!isSchema(properties) || isSchema(schema.additionalProperties) || schema.additionalProperties === true)
    return true;
  return Object.entries(value).every(
    ([key, inner]) => Object.hasOwn(properties, key) && hasOnlyKnownKeys(inner, properties[key]),
  );
}

function isSchema(value: JsonValue | undefined): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value, or why there is none. */
type ReadValue =
  | { readonly ok: true; readonly value: unknown; readonly repaired: boolean }
  | { readonly ok: false; readonly message: string };

/** Repairing costs more than linear time on hostile text. */
const MAX_REPAIR_LENGTH = 64_000;

/** Reads a candidate as it stands, and repaired if that is allowed and needed. Never throws. */
async function readCandidate(candidate: Candidate, allowRepair: boolean): Promise<ReadValue> {
  const asItStands = await attempt(() => parse(candidate.syntax, candidate.text), false);
  if (asItStands.ok || !allowRepair || !candidate.repairable || candidate.text.length > MAX_REPAIR_LENGTH)
    return asItStands;
  if (candidate.syntax === 'json' && hasEllipsis(candidate.text)) return asItStands;
  const repaired = await attempt(async () => parse(candidate.syntax, await repair(candidate)), true);
  return repaired.ok ? repaired : asItStands;
}

async function attempt(read: () => Promise<unknown>, repaired: boolean): Promise<ReadValue> {
  try {
    return { ok: true, value: await read(), repaired };
  } catch (error) {
    // Also a RangeError, for text that is nested too deep.
    const message = error instanceof Error ? error.message : String(error);
    return { ok: false, message: message.split('\n')[0] ?? message };
  }
}

/** Most answers are valid JSON, so the parsers of all else are loaded when one is not. */
async function parse(syntax: Candidate['syntax'], text: string): Promise<unknown> {
  if (syntax === 'json') return JSON.parse(text);
  const yaml = await import('yaml');
  // YAML 1.2: `no` and dates stay text.
  return yaml.parse(text, { version: '1.2', schema: 'core', logLevel: 'error' });
}

async function repair(candidate: Candidate): Promise<string> {
  if (candidate.syntax !== 'json') return quotePlainTexts(candidate.text);
  const { jsonrepair } = await import('jsonrepair');
  return jsonrepair(keepBackslashes(candidate.text));
}

/** `[1, 2, ...]` leaves something out: to drop the dots would make less than the answer of it. */
function hasEllipsis(json: string): boolean {
  return /\.\.\.|…/.test(json.replaceAll(/"(?:[^"\\]|\\.)*"/gs, ''));
}

/** `\d` in a string is no JSON; the backslash was meant, so it is kept, where the repair would drop it. */
function keepBackslashes(json: string): string {
  return json.replaceAll(/\\(?:(["\\/bfnrt'`\n\r]|u[0-9a-fA-F]{4})|)/g, (match: string, valid: string | undefined) =>
    valid === undefined ? '\\\\' : match,
  );
}

/**
 * `explanation: two readings: a and b` is no YAML: a text with a colon inside needs quotes. Only lines that are not
 * indented.
 */
function quotePlainTexts(yaml: string): string {
  return yaml.replaceAll(
    /^([A-Za-z_][\w-]*[ \t]*:[ \t]+)([^\s"'|>[{&*!%@`#].*:(?:[ \t].*)?)$/gm,
    (_line, key: string, text: string) => `${key}${JSON.stringify(text.trimEnd())}`,
  );
}
