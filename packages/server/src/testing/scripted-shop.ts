import {
  type AdapterSpec,
  AskemaError,
  type ResultEvent,
  type Row,
  type ScopeOptions,
  type Solver,
} from '@askema/core';
import { sqliteDialect } from '@askema/dialects';
import { plain } from '@askema/text2sql';
import type { OpenedFor, ServedDatabase } from '../contract.ts';
import { SHOP } from './shop-catalog.ts';

export interface ShopOptions {
  /** Of the statement, for a tenant. Default: one row that names both. */
  readonly rows?: ((sql: string, tenant: string) => readonly Row[]) | undefined;
  /** Called for each question that the model is asked. */
  readonly onModel?: ((question: string) => Promise<void> | void) | undefined;
  readonly title?: string | undefined;
  /** The database that a message is about, by its words. Default: the model reads no messages. */
  readonly reads?: ((message: string) => string) | undefined;
}

export interface ScriptedShop extends ServedDatabase {
  /** Statements of questions and callers, as `TENANT: SQL`. */
  readonly sent: string[];
  /** Those that were stopped. */
  readonly stopped: string[];
  readonly questions: string[];
  /** Resolves when a statement that stands still has begun. */
  standing(): Promise<void>;
}

/**
 * A database and a model by script. The words of a question decide: `which` is asked back, `slow` stands still until it
 * is stopped, `nothing` is not stored; any other reads `users`.
 */
export function scriptedShop({ rows, onModel, title = 'What is sold', reads }: ShopOptions = {}): ScriptedShop {
  const [sent, stopped, questions]: [string[], string[], string[]] = [[], [], []];
  const waiting: (() => void)[] = [];
  let begun = 0;
  const solver: Solver = {
    name: 'scripted',
    supports: (task) => task === 'text2sql.generate-sql' || (reads !== undefined && task === 'conversation.rewrite'),
    async solve(task, input, _context) {
      const { question = '', message } = input as { readonly question?: string; readonly message?: string };
      questions.push(message ?? question);
      await onModel?.(message ?? question);
      const { value, ...more } =
        message === undefined ? replyTo(question) : { value: readAs(message, reads?.(message) ?? '') };
      const checked = await task.output['~standard'].validate(value);
      if (checked.issues !== undefined) throw new Error('The script has another form than the task.');
      const spent = { usage: { inputTokens: 10, outputTokens: 2 }, calls: 1, solvedBy: 'scripted', warnings: [] };
      return { value: checked.value, ...spent, ...more };
    },
  };
  const spec = ({ tenant = '-' }: OpenedFor): AdapterSpec => ({
    contract: 1,
    dialect: sqliteDialect,
    name: 'shop',
    access: 'read',
    executor: {
      async *execute(sql, { context, maxRows }): AsyncGenerator<ResultEvent, void, void> {
        // What is looked up beside questions has no part in the script.
        if (context.path.endsWith('/samples')) throw new Error('No answer.');
        if (/^delete/i.test(sql)) throw new AskemaError('QUERY_NOT_READ_ONLY', 'It writes.');
        sent.push(`${tenant}: ${sql}`);
        if (sql.includes('slow')) {
          begun += 1;
          for (const wake of waiting.splice(0)) wake();
          try {
            await untilAborted(context.signal);
          } finally {
            stopped.push(`${tenant}: ${sql}`);
          }
        }
        const all = rows?.(sql, tenant) ?? [[`${tenant}-canary`, sql]];
        const names = all[0]?.map((_cell, at) => `c${at}`) ?? ['c0'];
        yield { type: 'columns', columns: names.map((name) => ({ name, nativeType: '', type: 'TEXT' })) };
        yield { type: 'rows', rows: all.slice(0, maxRows) };
        yield { type: 'end', truncated: all.length > maxRows ? 'rows' : undefined };
      },
    },
    introspector: { introspect: async () => SHOP },
    planner: { check: async () => ({ verdict: 'ok' }) },
    sampleValues: async (ids) => Object.fromEntries(ids.map((id) => [id, [`${tenant}-sample`]])),
    scope: (_: ScopeOptions) => spec({ tenant }),
    close: async () => undefined,
  });
  return {
    title,
    ...{ sent, stopped, questions },
    async standing() {
      if (begun > 0) begun -= 1;
      else
        await new Promise<void>((resolve) => waiting.push(resolve)).then(() => {
          begun -= 1;
        });
    },
    open: (who) => ({ adapter: spec(who), text2sql: { model: solver, flow: plain(), linkValues: false } }),
  };
}

function readAs(message: string, database: string): object {
  return { kind: 'new', turn: 0, question: message, database, detail: '', questions: [] };
}

function replyTo(question: string) {
  const nothing = { outcome: 'sql', explanation: 'read as asked', not_understood: [] };
  if (question.includes('which'))
    return {
      value: { ...nothing, outcome: 'needs_clarification', sql: '', explanation: 'Placed or shipped?' },
      readings: [
        { meaning: 'By the day they were placed.', sql: 'SELECT id FROM users' },
        { meaning: 'By the day they were shipped.', sql: 'SELECT name FROM users' },
      ],
    };
  if (question.includes('nothing')) return { value: { ...nothing, outcome: 'unanswerable', sql: '' } };
  const sql = question.includes('slow') ? "SELECT name FROM users WHERE name = 'slow'" : 'SELECT name FROM users';
  return { value: { ...nothing, sql } };
}

function untilAborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_resolve, reject) => {
    const stop = () => reject(signal?.reason ?? new Error('stopped'));
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
