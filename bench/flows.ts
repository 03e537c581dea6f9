/** What each flow sends and takes, by the size of the schema. Usage: npm run -s flows --prefix bench [-- --quick] */
import type { Bench } from './harness/bench.ts';
import { main } from './harness/main.ts';

export const bench: Bench = {
  id: 'flows',
  title: 'Flows over the size of the schema',
  about:
    'Two questions about one of 10 to 10,000 tables of 8 columns (SQLite, in families as a large company has them), by each flow with its default options. The model is one of this process that gives each task its right output at once, so nothing has to be mended: a real model adds its own time, and further calls where it errs. `whole schema` is what a program without a framework sends: every CREATE TABLE of the database and the question, in one prompt; it runs the statement with better-sqlite3. `direct` is the baseline of `@askema/text2sql` that does the same with the schema as askema writes it.',
  peers: ['better-sqlite3'],
  parts: [
    {
      kind: 'measurement',
      id: 'tokens',
      title: 'What is sent',
      about:
        'Calls and tokens are those of the first question. Tokens are counted by `countTokensRoughly`, tools and the schema of the output included. `grew as` is the power of the relations by which they grew since the size before. `fits 200,000` is whether the longest prompt does. `repeated` is the share of tokens at the beginning of messages with which an earlier call began as well: calls of the first question have only each other, those of the second also the ones of the first. `tools and schema too` counts them only where the tools and the schema of the output are the same, for vendors that put these in front.',
      measure: async (options) => (await import('./flows/measure-flows.ts')).measureTokens(options),
    },
    {
      kind: 'measurement',
      id: 'times',
      title: 'What it takes, without the model',
      about:
        'Medians of three processes for each, in turns, from the question to its rows. The first question of an instance starts the process of SQLite and reads the schema, its samples and keys; nothing was kept on disk. `processor` is that of the process that asks.',
      measure: async (options) => (await import('./flows/measure-flows.ts')).measureTimes(options),
    },
  ],
  notes: [],
};

await main(import.meta.url, bench);
