import { setTimeout as delay } from 'node:timers/promises';
import { textOf } from '@askema/core';
import type { Dataset, DatasetQuestion } from '../../packages/eval/src/index.ts';
import { scriptedModel } from '../harness/scripted-model.ts';

/** What a model takes before it answers; a fast one, so that the rest shows. */
export const MODEL_MS = 20;
const CUSTOMERS = 20;

const sqlFor = (customer: number): string =>
  `SELECT c.name, COUNT(*) AS orders, SUM(o.total_amount) AS amount FROM customers AS c JOIN "order" AS o ON o.customer_id = c.customer_id WHERE c.customer_id <= ${customer} GROUP BY c.customer_id ORDER BY amount DESC`;

/** Answers each question by its number; keeps no requests, so that memory is that of the run. */
export const scripted = scriptedModel(async (messages) => {
  await delay(MODEL_MS);
  const asked = messages.map(({ content }) => textOf(content as never)).join('\n');
  return sqlFor(Number(/up to number (\d+)/.exec(asked)?.[1]));
});

export function questions(count: number, file: string): Dataset {
  const rows = Array.from({ length: count }, (_, at): DatasetQuestion => {
    const customer = (at % CUSTOMERS) + 1;
    return {
      id: `q${at}`,
      databaseId: 'store',
      question: `Question ${at}: how many orders did the customers up to number ${customer} place, and for what amount?`,
      goldSql: [sqlFor(customer)],
      category: 'joins',
      difficulty: at % 2 === 0 ? 'easy' : 'hard',
      orderMatters: false,
      features: [],
      line: at + 1,
    };
  });
  return {
    name: 'bench',
    directory: '.',
    questions: rows,
    databases: { store: { id: 'store', file } as never },
    problems: [],
    fingerprint: String(count),
  };
}
