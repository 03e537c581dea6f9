import type { Dialect, Schema } from '@askema/core';
import { writeDbml, writeDdl, writeDrizzle, writeMermaid, writePrisma } from '@askema/dialects';
import { type DesignOutcome, writeDesignReport, writeSvg } from '@askema/text2schema';
import { escapeJson } from '../../format/format-json.ts';
import type { ReportFormat } from '../../format/output-formats.ts';
import type { CommandContext } from '../../process/command-context.ts';
import { EXIT, exitCodeOf } from '../../process/exit-code.ts';
import { formatDuration } from '../../terminal/duration.ts';
import { printableLines } from '../../terminal/printable.ts';
import { reportError } from '../../terminal/report-error.ts';
import type { DesignFolder } from './design-folder.ts';
import { openTestLines, testCounts } from './test-lines.ts';

interface DesignPrint extends WrittenOutputs {
  /** The folder of the files, as people read it. */
  readonly folder: string;
  readonly format: ReportFormat;
  readonly elapsedMs: number;
}

/**
 * The DDL on stdout, everything else on stderr; or all of it as JSON on stdout. Where the design was stopped or failed,
 * stdout stays empty: what there is of it is in the folder. Returns the exit code.
 */
export async function printDesign(
  outcome: DesignOutcome,
  print: DesignPrint,
  context: CommandContext,
): Promise<number> {
  const { out, err } = context;
  if (print.format === 'json') {
    await out.write(`${escapeJson(JSON.stringify(summaryOf(outcome, print), null, 2))}\n`);
  } else if (print.ddl !== undefined && (outcome.type === 'designed' || outcome.type === 'budgetExceeded')) {
    await out.write(out.isTerminal ? printableLines(print.ddl) : print.ddl);
  }
  const isRejected = outcome.type === 'designed' && !outcome.accepted;
  // The last warning of a design that was not accepted says why.
  for (const warning of isRejected ? outcome.warnings.slice(0, -1) : outcome.warnings)
    await err.write(`${err.yellow('warning:')} ${printableLines(warning)}\n`);
  for (const problem of print.problems) await err.write(`${err.yellow('not written:')} ${printableLines(problem)}\n`);
  await printAssumptions(outcome, context);
  await printTests(outcome, context);
  const code = await printEnding(outcome, context);
  if (print.files.length > 0) await err.write(err.dim(`${printableLines(print.folder)}: ${print.files.join(', ')}\n`));
  await err.write(err.dim(`${footer(outcome, print)}\n`));
  return code === EXIT.ok && print.problems.length > 0 ? EXIT.failed : code;
}

async function printAssumptions(outcome: DesignOutcome, { err }: CommandContext): Promise<void> {
  const clarifications = outcome.artefacts.report?.clarifications ?? [];
  for (const { kind, question, quotes, assumption, answer } of clarifications) {
    const quoted = quotes.map((quote) => `  “${printableLines(quote)}”\n`).join('');
    const held = answer === undefined ? `assumed: ${assumption}` : `answered: ${answer}`;
    await err.write(`${err.yellow(`${kind}:`)} ${printableLines(question)}\n${quoted}  ${printableLines(held)}\n`);
  }
  const told = new Set(clarifications.map(({ assumption }) => assumption));
  for (const assumption of outcome.assumptions)
    if (!told.has(assumption)) await err.write(`${err.yellow('assumed:')} ${printableLines(assumption)}\n`);
}

/** Tests that did not pass beyond these stand in the report alone. */
const MAX_TESTS = 10;

/** What became of the tests that know no design. */
async function printTests(outcome: DesignOutcome, { err }: CommandContext): Promise<void> {
  const counts = testCounts(outcome.artefacts);
  if (outcome.preset !== 'tested' || counts === '') return;
  const isAccepted = outcome.type === 'designed' && outcome.accepted;
  await err.write(`${isAccepted ? 'accepted: ' : ''}${counts}\n`);
  const open = openTestLines(outcome.artefacts);
  for (const each of open.slice(0, MAX_TESTS)) await err.write(`  ${printableLines(each)}\n`);
  if (open.length > MAX_TESTS) await err.write(`  and ${open.length - MAX_TESTS} more; see report.md\n`);
}

async function printEnding(outcome: DesignOutcome, { err }: CommandContext): Promise<number> {
  switch (outcome.type) {
    case 'designed':
      if (!outcome.accepted) {
        const why = outcome.warnings.at(-1) ?? 'It is the best schema so far.';
        await err.write(`${err.yellow('not accepted:')} ${printableLines(why)}\n`);
      }
      return EXIT.ok;
    case 'refused':
      await err.write(`${err.red('refused:')} ${printableLines(outcome.reason)}\n`);
      return EXIT.failed;
    case 'needsClarification':
      await err.write(`${err.yellow('The requirement must be made clear first.')}\n`);
      return EXIT.failed;
    case 'cancelled':
      await err.write(`${err.yellow('Stopped.')} The same command goes on where it stopped.\n`);
      return EXIT.interrupted;
    default:
      await reportError(outcome.error, err);
      await err.write('The same command goes on where it stopped.\n');
      return exitCodeOf(outcome.error.code);
  }
}

function footer(outcome: DesignOutcome, { elapsedMs }: DesignPrint): string {
  const { calls, rounds, usage, strategy, preset, solvedBy } = outcome;
  const run = outcome.artefacts.testReport?.run;
  const unit = preset === 'tested' ? 'tests' : 'test steps';
  return [
    solvedBy.join(', '),
    preset === undefined ? strategy : `${strategy} (${preset})`,
    `${calls} model ${calls === 1 ? 'call' : 'calls'}`,
    rounds === 0 ? '' : `${rounds} ${rounds === 1 ? 'round' : 'rounds'}`,
    run === undefined ? '' : `${run.counts.passed} of ${run.results.length} ${unit} passed`,
    usage.inputTokens === undefined ? '' : `${usage.inputTokens} + ${usage.outputTokens ?? '?'} tokens`,
    formatDuration(elapsedMs),
  ]
    .filter((part) => part !== '')
    .map(printableLines)
    .join(' · ');
}

function summaryOf(outcome: DesignOutcome, { files, problems, folder }: DesignPrint): unknown {
  const { transcript, requirement: _, ...rest } = outcome;
  return { schemaVersion: 1, ...rest, messages: transcript.length, folder, files, problems };
}

/** What was written, by names within the folder, and what could not be. */
interface WrittenOutputs {
  readonly files: readonly string[];
  readonly problems: readonly string[];
  /** Of the first dialect; undefined where there is no schema, or none that this dialect can have. */
  readonly ddl: string | undefined;
}

/**
 * Writes everything that can be made of an outcome: DDL, diagrams, ORM schemas, report, transcript. One output that
 * fails does not keep the others from being written.
 */
export async function writeOutputs(
  outcome: DesignOutcome,
  schema: Schema | undefined,
  dialects: readonly Dialect[],
  folder: DesignFolder,
): Promise<WrittenOutputs> {
  const files: string[] = [];
  const problems: string[] = [];
  const write = async (name: string, make: () => string | Promise<string>): Promise<void> => {
    try {
      await folder.write(name, withLineEnd(await make()));
      files.push(name);
    } catch (error) {
      problems.push(`${name}: ${(error as Error).message}`);
    }
  };
  let ddl: string | undefined;
  if (schema !== undefined) {
    await write('schema.json', () => JSON.stringify(schema, null, 2));
    for (const dialect of dialects) {
      await write(`schema.${dialect.name}.sql`, () => {
        const text = withLineEnd(writeDdl(schema, dialect));
        if (dialect === dialects[0]) ddl = text;
        return text;
      });
    }
    await write('diagram.mmd', () => writeMermaid(schema));
    await write('diagram.svg', () => writeSvg(schema));
    await write('schema.dbml', () => writeDbml(schema));
    const orm = dialects.map(({ ormName }) => ormName).find((name) => name !== undefined) ?? 'sqlite';
    await write('schema.prisma', () => writePrisma(schema, { provider: orm }));
    await write('schema.drizzle.ts', () => writeDrizzle(schema, { dialect: orm }));
  }
  await write('report.md', () => writeDesignReport(outcome, { dialect: dialects[0] }));
  await write('transcript.json', () => JSON.stringify(outcome.transcript, null, 2));
  files.push(...(await folder.writePhases(outcome.artefacts)));
  return { files, problems, ddl };
}

/** The schema of an outcome, finished or not. */
export function schemaOf(outcome: DesignOutcome): Schema | undefined {
  const named = 'schema' in outcome ? outcome.schema : undefined;
  return named ?? outcome.artefacts.design?.schema;
}

function withLineEnd(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}
