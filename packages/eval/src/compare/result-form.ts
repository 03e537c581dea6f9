import * as z from 'zod';
import type { EvaluationResult } from '../run/evaluation-options.ts';

const count = z.number().min(0);

/** What a reader of results relies on; the rest of a line is kept as it stands, so that lines of later versions can be read. */
const RESULT = z.looseObject({
  schemaVersion: z.literal(1),
  id: z.string(),
  databaseId: z.string(),
  category: z.string(),
  difficulty: z.string(),
  question: z.string(),
  verdict: z.enum(['right', 'wrong', 'declined', 'failed', 'goldFailed']),
  outcome: z.string(),
  reason: z.string().optional(),
  sql: z.string().optional(),
  goldSql: z.array(z.string()),
  usage: z.looseObject({ inputTokens: count.optional(), outputTokens: count.optional() }),
  calls: count,
  executions: count,
  elapsedMs: count,
  costUsd: count.optional(),
  solvedBy: z.string().optional(),
  confidence: z.number().optional(),
  sure: z.boolean().optional(),
  warnings: z.array(z.string()),
  validSql: z.boolean().optional(),
  scores: z.record(z.string(), z.number()).optional(),
  goldHashes: z.array(z.string()).optional(),
  error: z.looseObject({ code: z.string() }).optional(),
  goldDrift: z.looseObject({ since: z.string() }).optional(),
  metricErrors: z.record(z.string(), z.string()).optional(),
  finishedAt: z.string(),
});

/** A line of `results.jsonl` as a result, or what is wrong with it, to be said after the name of the line. */
export function parseResult(text: string): EvaluationResult | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return `is no JSON: ${(error as Error).message}`;
  }
  const parsed = RESULT.safeParse(value);
  if (parsed.success) return value as EvaluationResult;
  const complaints = parsed.error.issues
    .slice(0, 3)
    .map(({ path, message }) => `${path.join('.') || 'it'}: ${message}`);
  return `is no result: ${complaints.join('; ')}`;
}
