import { AskemaError, type JsonValue } from '@askema/core';
import * as z from 'zod';
import type { Caller } from '../contract.ts';
import { REQUEST, type RunRequest } from '../runs/run-record.ts';

const CALLER = z.strictObject({
  subject: z.string(),
  tenant: z.string().optional(),
  role: z.string().optional(),
  scopes: z.array(z.string()),
  hide: z.array(z.string()),
  mask: z.array(z.string()),
  // `false` lifts one.
  limits: z.record(z.string(), z.union([z.number(), z.literal(false)])).optional(),
});

const JOB = z.strictObject({
  caller: CALLER,
  /** Of the record. */
  id: z.string(),
  run: z.string(),
  /** How often the run had ended before: with another number it is another job. */
  attempt: z.int().min(0),
  request: REQUEST,
  answer: z.strictObject({ run: z.string(), answer: z.string() }).optional(),
});

/** A question as it is put down for whichever server has room, with whose it is. */
export type QuestionJob = z.infer<typeof JOB>;

export interface QuestionJobParts {
  readonly id: string;
  readonly run: string;
  readonly attempt: number;
  readonly request: RunRequest;
  readonly answer?: { readonly run: string; readonly answer: string } | undefined;
}

/** The same question gives the same text, whichever server puts it down: so it is done once. */
export function writeJob(caller: Caller, { id, run, attempt, request, answer }: QuestionJobParts): JsonValue {
  const { subject, tenant, role, scopes, limits, hide = [], mask = [] } = caller;
  const { kind, database, text, options } = request;
  const sorted = (patterns: readonly string[]) => [...new Set(patterns)].sort();
  const job = {
    caller: { subject, tenant, role, scopes: sorted(scopes), limits, hide: sorted(hide), mask: sorted(mask) },
    ...{ id, run, attempt },
    request: { kind, database, text, options },
    answer: answer && { run: answer.run, answer: answer.answer },
  };
  // Without what is undefined.
  return JSON.parse(JSON.stringify(job)) as JsonValue;
}

/** @throws AskemaError `INPUT_INVALID`. */
export function readJob(json: JsonValue): QuestionJob {
  const { data } = JOB.safeParse(json);
  if (data !== undefined) return data;
  throw new AskemaError('INPUT_INVALID', 'A job of the queue is no question. All its servers must have one version.');
}
