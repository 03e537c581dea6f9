import type { Outcome, QueryResult, ResultEnd, RowStream, Usage } from '@askema/core';
import { type AnswerOrigin, formatJson } from '../../format/format-json.ts';
import { groupDigits } from '../../format/group-digits.ts';
import { type AnswerFormat, isRowFormat, type RowFormat } from '../../format/output-formats.ts';
import type { CommandContext } from '../../process/command-context.ts';
import { EXIT, exitCodeOf } from '../../process/exit-code.ts';
import type { Output } from '../../process/output.ts';
import { formatDuration } from '../../terminal/duration.ts';
import { printable, printableLines } from '../../terminal/printable.ts';
import { reportError } from '../../terminal/report-error.ts';
import { clarificationText } from './ask-back.ts';
import { formatMarkdown, formatTable } from './format-rows.ts';
import { writeRows } from './write-rows.ts';

export interface PrintOptions extends Pick<CommandContext, 'out' | 'err'> {
  readonly format: AnswerFormat;
  readonly origin: AnswerOrigin;
  /** True when the built-in solver answered because nothing better was found. */
  readonly isFallback: boolean;
  /** Whether statements that were tried and not chosen are shown as well. */
  readonly showCandidates?: boolean | undefined;
  /** The command that answers a run that waits for an answer; undefined where the history does not have it. */
  readonly answerWith?: string | undefined;
  /** Rows that a table shows; the result may hold more. Default: all. */
  readonly mostShown?: number | undefined;
  /** All rows of an answer, for the formats that write them as they come; else the rows of the outcome are written. */
  readonly openRows?: ((outcome: Outcome) => Promise<RowStream>) | undefined;
}

/** What was written of a result. */
type Written = Pick<ResultEnd, 'truncated'> & { readonly rows: number };

/** Writes the outcome: data on stdout, everything else on stderr. Returns the exit code. */
export async function printOutcome(outcome: Outcome, options: PrintOptions): Promise<number> {
  const { err, format } = options;
  if (format !== 'json') {
    await printStatement(outcome, err);
    await printBases(outcome, err);
  }
  await printData(outcome, options);
  if (options.showCandidates === true && format !== 'json') await printCandidates(outcome, err);
  await printReason(outcome, options);
  if (format !== 'json') await err.write(`${err.dim(summaryLine(outcome, options.origin))}\n`);
  return exitCodeFor(outcome);
}

/** Writes the rows, and what has to be said of them. */
export async function printData(outcome: Outcome, options: PrintOptions): Promise<void> {
  const { out, err, format } = options;
  const result = 'result' in outcome ? outcome.result : undefined;
  let written: Written | undefined = result && { truncated: result.truncated, rows: result.rows.length };
  if (format === 'json') await out.write(formatJson(outcome, options.origin));
  else if (result !== undefined && isRowFormat(format) && result.columns.length > 0)
    written = await printRows(outcome, result, format, options);
  else if (result !== undefined) await printResult(result, format, options);
  if (written?.truncated !== undefined) await err.write(`${err.yellow(truncationNote(written))}\n`);
  for (const warning of outcome.warnings) await err.write(`${err.yellow('warning:')} ${printableLines(warning)}\n`);
  for (const finding of outcome.inspection?.findings ?? [])
    await err.write(
      `${err.yellow('still open:')} ${printableLines(finding.message)} ${err.dim(`[${printable(finding.code)}]`)}\n`,
    );
}

function exitCodeFor(outcome: Outcome): number {
  switch (outcome.type) {
    case 'answered':
      return EXIT.ok;
    case 'cancelled':
      return EXIT.interrupted;
    case 'failed':
      return exitCodeOf(outcome.error.code);
    default:
      return EXIT.failed;
  }
}

async function printStatement(outcome: Outcome, err: Output): Promise<void> {
  if (outcome.sql !== undefined && outcome.sql !== '') await err.write(`${err.cyan(printableLines(outcome.sql))}\n`);
  const { explanation } = outcome;
  if (explanation === undefined || explanation === '' || explanation === reasonOf(outcome)) return;
  await err.write(`${printableLines(explanation)}\n`);
}

const BASES = { metric: 'metric', rule: 'rule', verifiedQuery: 'verified query' } as const;

/** The pieces of knowledge that the answer stands on. */
export async function printBases(outcome: Outcome, err: Output): Promise<void> {
  for (const basis of outcome.type === 'answered' ? outcome.basedOn : []) {
    if (basis.kind === 'relation') continue;
    const { kind, name, definition, state, parameters } = basis;
    const filled = parameters === undefined ? '' : ` with ${JSON.stringify(parameters)}`;
    const text = `based on: ${BASES[kind]} ${name} (${state}): ${definition}${filled}`;
    await err.write(`${err.dim(printable(text))}\n`);
  }
}

/** What {@link printReason} is going to say anyway. */
function reasonOf(outcome: Outcome): string | undefined {
  if (outcome.type === 'needsClarification') return outcome.ask;
  return outcome.type === 'unanswerable' || outcome.type === 'refused' ? outcome.reason : undefined;
}

async function printRows(
  outcome: Outcome,
  result: QueryResult,
  format: RowFormat,
  options: PrintOptions,
): Promise<Written> {
  if (outcome.type !== 'answered' || options.openRows === undefined) {
    const { columns, rows, truncated } = result;
    return { truncated, rows: await writeRows({ columns, batches: [rows] }, format, options) };
  }
  const stream = await options.openRows(outcome);
  const rows = await writeRows({ columns: stream.columns, batches: stream }, format, options);
  return { truncated: stream.end?.truncated, rows };
}

/** Writes a result that is held. */
export async function printResult(
  result: QueryResult,
  format: AnswerFormat,
  options: Pick<PrintOptions, 'out' | 'err' | 'mostShown'>,
): Promise<void> {
  const { out, err } = options;
  const { columns, rows, affectedRows } = result;
  if (columns.length === 0) {
    const text = affectedRows === undefined ? 'Done.' : `${count(affectedRows, 'row')} changed.`;
    await (format === 'table' ? out : err).write(`${text}\n`);
    return;
  }
  if (format === 'markdown') return out.write(formatMarkdown(columns, rows));
  const shown = rows.slice(0, options.mostShown);
  const table = formatTable(columns, shown, out);
  const part = shown.length === rows.length ? '' : `${shown.length} of `;
  const capped = result.truncated === undefined ? '' : ', more were cut off';
  await out.write(`${table.text}(${part}${count(rows.length, 'row')}${capped})\n`);
  if (table.isCut) {
    await err.write(
      `${err.dim('Cells that end in … are longer than the terminal is wide; --format json shows them whole.')}\n`,
    );
  }
}

function truncationNote({ truncated, rows }: Written): string {
  return truncated === 'rows'
    ? `The result is cut: only its first ${count(rows, 'row')} were read. Raise --max-rows to read more.`
    : `The result is cut after ${count(rows, 'row')}: it is larger than an answer may be. Ask for fewer columns or rows.`;
}

async function printCandidates(outcome: Outcome, err: Output): Promise<void> {
  for (const { sql, status, reason, error } of outcome.candidates) {
    if (status === 'chosen') continue;
    const why = [reason, error?.message].filter((text) => text !== undefined && text !== '').join(': ');
    await err.write(
      `${err.dim(`${status}${why === '' ? '' : ` (${printable(why)})`}:`)}\n${err.dim(printableLines(sql))}\n`,
    );
  }
}

/** Writes why there is no answer, or what is asked back. */
export async function printReason(outcome: Outcome, options: PrintOptions): Promise<void> {
  const { err } = options;
  switch (outcome.type) {
    case 'answered':
      return;
    case 'needsClarification':
      await err.write(clarificationText(outcome, err));
      return err.write(
        options.answerWith === undefined
          ? `${err.dim('Answer on a terminal, or ask again and say it with --evidence.')}\n`
          : `To answer: ${err.bold(printable(options.answerWith))}\n`,
      );
    case 'unanswerable': {
      const unsaid = outcome.notUnderstood.filter((word) => !outcome.reason.includes(word));
      const words = unsaid.map((word) => `"${printable(word)}"`).join(', ');
      const understood = words === '' ? '' : ` Not understood: ${words}.`;
      const hint = options.isFallback ? ' A language model reads more: see `askema models`.' : '';
      return err.write(`${err.yellow('No answer:')} ${printableLines(outcome.reason)}${understood}${hint}\n`);
    }
    case 'refused':
      return err.write(`${err.red('Refused:')} ${printableLines(outcome.reason)}\n`);
    case 'budgetExceeded':
      if (outcome.result !== undefined) await err.write(`${err.yellow('The rows are the best answer so far.')}\n`);
      return reportError(outcome.error, err);
    case 'cancelled':
      return err.write(`${err.yellow('Stopped.')}\n`);
    case 'failed':
      if (outcome.error.code === 'ANSWER_UNCONFIRMED')
        return err.write(`${err.yellow('No answer:')} ${printableLines(outcome.error.message)}\n`);
      return reportError(outcome.error, err);
  }
}

function summaryLine(outcome: Outcome, origin: AnswerOrigin): string {
  const parts = [
    outcome.solvedBy ?? origin.model,
    origin.flow,
    outcome.calls === 0 ? '' : count(outcome.calls, 'model call'),
    tokensText(outcome.usage),
    outcome.executions === 0 ? '' : count(outcome.executions, 'statement'),
    outcome.inspection === undefined ? '' : count(outcome.inspection.iterations, 'revision'),
    confidenceText(outcome),
    formatDuration(outcome.elapsedMs),
  ];
  return printable(parts.filter((part) => part !== '').join(' · '));
}

/** Only where something measured it: most flows do not. */
function confidenceText(outcome: Outcome): string {
  if (outcome.type !== 'answered' || outcome.confidence === undefined) return '';
  const { value, from } = outcome.confidence;
  return `confidence ${Math.round(value * 100)} %${from === 'votes' ? ' of the votes' : ''}${outcome.sure ? ', sure' : ''}`;
}

export function tokensText(usage: Usage): string {
  const { inputTokens, outputTokens } = usage;
  if (inputTokens === undefined && outputTokens === undefined) return '';
  const text = (tokens: number | undefined): string => (tokens === undefined ? '?' : groupDigits(tokens));
  return `${text(inputTokens)} + ${text(outputTokens)} tokens`;
}

export function count(amount: number, noun: string): string {
  return `${groupDigits(amount)} ${noun}${amount === 1 ? '' : 's'}`;
}
