import { fence } from '@askema/core';
import { cutText } from '../../../prompts/cut-text.ts';
import type { PromptInput } from '../../../prompts/prompt-sections.ts';
import { resultView } from '../../../prompts/result-view.ts';
import type { AnswerFormat, RefineAttempt, ResultDoubt, ThreadChat, ThreadKnowledge } from '../state/refine-state.ts';

/** What the prompts of a thread share, beside the data of every flow. */
export interface RefinePromptInput extends PromptInput {
  readonly format: AnswerFormat | null;
  readonly knowledge: ThreadKnowledge;
  /** The expected format binds as the head of a CSV file. */
  readonly strictFormat?: boolean | undefined;
  /** Descriptions of relations that were asked for. */
  readonly expanded: readonly string[];
  /** Where the thread is one chat. What it was told is not said again. */
  readonly conversation?: ThreadChat | undefined;
}

/** Earlier statements that a prompt shows at most; the last ones count. */
const MAX_ATTEMPTS = 6;
/** Of an earlier result a glance is enough. */
const MAX_EARLIER_CHARACTERS = 1_200;
/** Of an earlier statement or its error. */
const MAX_STATEMENT_CHARACTERS = 12_000;

/** What the thread found out beside P_init, and the rules of all its tasks: the same for all rounds. */
export function refineSections(input: RefinePromptInput): readonly string[] {
  const sections: string[] = [];
  if (input.format !== null) sections.push(formatSection(input.format, input));
  sections.push(...expandedSections(input.expanded));
  const { profile, exploration } = input.knowledge;
  if (profile !== '') sections.push(`What the columns hold:\n${profile}`);
  if (exploration !== '') sections.push(`What was looked up in the database for this question:\n${exploration}`);
  return [...sections, ['What decides most often:', ...CARE_RULES].join('\n- ')];
}

/** Relations that a compressed schema left out. */
export function expandedSections(texts: readonly string[]): readonly string[] {
  return texts.map((text) => `More of the schema, as you asked for:\n${fence('schema', text)}`);
}

/** What decides most often between a right and a nearly right statement. */
const CARE_RULES: readonly string[] = [
  'What was looked up in the database goes before what names suggest: spellings, codes, units, which of two similar columns is filled, whether a key is unique.',
  'Of two columns that could be meant, take the one whose name or comment is nearest to the words of the question, and that stands in the relation of the thing asked for; a column with the same words in another relation often means something else.',
  'Before joining, ask what a row stands for afterwards. A join along one-to-many repeats the rows of the one side: count DISTINCT keys, or aggregate before joining. Join no relation from which nothing is needed: it drops rows without a counterpart.',
  'Where the question asks for things, not for records, and a join or the data let the statement meet one thing several times, list it once.',
  'Where an expected format is given, it says what is shown: take each column from the relation that already holds it.',
  'When a tie at the extreme would change the answer and the question asks for one, order by the measure alone and take one row; when it asks for all that share it, compare with the extreme.',
  'Filter a group with HAVING, a row with WHERE. Where all or none is asked for, NOT EXISTS says it more safely than NOT IN.',
];

const OPEN = ' The data decide what is open.';

/**
 * The expected answer format, as a CSV header and notes (section 3.2.2). Written by a model, so it stands in a fence.
 */
export function formatSection(
  format: AnswerFormat,
  { strictFormat, extraColumns }: Pick<RefinePromptInput, 'strictFormat' | 'extraColumns'> = {},
): string {
  const { columns, rows, record, notes } = format;
  if (strictFormat === true) return strictSection(format, extraColumns === true);
  const lines = [
    columns.map(({ name, type }) => `${csvCell(name)}:${type}`).join(','),
    ...columns.map(({ name, meaning, open }) => `- ${name}${open === true ? ' (open)' : ''}: ${meaning}`),
    `One row: ${record}`,
    `Rows: ${rows === null ? 'open' : rows}`,
    ...notes.map((note) => `- ${note}`),
  ];
  const open = rows === null || columns.some((column) => column.open === true) ? OPEN : '';
  const which = extraColumns === true ? `${RETURN}${FURTHER}` : RETURN;
  return `The expected format of the answer, written before anybody saw the data. ${which}, and depart from it only where the data show that it misreads the question.${open}\n${fence('format', lines.join('\n'))}`;
}

const RETURN = 'Return these columns in this order';
const FURTHER = ', and helpful ones behind them';

/** The head of the CSV file that the answer is, and a line that says what stands in each place (section 3.2.2). */
function strictSection({ columns, rows, record, notes }: AnswerFormat, extraColumns: boolean): string {
  const lines = [
    columns.map(({ name }) => csvCell(name)).join(','),
    columns.map(({ type, meaning }) => csvCell(`${type}: ${meaning}`)).join(','),
    '',
    `A line: ${record}`,
    `Lines below the head: ${rows === null ? 'as many as the data give' : rows}`,
    ...notes.map((note) => `- ${note}`),
  ];
  const names = `The result is written to a CSV file with this head: ${RETURN.toLowerCase()} and under these names${extraColumns ? FURTHER : ', and no others'}.`;
  return `The format of the answer. Follow it strictly. ${names}\n${fence('format', lines.join('\n'))}`;
}

/** The statements before this one: what they gave, and what was found wrong. */
export function attemptSections(attempts: readonly RefineAttempt[]): readonly string[] {
  return attempts.slice(-MAX_ATTEMPTS).map((attempt) => {
    const statement = fence('statement', cutText(attempt.sql, MAX_STATEMENT_CHARACTERS));
    return [`Tried before:\n${statement}`, ...outcomeLines(attempt)].join('\n');
  });
}

/** What became of statements that stand in the chat already. */
export function outcomeSections(attempts: readonly RefineAttempt[]): readonly string[] {
  return attempts.map((attempt) => ['What became of your last statement:', ...outcomeLines(attempt)].join('\n'));
}

function outcomeLines({ error, result, doubts, reviews = [] }: RefineAttempt): readonly string[] {
  const lines: string[] = [];
  if (error !== undefined)
    lines.push(`It failed:\n${fence('error', cutText(error.message, MAX_STATEMENT_CHARACTERS))}`);
  if (result !== undefined)
    lines.push(`It gave:\n${fence('result', cutText(resultView(result), MAX_EARLIER_CHARACTERS))}`);
  const problems = [...doubts.map(({ message }) => message), ...reviews.flatMap((review) => review.problems)];
  if (problems.length > 0) lines.push(`What speaks against it:\n${fence('problems', problems.join('\n'))}`);
  return lines;
}

/** Doubts that were computed, as facts; those that quote names or cells stand in a fence. */
export function doubtSection(doubts: readonly ResultDoubt[]): readonly string[] {
  const plain = doubts.filter(({ quotesData }) => quotesData !== true);
  const quoting = doubts.filter(({ quotesData }) => quotesData === true);
  return [
    ...(plain.length === 0
      ? []
      : [['Facts about this result:', ...plain.map(({ message }) => `- ${message}`)].join('\n')]),
    ...(quoting.length === 0
      ? []
      : [
          `What speaks against it, found by inspecting the statement:\n${fence('problems', quoting.map(({ message }) => message).join('\n'))}`,
        ]),
  ];
}

function csvCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
