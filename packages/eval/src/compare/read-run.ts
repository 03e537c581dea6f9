import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { AskemaError } from '@askema/core';
import * as z from 'zod';
import { fileWithin } from '../files/file-within.ts';
import type { EvaluationResult, EvaluationSummary } from '../run/evaluation-result.ts';
import type { RunRecord } from '../run/results-store.ts';

/** A run as it lies on the disk, whole or while it is being written. */
export interface StoredRun {
  /** The last part of the folder's path. */
  readonly name: string;
  readonly directory: string;
  readonly run: RunRecord;
  /** The last line of each question, in the order in which questions were first finished. */
  readonly results: readonly EvaluationResult[];
  /**
   * What the run wrote at its end; undefined before, or where it cannot be read. Its figures may be older than
   * `results`.
   */
  readonly summary?: EvaluationSummary | undefined;
  /** Lines of `results.jsonl` that are no results: counted nowhere, never dropped silently. */
  readonly unreadable: readonly { readonly line: number; readonly message: string }[];
}

/**
 * Reads the folder of an evaluation run without its lock, so also while another process writes there: a last line
 * without its end is not there yet. Lines in between that are broken are told in `unreadable`.
 *
 * @throws AskemaError `JOURNAL_INVALID` when the folder holds no run, or one of another kind.
 */
export async function readRun(directory: string): Promise<StoredRun> {
  const run = await readRecord(directory);
  const latest = new Map<string, EvaluationResult>();
  const unreadable: { line: number; message: string }[] = [];
  let line = 0;
  for await (const text of linesOf(fileOfRun(directory, 'results.jsonl'))) {
    line += 1;
    const result = parseResult(text);
    if (typeof result === 'string') unreadable.push({ line, message: `Line ${line} of results.jsonl ${result}.` });
    else latest.set(result.id, result);
  }
  if (latest.size === 0 && unreadable.length > 0) {
    throw new AskemaError(
      'JOURNAL_INVALID',
      `${directory} is no run of questions: ${unreadable[0]?.message ?? ''} Name the folder that \`eval run\` wrote.`,
    );
  }
  return {
    name: path.basename(path.resolve(directory)),
    directory,
    run,
    results: [...latest.values()],
    summary: await readSummary(fileOfRun(directory, 'summary.json')),
    unreadable,
  };
}

function fileOfRun(directory: string, name: string): string {
  return fileWithin(directory, path.join(directory, name), 'JOURNAL_INVALID');
}

async function readRecord(directory: string): Promise<RunRecord> {
  const file = fileOfRun(directory, 'run.json');
  const text = await readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    const reason = cause.code === 'ENOENT' || cause.code === 'ENOTDIR' ? 'there is no run.json' : cause.message;
    throw new AskemaError('JOURNAL_INVALID', `${directory} is no folder of a run: ${reason}.`, { cause });
  });
  const record = parseObject<RunRecord>(text);
  const { dataset, configuration, startedAt } = record ?? {};
  const isRecord =
    record?.schemaVersion === 1 &&
    typeof record.runId === 'string' &&
    typeof dataset?.name === 'string' &&
    typeof dataset.fingerprint === 'string' &&
    typeof configuration === 'object' &&
    typeof startedAt === 'string';
  if (isRecord) return record as RunRecord;
  throw new AskemaError('JOURNAL_INVALID', `${file} is no record of a run.`);
}

async function readSummary(file: string): Promise<EvaluationSummary | undefined> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const summary = parseObject<EvaluationSummary>(text);
  return summary?.schemaVersion === 1 && Array.isArray(summary.problems) ? (summary as EvaluationSummary) : undefined;
}

/**
 * Whole lines only, split at line feeds alone: JSON may hold other separators of lines. None where there is no file.
 */
async function* linesOf(file: string): AsyncGenerator<string> {
  let rest = '';
  try {
    for await (const chunk of createReadStream(file, { encoding: 'utf8', highWaterMark: 1024 * 1024 })) {
      const parts = (rest + String(chunk)).split('\n');
      rest = parts.pop() ?? '';
      yield* parts;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

function parseObject<Form>(text: string): Partial<Form> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Partial<Form>) : undefined;
  } catch {
    return undefined;
  }
}

const count = z.number().min(0);

/**
 * What a reader of results relies on; the rest of a line is kept as it stands, so that lines of later versions can be
 * read.
 */
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
  signals: z.record(z.string(), z.number()).optional(),
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
function parseResult(text: string): EvaluationResult | string {
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
