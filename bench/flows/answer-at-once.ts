import type { ModelRequest } from '@askema/core';
import { type ScriptedReply, scriptedModel } from '@askema/testkit';

/** What is asked for, with the rows that answer it. */
export const QUESTIONS = [
  { city: 'Lisbon', names: ['Ada Silva', 'Cem Kaya'] },
  { city: 'Malmo', names: ['Bo Lind'] },
] as const;

export const questionOf = (city: string): string => `List the full name of the customers in ${city}.`;
export const statementOf = (city: string): string => `SELECT full_name FROM customers WHERE city = '${city}'`;

const CITY = /^(?:Question: )?List the full name of the customers in (\w+)\.$/gm;

/** A model of this process that gives each task its right output at once, and keeps what it was sent. */
export const answersAtOnce = () =>
  scriptedModel((request) => {
    const seen = request.messages.flatMap(({ content }) => content.map((part) => ('text' in part ? part.text : '')));
    return replyTo(request, [...seen.join('\n').matchAll(CITY)].at(-1)?.[1] ?? '');
  });

function replyTo({ output, tools, messages }: ModelRequest, city: string): ScriptedReply {
  const sql = statementOf(city);
  const answer = { outcome: 'sql', sql, explanation: 'As it was asked.', not_understood: [] };
  if (tools?.some(({ name }) => name === 'add_from') === true) return { toolCalls: clauses(city) };
  if (tools?.some(({ name }) => name === 'terminate') === true) {
    const looked = messages.some(({ role }) => role === 'tool');
    return {
      toolCalls: [
        looked
          ? { name: 'terminate', arguments: answer }
          : { name: 'execute_sql', arguments: { sql: 'SELECT DISTINCT city FROM customers LIMIT 100' } },
      ],
    };
  }
  const task = output?.name.replace('text2sql_', '');
  if (task === undefined) return `\`\`\`sql\n${sql}\n\`\`\``;
  return { json: { ...answer, expand: [], ...FURTHER[task]?.(city) } };
}

/** The fields of tasks that do not write a statement alone. */
const FURTHER: Readonly<Record<string, (city: string) => object>> = {
  'generate-actions-of-part': (city) => ({
    thinking: 'One row is a customer; a condition on the city.',
    outcome: 'actions',
    actions: clauses(city).map((clause) => ({ action: clause.name, ...clause.arguments })),
  }),
  'refine-sql': () => ({ thinking: 'One row is a customer; a condition on the city.' }),
  'expect-format': () => ({
    reading: 'The names of all customers whose city is the named one.',
    columns: [{ name: 'full_name', type: 'text', meaning: 'the name of the customer' }],
    rows: 0,
    record: 'one customer',
    notes: [],
  }),
  'explore-columns': () => ({
    relevant: [{ relation: 'customers', attributes: ['full_name', 'city'] }],
    probes: ['city', 'full_name', 'segment', 'credit_limit', 'created_at', 'is_active', 'remarks'].flatMap((column) => [
      probe(`values of ${column}`, `SELECT DISTINCT ${column} FROM customers LIMIT 100`),
      probe(`customers for each ${column}`, `SELECT ${column}, COUNT(*) FROM customers GROUP BY ${column} LIMIT 100`),
    ]),
  }),
  'review-result': (city) => ({
    assessment: 'One row is a customer of that city, as asked.',
    problems: [],
    is_right: true,
    sql: statementOf(city),
    check: '',
  }),
};

const probe = (purpose: string, sql: string) => ({ purpose, looksFor: 'contents', sql });

const clauses = (city: string) => [
  { name: 'add_from', arguments: { relation: 'customers', joins: [] } },
  {
    name: 'add_where',
    arguments: { left: 'city', operator: '=', right: [{ kind: 'text', value: city }], link: 'none', group: 0 },
  },
  { name: 'add_select', arguments: { distinct: false, items: ['full_name'] } },
];
