import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type GoldResult, loadDataset, type OfficialRule, readPandasCsv, scoreSpider2 } from '@askema/eval';
import { DATA } from './read-votes.ts';

/** A task of the Snow set with what its evaluator accepts. */
export interface OfficialTask {
  readonly id: string;
  readonly rule: Extract<OfficialRule, { benchmark: 'spider2' }>;
  readonly accepted: readonly GoldResult[];
}

/** A recorded answer with the score that the Python evaluator gave it. */
export interface RecordedAnswer {
  readonly id: string;
  readonly name: string;
  readonly csv: string;
  readonly official: number;
}

/** True when tasks, accepted results and recorded answers are there. */
export function hasOfficialData(): boolean {
  return ['tasks.jsonl', 'gold-results.jsonl.gz', 'votes.jsonl.gz'].every((file) => existsSync(fileOf(file)));
}

/** All tasks of the Snow set, as they are loaded; the Lite set shares their accepted files. */
export async function readOfficialTasks(): Promise<readonly OfficialTask[]> {
  const { questions } = await loadDataset(path.join(DATA, 'spider2'), {
    format: 'spider2-snow',
    databases: 'elsewhere',
  });
  return questions.flatMap(({ id, official, goldResults = [] }) =>
    official?.benchmark === 'spider2' ? [{ id, rule: official, accepted: goldResults }] : [],
  );
}

/** Every recorded answer. */
export function readAnswers(): readonly RecordedAnswer[] {
  return readLines<VoteLine>('votes.jsonl.gz').map((line) => ({
    id: line.instance_id,
    name: `${line.model}/${line.instance_id}/${line.slot}`,
    csv: line.csv,
    official: line.official_score,
  }));
}

/** The score of a CSV; 0 where it cannot be read, as in the evaluator. */
export function scoreCsv(task: OfficialTask, csv: string, strict: boolean): 0 | 1 {
  try {
    return scoreSpider2(task.accepted, task.rule, readPandasCsv(csv), { strict });
  } catch {
    return 0;
  }
}

/**
 * A CSV with the values of each column moved down by another number of rows, so that only the association in rows is
 * lost.
 */
export function shiftColumns(csv: string): string | undefined {
  const { columns, rowCount } = readPandasCsv(csv);
  if (columns.length < 2 || rowCount < 2) return undefined;
  const cell = (column: number, row: number): string => {
    const value = columns[column]?.cells[(row + column) % rowCount];
    const text = value === undefined ? '' : typeof value === 'boolean' ? (value ? 'True' : 'False') : `${value}`;
    return `"${text.replaceAll('"', '""')}"`;
  };
  const lines = Array.from({ length: rowCount }, (_, row) => columns.map((_one, at) => cell(at, row)).join(','));
  return [columns.map((_, at) => `c${at}`).join(','), ...lines].join('\n');
}

interface VoteLine {
  readonly instance_id: string;
  readonly model: string;
  readonly slot: number;
  readonly csv: string;
  readonly official_score: number;
}

function readLines<Line>(file: string): readonly Line[] {
  const bytes = readFileSync(fileOf(file));
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}

function fileOf(file: string): string {
  return path.join(DATA, 'spider2', file);
}
