import { type ModelRequest, textOf } from '@askema/core';
import { type ScriptedModel, type ScriptedReply, scriptedModel } from '@askema/testkit';
import { createText2Sql } from '../../create-text2sql.ts';
import { type ScriptedAdapter, scriptedAdapter } from '../../fixtures/scripted-adapter.ts';
import type { AskOptions, Text2SqlOptions } from '../../text2sql-options.ts';
import { refine } from './refine.ts';
import type { RefineOptions } from './refine-options.ts';

/** For tests: what a statement gives. */
export type Answer = Parameters<typeof scriptedAdapter>[0];

/** What is asked: by which thread (its sample), for the how many-th time in that thread, with which prompt. */
interface Turn {
  readonly thread: number;
  readonly visit: number;
  readonly prompt: string;
}

type Reply = (turn: Turn) => ScriptedReply | undefined;

/** Replies of a scripted model by task; what is missing has a reply that lets everything go well. */
export interface Script {
  readonly format?: Reply;
  readonly explore?: Reply;
  readonly write?: Reply;
  readonly review?: Reply;
  readonly choose?: Reply;
  readonly ctes?: Reply;
  /** All other tasks. */
  readonly other?: Reply;
}

export const FORMAT = {
  reading: 'who there is',
  columns: [{ name: 'name', type: 'text', meaning: 'the name', open: false }],
  rows: 0,
  record: 'one customer',
  notes: [],
};

export const writes = (sql: string, more: object = {}): ScriptedReply => ({
  json: {
    thinking: '',
    outcome: 'sql',
    sql,
    explanation: 'read as asked',
    not_understood: [],
    other_readings: [],
    format_departs: '',
    expand: [],
    ...more,
  },
});

const review = (more: object): ScriptedReply => ({
  json: {
    would_refute: '',
    assessment: '',
    problems: [],
    is_right: true,
    sql: '',
    other_readings: [],
    check: '',
    ...more,
  },
});
/** A review that keeps the statement, and says that the question can be read otherwise as well. */
export const readsAlso = (readings: readonly object[]): ScriptedReply => review({ other_readings: readings });
/** A review that keeps the statement and calls it right. */
export const keeps = review({});
export const checks = (check: string): ScriptedReply => review({ check });
/** A review that cannot tell, and wants a check first. */
export const doubts = (check: string): ScriptedReply => review({ check, is_right: false });
export const changes = (sql: string): ScriptedReply =>
  review({ is_right: false, problems: ['a condition is missing'], sql });

const TASKS: Readonly<Record<string, keyof Script>> = {
  'expect-format': 'format',
  'explore-columns': 'explore',
  'refine-sql': 'write',
  'review-result': 'review',
  'choose-answer': 'choose',
  'write-ctes': 'ctes',
};

const DEFAULTS: Required<Script> = {
  format: () => ({ json: FORMAT }),
  explore: () => ({ json: { relevant: [], probes: [] } }),
  write: () => writes('SELECT name FROM customer'),
  review: () => keeps,
  choose: () => ({ json: { reason: 'it fits', choice: 'A' } }),
  ctes: () => undefined,
  other: () => undefined,
};

/** The short name of the task that a request is for. */
export function taskOf(request: ModelRequest): string {
  return (request.output?.name ?? '').replace('text2sql_', '');
}

/** A model that answers by task and thread. */
export function threadModel(script: Script = {}): ScriptedModel {
  const visits = new Map<string, number>();
  return scriptedModel((request) => {
    const task = taskOf(request);
    const name = TASKS[task] ?? 'other';
    const key = `${task} ${request.sample}`;
    const visit = (visits.get(key) ?? 0) + 1;
    visits.set(key, visit);
    const prompt = request.messages.map(({ content }) => textOf(content)).join('\n');
    return (script[name] ?? DEFAULTS[name])({ thread: request.sample, visit, prompt });
  });
}

/** Tasks and threads of all requests, sorted, with how often. */
export function callsOf({ requests }: Pick<ScriptedModel, 'requests'>): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const request of requests) {
    const key = `${taskOf(request)} ${request.sample}`;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return Object.fromEntries(Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Without exploration, profile and CTE stage unless asked for: each has tests of its own. */
export const BARE: RefineOptions['stages'] = { exploration: false, profile: false, cte: false };

/** Every result is reviewed, so that whole threads are seen; `review-doubted.test.ts` has the rule of the preset. */
const REVIEWED: RefineOptions['rules'] = { review: 'always' };

/** Asks `Who?` with the refine flow. */
export async function askRefine(
  answer: Answer,
  model: Text2SqlOptions['model'],
  options: RefineOptions = {},
  more: { readonly options?: Partial<Text2SqlOptions>; readonly ask?: AskOptions } = {},
) {
  const adapter: ScriptedAdapter = scriptedAdapter(answer);
  const stages = { ...BARE, ...options.stages };
  const rules = { ...REVIEWED, ...options.rules };
  const text2sql = createText2Sql({ adapter, model, flow: refine({ ...options, stages, rules }), ...more.options });
  const outcome = await text2sql.ask('Who?', { today: '2024-03-09', ...more.ask });
  return { outcome, adapter };
}
