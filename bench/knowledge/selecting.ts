import path from 'node:path';
import { sqliteDialect } from '../../packages/dialects/src/index.ts';
import {
  bindKnowledge,
  type Knowledge,
  type KnowledgeText,
  loadKnowledge,
  selectKnowledge,
  usableKnowledge,
} from '../../packages/knowledge/src/index.ts';
import type { Measurement, Table } from '../harness/bench.ts';
import { quantile } from '../harness/measure-work.ts';
import { scratchFolder } from '../harness/scratch.ts';
import { type Amount, makeFolder } from './make-folder.ts';
import { catalogOf } from './measure-compiling.ts';

const ROUNDS = 25;

const questions = (at: number): readonly string[] => [
  `What is the sum ${at} that the business goes by, in each month of 2024?`,
  `metric ${at} by field 3 of dataset ${at}`,
  `How many rows of kind ${at} are there in each month of 2023?`,
  `Which word 7 ${at} has the most rows, and what does the rule about returns say of it?`,
];

/** Folders of verified queries are asked as they are; rules are added here. */
async function knowledgeOf(amount: Amount, rules: number): Promise<Knowledge> {
  const folder = path.join(scratchFolder(), `select-${amount.fields}`);
  makeFolder(folder, amount, 'json');
  const { knowledge } = usableKnowledge(await loadKnowledge(folder));
  const texts = Array.from(
    { length: rules },
    (_, at): KnowledgeText => ({
      id: `rules/rule-${at}`,
      kind: 'rule',
      title: `Returns of kind ${at}`,
      text: `Rows of dataset ${at} that were returned count in the month of the return. To compare kinds, divide by metric ${at}.`,
      appliesTo: at % 2 === 0 ? [`dataset_${at}`] : [],
      priority: 0,
      standing: { state: 'accepted', source: 'file', place: { file: 'rules/returns.md' } },
    }),
  );
  return { ...knowledge, texts };
}

export function selecting(amounts: { readonly small: Amount; readonly large: Amount }): Measurement {
  return {
    kind: 'measurement',
    id: 'selecting',
    title: 'Selecting what a question needs',
    about:
      'Four questions, 25 times each with other numbers, at most 1,200 tokens, as prompts of flows show it: with a table for each metric, the fields that it reaches, and an example that is compiled. *First* builds the index, once for each knowledge.',
    async measure({ quick }): Promise<Table> {
      const rows: number[][] = [];
      for (const amount of quick ? [amounts.small] : [amounts.small, amounts.large]) {
        const knowledge = await knowledgeOf(amount, amount.metrics);
        const bound = bindKnowledge(knowledge, { catalog: catalogOf(knowledge), dialect: sqliteDialect });
        const times: number[] = [];
        for (let round = 0; round < ROUNDS; round += 1)
          for (const question of questions(round)) {
            const before = performance.now();
            const { text } = selectKnowledge(question, knowledge, { bound, metricCalls: true });
            times.push(performance.now() - before);
            if (text === '') throw new Error(`Nothing was selected for "${question}".`);
          }
        const [first = Number.NaN, ...others] = times;
        others.sort((a, b) => a - b);
        const { metrics, queries, fields } = amount;
        rows.push([metrics, queries, fields, metrics, first, quantile(others, 0.5), others.at(-1) ?? Number.NaN]);
      }
      return {
        columns: ['metrics', 'verified queries', 'fields', 'rules', 'first, ms', 'median, ms', 'slowest, ms'],
        rows,
      };
    },
  };
}
