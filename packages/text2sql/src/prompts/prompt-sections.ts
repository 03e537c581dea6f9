import {
  type Catalog,
  type Dialect,
  type ErrorClass,
  FENCE_NOTE,
  fence,
  type GenerateSqlInput,
  indexSchema,
  type Message,
  qualifiedName,
  quoteIfNeeded,
  quoteString,
  systemMessage,
  type TextPart,
  type ValueMatch,
} from '@askema/core';
import { splitWords } from '@askema/grounding';
import { keepLatest } from '../question/keep-latest.ts';
import { onOneLine } from './cut-text.ts';

/** What the prompts of all flows share. It comes first, so that vendors can cache the prefix. */
export type PromptInput = Pick<
  GenerateSqlInput,
  | 'question'
  | 'catalog'
  | 'dialect'
  | 'schemaText'
  | 'evidence'
  | 'documents'
  | 'meanings'
  | 'follows'
  | 'values'
  | 'today'
  | 'allowWrite'
> & {
  /** Columns that help to understand or check the answer are wanted beside those that the question asks for. */
  readonly extraColumns?: boolean | undefined;
};

/** Matches shown in a prompt; the best come first. */
const MAX_VALUES = 20;
const MAX_VALUE_CHARACTERS = 120;

const EXACT_COLUMNS =
  'Return exactly the columns that the question asks for, in the order in which it names them, and no others: no ids, counts or sort keys that it does not ask for. What only serves to sort or to filter stays out of the SELECT list. "For each X" and "by X" put X first, unless the question lists the columns. A thing that is listed itself is shown by its name; by its key only where it has no name, or where the key is asked for.';
const EXTRA_COLUMNS =
  'Return the columns that the question asks for first, in the order in which it names them; behind them, those that help to understand or check the answer: the measure that decides an order or an extreme, and both key and name of things that are listed themselves. None of them changes which rows there are. "For each X" and "by X" put X first, unless the question lists the columns.';

/** How to read a question and write the statement. */
const rulesOf = (extraColumns: boolean): readonly string[] => [
  'Use only relations and attributes of the schema, spelled and quoted as they stand there. Join along the keys that it shows; where a link is needed and no key shows it, join attributes whose names and values fit.',
  extraColumns ? EXTRA_COLUMNS : EXACT_COLUMNS,
  'What only groups or describes others (the region in "orders in each region", the colour in "the colour of the car") is shown as the relation of the counted or listed things stores it, even if that is a code or a key. Another relation is joined for its name or description only where the question asks for that.',
  'Compare text with values as they are stored. Where the schema or the list of values shows a spelling, use it exactly. A word of the question may be misspelt, or be stored in another case or form, as a code, or in another attribute. Where no stored spelling is shown, compare without regard to case; use wildcards only where the question gives a part of the text.',
  'Numbers that are stored as text are cast before they are compared, sorted or added.',
  'A question for the one that has the most or the least (highest, cheapest, latest, …) wants one row: ORDER BY with LIMIT 1. A plural without a number, or a question for all that share the extreme, wants a comparison with MAX or MIN; where it asks for an order of them ("the highest ones, from high to low"), it wants all of them in that order.',
  'NULL is neither 0 nor an empty text. Leave NULLs out where they would win as the smallest or largest value. Else keep them, also as a group, unless the question says otherwise. COUNT(attribute) skips NULLs; NOT IN with a NULL in its list finds nothing.',
  'A percentage is multiplied by 100; a ratio or a share is not. Keep integer division from cutting them, and averages; where a divisor can be 0, use NULLIF. Do not round, format or rename values unless the question asks for it.',
  'Use DISTINCT where the question asks for different or unique things, or where a join would repeat what it asks for; otherwise keep repetitions. Order the rows only where the question asks for an order, or for the first or the last of something.',
  'Use inner joins, unless the question also wants those that have no counterpart; "each" alone does not say so. "Fewer than n" is about those that have some, unless the question speaks of none.',
  'What the question says itself wins over definitions and documents, and these win over what a word usually means. SQL in them may be of another database: write what it means in this one.',
];

/** The sentences that decide between an answer and declining. */
export const DECLINING_RULES =
  'Prefer an answer. Say `unanswerable` only when no attribute of the schema could hold what is asked for. Say `needs_clarification` only when no statement can be written before something is said; otherwise take the natural reading and say in the explanation which one it was.';

/** About further readings, for outputs with a place for them. */
export const READING_RULES = [
  'Where people could mean something else that gives other rows, write the likelier reading as `sql`, and up to three others into `other_readings`. Of readings that are equally likely, any one is `sql`. All are run, and the person is asked only where the results differ. Such places are:',
  'A word that can mean several relations or attributes: each of them alone is a reading, not all together. Where the question names no relation and nothing else decides between them, their likelihood is equal.',
  'Several dates, or two sides of a row such as from and to, where the question names none: their likelihood is equal. "In 2020" alone means what began then (created, started, hired); what was merely there is less likely.',
  '"Last year" and the like: `sql` counts from today. That the year of the newest stored date is meant is less likely.',
  'A superlative that several may well share, such as a count or a price: `sql` follows the rule above; all that share it, or one of them, is less likely.',
].join('\n- ');

/** Behind {@link READING_RULES}. */
export const NO_READINGS =
  'A question that says what it wants has no other reading: not another order, format or column of the same answer, nor one that its words do not allow.';

/** For a few databases. */
const KEPT_SYSTEM_TEXTS = 4;

/** The system prompt of every task: rules and dialect. The same for all tasks and questions about one database. */
const systemText = keepLatest(KEPT_SYSTEM_TEXTS, (dialect: Dialect, allowWrite: boolean, extraColumns: boolean) => {
  const hints = dialect.hints.map((hint) => `- ${hint}`);
  return [
    'You work on a question about a database, which is answered with SQL. Your part in it is described after the data.',
    FENCE_NOTE,
    ['Rules for the statement that answers the question:', statementRule(allowWrite), ...rulesOf(extraColumns)].join(
      '\n- ',
    ),
    ...(hints.length === 0 ? [] : [[`About ${dialect.displayName}:`, ...hints].join('\n')]),
  ].join('\n\n');
});

function statementRule(allowWrite: boolean): string {
  return allowWrite
    ? 'Write one statement. Change data or structure only where the request asks for that change; anything else is a SELECT, with or without WITH.'
    : 'Write one statement that reads: a SELECT, with or without WITH. The database refuses everything else.';
}

/** Of how many databases the section of the schema is kept: it is the same for most questions about one. */
const KEPT_SCHEMAS = 4;

const schemaSection = keepLatest(
  KEPT_SCHEMAS,
  (engine: string, schemaText: string) => `The ${engine} database:\n${fence('schema', schemaText)}`,
);

/** What one task adds to what all tasks about a question share. */
export interface TaskText {
  /** Finished sections that several tasks of a flow have, in front of the job; fenced where they hold data. */
  readonly shared?: readonly string[] | undefined;
  readonly job: string;
  /** Rules of the task, and what it works on. */
  readonly sections?: readonly string[] | undefined;
}

/**
 * The prompt of a task: rules and data, which are the same for all tasks about a question, what tasks of its flow share,
 * its job, and the question last.
 */
export function taskMessages(input: PromptInput, { shared = [], job, sections = [] }: TaskText): readonly Message[] {
  const [schema = '', ...data] = dataSections(input);
  // Of all questions about the database, of this question, and of the tasks of the flow.
  const prefixes = [[schema], data, shared].filter((texts) => texts.length > 0);
  const behind = [`Your part: ${job}`, ...sections].join('\n\n');
  return [
    systemMessage(systemText(input.dialect, input.allowWrite, input.extraColumns === true)),
    {
      role: 'user',
      content: [
        ...prefixes.map((texts): TextPart => ({ type: 'text', text: `${texts.join('\n\n')}\n\n`, endsPrefix: true })),
        { type: 'text', text: `${behind}\n\n` },
        { type: 'text', text: `Question: ${input.question.trim()}` },
      ],
    },
  ];
}

/** The data of a prompt in its order: schema, definitions, documents, values, date. */
function dataSections(input: PromptInput): readonly string[] {
  const sections = [schemaSection(input.dialect.displayName, input.schemaText)];
  if (input.meanings !== undefined) sections.push(meaningsSection(input.meanings));
  if (input.evidence !== undefined && input.evidence.trim() !== '') {
    sections.push(`What its terms mean, by the person who asks:\n${fence('definitions', input.evidence)}`);
  }
  if (input.documents !== undefined && input.documents !== '') {
    sections.push(`Documents that the question takes for granted:\n${fence('documents', input.documents)}`);
  }
  const values = valueLines(input.values, input.catalog, input.dialect);
  if (values.length > 0) {
    sections.push(`Values in the database that words of the question may mean:\n${fence('values', values.join('\n'))}`);
  }
  sections.push(`Today is ${input.today}.`, ...followsSections(input.follows));
  return sections;
}

/** The statement that a follow-up changes; no section where the question is none. */
export function followsSections(follows: PromptInput['follows']): readonly string[] {
  if (follows === undefined) return [];
  const { question, sql, message } = follows;
  const said = message === undefined ? '' : `\n\nThen: ${onOneLine(message)}`;
  return [
    `The question below follows another one. It says which rows are meant; where it leaves open what is shown of them, and how that is computed, keep to the statement that answered the other one:\n${fence('earlier question and statement', `${onOneLine(question)}\n\n${sql}${said}`)}`,
  ];
}

/** For a flow whose statements are expanded. */
const METRIC_CALLS = [
  'Where the question asks for a metric that is defined here, write `metric(…)` in place of a formula of your own. It is computed as it is defined, with its filters and joins.',
  'One value, the same for all rows: `metric(NAME)` or `metric(NAME WHERE condition)`. It does not see the rows and groups around it.',
  'Values by group, of one metric or of several: a table in FROM, `metric(NAME, OTHER_NAME BY dataset.field, metric_time:month WHERE condition) AS m`. Its columns are the fields by their names without the dataset, `month` with the first day of each, and the metrics by their names. Grains are day, week, month, quarter and year.',
  'A group is there where one of the metrics has rows; a metric without rows is NULL in it, or 0 where its line says so. Rows that belong to nothing (a sale without a customer) are the group NULL: where things are ranked or listed, leave it out by `dataset.field IS NOT NULL`.',
  'Inside of the brackets, fields are `dataset.field` of what its line "BY and WHERE" lists, never names of the statement around them. `metric_time` is the time of each metric. A condition on it picks the days that are shown; earlier ones that a metric compares them with still count.',
].join('\n- ');

/** For a flow that writes no `metric(…)`. */
const METRIC_DEFINITIONS =
  'Where the question asks for a metric that is defined here, compute it as its line says, with its conditions and joins, and aggregate each of its parts apart.';

/** What the business means; it stands in front of what the person says, which wins over it. */
function meaningsSection({ text, hasMetrics, metricCalls }: NonNullable<PromptInput['meanings']>): string {
  const section = `What is defined about this database. What the question and the person who asks say wins over it; a verified query wins over a metric, a metric over a rule:\n${fence('knowledge', text)}`;
  if (!hasMetrics) return section;
  return `${section}\n${metricCalls ? METRIC_CALLS : METRIC_DEFINITIONS}`;
}

/** Counts and limits of questions; as cells they stand everywhere. */
const SMALL_NUMBER = /^\d{1,2}$/;

function valueLines(values: readonly ValueMatch[], catalog: Catalog, dialect: Dialect): readonly string[] {
  if (values.length === 0) return [];
  const index = indexSchema(catalog);
  const telling = values.filter(({ mention, attribute }) => {
    // The schema shows what a column holds that the question names.
    const name = splitWords(index.attribute(attribute)?.name ?? '');
    return !SMALL_NUMBER.test(mention) && !splitWords(mention).every((word) => name.includes(word));
  });
  return telling.slice(0, MAX_VALUES).flatMap((match) => {
    const attribute = index.attribute(match.attribute);
    const relation = attribute && catalog.relations[attribute.relation];
    if (attribute === undefined || relation === undefined) return [];
    const place = `${qualifiedName(relation.nameParts, dialect)}.${quoteIfNeeded(attribute.name, dialect)}`;
    return [onOneLine(`"${match.mention}": ${place} = ${stored(match.value, dialect)}`, ' ⏎ ')];
  });
}

function stored(value: string, dialect: Dialect): string {
  const text = value.replaceAll('\0', '\ufffd');
  return text.length > MAX_VALUE_CHARACTERS
    ? `${quoteString(text.slice(0, MAX_VALUE_CHARACTERS), dialect)} (and more)`
    : quoteString(text, dialect);
}

/** What to do about each class of error, for prompts that mend a statement. */
export const ERROR_ADVICE: Readonly<Partial<Record<ErrorClass, string>>> = {
  identifier: 'A name does not exist where it was used. Look it up in the schema; it may belong to another relation.',
  syntax: 'The statement does not follow the syntax of this database.',
  function: 'A function does not exist here, or takes other arguments. See what this database offers instead.',
  type: 'Values of types that do not fit were compared or combined.',
  permission: 'The statement was not allowed. Answer with a statement that only reads.',
  timeout:
    'The statement took too long and was stopped. Write one that does less: filter before joining, join along keys, avoid cross joins and endless recursion.',
};

/** Names of the catalog that are near to one that does not exist; no section where there are none. */
export function nearNamesSections(names: readonly string[] | undefined): readonly string[] {
  if (names === undefined || names.length === 0) return [];
  return [`Names that exist and are near:\n${fence('names', names.join('\n'))}`];
}
