import { defineTask, type Message, type Task } from '@askema/core';
import * as z from 'zod';
import { type PromptInput, taskMessages } from '../../../prompts/prompt-sections.ts';

const EXPECT_FORMAT_TASK_ID = 'text2sql.expect-format';

export type ExpectFormatInput = PromptInput;

const expectFormatOutput = z.object({
  reading: z
    .string()
    .describe(
      'The question in your own words, in one or two sentences: which things, which conditions, which measure.',
    ),
  columns: z
    .array(
      z.object({
        name: z.string().describe('A short column name.'),
        type: z.string().describe('text, integer, decimal, date, timestamp or boolean.'),
        meaning: z.string().describe('What it holds, with unit and range where they matter.'),
        open: z.boolean().describe('True where only the data can tell whether it is wanted, or in which form.'),
      }),
    )
    .describe('The columns of the answer in their order.'),
  // No `null` and no bounds: strict structured output of some vendors knows neither.
  rows: z
    .number()
    .describe(
      'The number of rows, where the words of the question alone determine it; 0 where they do not, or where you cannot tell.',
    ),
  record: z
    .string()
    .describe('What one row stands for, and whether things that occur several times are listed once or each time.'),
  notes: z
    .array(z.string())
    .describe('How ambiguous terms are read; order, ties, rounding, NULLs where they matter. Usually few.'),
});

export type ExpectFormatOutput = z.infer<typeof expectFormatOutput>;

const JOB =
  'You say what the answer to the question has to look like, before anybody writes the SQL. Write no SQL. Decide only what the words of the question decide: the format is held against every later result, and a wrong guess in it does harm.';

const WHICH = {
  exact: '"Which" and "list" ask for what names the things, not for everything that is known of them.',
  extra: '"Which" and "list" ask for what names the things.',
};

const formatRules = (extraColumns: boolean): readonly string[] => [
  'A question for the one thing with an extreme (the highest, the oldest, the most …) has one row; for the first or best n it has n rows; for all that share an extreme, and for lists, the number is not determined.',
  `"How many" asks for one number, in one row, unless it asks per something: then for one row each. ${WHICH[extraColumns ? 'extra' : 'exact']} "For each" or "per" makes the grouping a column of the answer.`,
  'Things or records: a question for things (which cities, which customers) lists each thing once; a question for records or values of records (list the dates of all orders) lists each record, repetitions included. "Different", "distinct" and "unique" always mean once.',
  'A question that speaks of one thing ("the colour of the car that …") although several may meet its conditions asks for a property: each different value of it once.',
  'A percentage runs from 0 to 100 where the question says percent or percentage, a ratio, share or fraction from 0 to 1. Coordinates are two columns, latitude and longitude, unless the database holds them as one value. A person’s first and last name are two columns where the database holds two and the question asks for both or for the full name.',
  'Order matters only where the question asks for one. Nothing is rounded unless the question says how.',
];

const EXTRA =
  'Beside what is asked for, add columns that help to understand or check the answer: the measure that decides an order or an extreme, and both id and name of things that are listed themselves. None of them changes which rows there are. For a term that can mean several things, note the values that it may take, or add a column for each meaning.';
const EXACT =
  'Name exactly the columns that the question asks for, in the order in which it names them, and no others: nothing that only serves to sort, to filter or to explain.';

/** The prompt of the format stage (ReFoRCE, section 3.2.2): P_init, and what a format is. */
export const expectFormatTask: Task<ExpectFormatInput, ExpectFormatOutput> = defineTask({
  id: EXPECT_FORMAT_TASK_ID,
  version: 4,
  description: 'Says which columns and rows the answer to a question has.',
  render: (input: ExpectFormatInput): readonly Message[] => {
    const extraColumns = input.extraColumns === true;
    const rules = [extraColumns ? EXTRA : EXACT, ...formatRules(extraColumns)];
    return taskMessages(input, { job: JOB, sections: [['Rules of the format:', ...rules].join('\n- ')] });
  },
  output: expectFormatOutput,
});
