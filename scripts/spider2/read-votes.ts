import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import type { ComparableResult } from '@askema/core';
import { readCsv } from './read-csv.ts';

/** The folder of larger public data: `ASKEMA_DATA`, or `../shared/data` beside the repository. */
export const DATA = process.env.ASKEMA_DATA ?? fileURLToPath(new URL('../../../shared/data', import.meta.url));

/** A recorded answer of one thread. Its score is not here: see {@link readScores}. */
interface RecordedVote {
  readonly id: string;
  readonly slot: number;
  readonly sql: string;
  readonly result: ComparableResult;
}

/** All recorded answers of one model to one question. */
export interface RecordedTask {
  readonly instance: string;
  readonly model: string;
  readonly question: string;
  readonly votes: readonly RecordedVote[];
}

interface VoteLine {
  readonly instance_id: string;
  readonly model: string;
  readonly slot: number;
  readonly sql: string;
  readonly csv: string;
  readonly official_score: number;
}

/** True when the recorded votes are there. */
export function hasVotes(): boolean {
  return existsSync(votesFile()) && existsSync(tasksFile());
}

/** Every task that has votes, with the question, in the order of the records; slots ascending. */
export function readVotes(): readonly RecordedTask[] {
  const questions = new Map<string, string>();
  for (const line of readFileSync(tasksFile(), 'utf8').trim().split('\n')) {
    const task = JSON.parse(line) as { instance_id: string; set: string; question: string };
    if (task.set === 'snow') questions.set(task.instance_id, task.question);
  }
  const tasks = new Map<string, RecordedTask & { votes: RecordedVote[] }>();
  for (const line of lines()) {
    const key = `${line.model}/${line.instance_id}`;
    const task = tasks.get(key) ?? {
      instance: line.instance_id,
      model: line.model,
      question: questions.get(line.instance_id) ?? '',
      votes: [],
    };
    tasks.set(key, task);
    task.votes.push({ id: voteId(line), slot: line.slot, sql: line.sql, result: readCsv(line.csv) });
  }
  for (const task of tasks.values()) task.votes.sort((a, b) => a.slot - b.slot);
  return [...tasks.values()];
}

/** For scoring only, after every decision is made: whether the benchmark's evaluator found an answer right. */
export function readScores(): ReadonlyMap<string, boolean> {
  return new Map(lines().map((line) => [voteId(line), line.official_score === 1]));
}

function voteId(line: VoteLine): string {
  return `${line.model}/${line.instance_id}/${line.slot}`;
}

function lines(): readonly VoteLine[] {
  const text = gunzipSync(readFileSync(votesFile())).toString();
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as VoteLine);
}

function votesFile(): string {
  return path.join(DATA, 'spider2', 'votes.jsonl.gz');
}

function tasksFile(): string {
  return path.join(DATA, 'spider2', 'tasks.jsonl');
}
