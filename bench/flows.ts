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
  notes: [
    'Few tables: the whole schema is the shortest prompt up to 100 tables. `plain` sends rules, facts about the engine and the schema of its output beside the schema, some 2,400 tokens that do not grow, and shows values of columns.',
    'Many tables: the schema in a prompt has a budget, so tokens stop growing between 100 and 1,000 tables. At 10,000 the whole schema is no prompt any more: it is over three times as long as a context of 200,000 tokens. That `plain` finds the table among 10,000 is seen here for one question whose words name it; how often it does elsewhere is a matter of the evaluations.',
    'What vendors keep of a prompt: the whole schema is the same for every question, so a second question is all but repeated. From 100 tables on, `plain` repeats its rules alone: a value that a word of the question means stands as an example at its column, and the tables are chosen by the words of the question, so the text of the schema differs. Where a vendor takes a tenth for what is repeated, a second question with the whole schema costs less than one by `plain` at 1,000 tables.',
    'Within a question of `refine`, 71 to 79 % of the tokens stand in messages that begin like earlier ones. Its tasks have different outputs, though. Where a vendor puts the schema of the output in front of the messages, 44 % are repeated: each task has two threads, of which the second repeats the first.',
    'Time: a program that sends the whole schema reads one column of one table of SQLite, in its own thread. A flow starts a process that can be killed, reads columns, keys and samples, builds a catalog, and looks for the words of the question in cells; a later question pays for its own tables alone.',
  ],
};

await main(import.meta.url, bench);
