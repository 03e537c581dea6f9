import type { StandardSchemaV1 } from '@standard-schema/spec';
import { findCandidates } from './find-candidates.ts';
import { jsonSchemaOf } from './json-schema-of.ts';
import { hasOnlyKnownKeys } from './known-keys.ts';
import { readCandidate } from './read-candidate.ts';
import { type OutputIssue, validateOutput } from './validate-output.ts';

export interface ParseStructuredOptions {
  /** True when the answer was stopped at a length limit: then nothing is repaired, and nothing that stands before a part that was cut off is taken. */
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
      /** `missing`: there is nothing like a value. `syntax`: it cannot be read. `schema`: it was read and does not fit. */
      readonly problem: 'missing' | 'syntax' | 'schema';
      readonly issues: readonly OutputIssue[];
    };

/**
 * Reads the value that a model was asked for out of its answer, and validates it. Lenient: the value may stand in a fenced block, in
 * prose, or alone; in JSON or YAML; thoughts are stripped; broken JSON is repaired. The last value that is valid wins. When none
 * is, the issues are those of the likeliest one.
 */
export async function parseStructured<Out>(
  text: string,
  schema: StandardSchemaV1<unknown, Out>,
  options: ParseStructuredOptions = {},
): Promise<ParsedStructured<Out>> {
  const failures: (Failure & { readonly likely: boolean })[] = [];
  for (const candidate of findCandidates(text)) {
    if (options.cut && !candidate.complete) break;
    const read = readCandidate(candidate, !options.cut);
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
