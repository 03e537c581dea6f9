import {
  type Adapter,
  AskemaError,
  createCallContext,
  type InspectionFinding,
  type Severity,
  type Span,
  type ValueIndex,
} from '@askema/core';
import { applyFixes, type FixedSql } from '@askema/lint';
import { splitStatements } from '@askema/sql';
import { loadConfig } from '../../config/load-config.ts';
import { openMeaningFor } from '../../database/open-meaning.ts';
import { openValues } from '../../database/open-values.ts';
import { resolveDatabase } from '../../database/resolve-database.ts';
import { readSeverities, readTools } from '../../flags/read-severities.ts';
import { escapeJson } from '../../format/format-json.ts';
import type { ReportFormat } from '../../format/output-formats.ts';
import type { CommandContext, CommonFlags } from '../../process/command-context.ts';
import { EXIT } from '../../process/exit-code.ts';
import { printableLines } from '../../terminal/printable.ts';
import { startProgressLine } from '../../terminal/progress-line.ts';
import { formatFinding, lineTable } from './format-findings.ts';
import { createLinter, type Linter } from './linter.ts';
import { readSql, type SqlSource, writeSqlFile } from './read-sql.ts';

export interface LintFlags extends CommonFlags {
  readonly file?: string | undefined;
  readonly question?: string | undefined;
  readonly fix?: boolean | undefined;
  readonly write?: boolean | undefined;
  readonly format: ReportFormat;
  readonly severity?: readonly string[] | undefined;
  readonly without?: readonly string[] | undefined;
  readonly valueIndex?: string | undefined;
}

/** One statement of the source and what is open in it; with `--fix`, of the statement as it is then. */
interface Linted {
  /** Where it stands in the source as it was read. */
  readonly span: Span;
  readonly sql: string;
  readonly findings: readonly InspectionFinding[];
  readonly fixed: FixedSql | undefined;
}

/** `askema lint DATABASE SQL`; returns the exit code: 1 where a finding is an error. */
export async function runLint(words: readonly string[], flags: LintFlags, context: CommandContext): Promise<number> {
  const { host, err, signal } = context;
  checkFlags(flags);
  const loaded = await loadConfig(host.cwd, flags.config, context);
  const { rules = [], severities: configured } = loaded.config.lint ?? {};
  const severities = readSeverities(
    flags.severity ?? [],
    configured,
    rules.map(({ code }) => code),
  );
  const without = readTools(flags.without ?? []);
  const [named, ...sql] = words;
  const preset = loaded.config.defaults?.database;
  // With a default database, the SQL alone is enough; no name of a database has blanks in it.
  const isSqlOnly = named !== undefined && sql.length === 0 && preset !== undefined && /\s/.test(named);
  const address = isSqlOnly ? preset : (named ?? preset);
  if (address === undefined)
    throw new AskemaError('INPUT_INVALID', 'DATABASE is missing: askema lint DATABASE "SELECT …".');
  const source = await readSql(isSqlOnly ? [named] : sql, flags.file, host);
  const adapter = await resolveDatabase({ address, access: 'read', loaded, flags }, context);
  const line = startProgressLine(err);
  let values: ValueIndex | undefined;
  let linter: Linter | undefined;
  try {
    line.show(`reading ${adapter.name}`);
    const callContext = createCallContext({ signal, tags: { purpose: 'lint' } });
    const catalog = await adapter.introspect({ context: callContext });
    values =
      flags.valueIndex === undefined
        ? undefined
        : await openValues(flags.valueIndex, adapter, {
            cwd: host.cwd,
            signal,
            meaning: openMeaningFor(loaded, context),
          });
    linter = createLinter({
      adapter,
      catalog,
      context: callContext,
      rules,
      severities,
      without,
      valueIndex: values,
      question: flags.question,
    });
    line.show('looking');
    const linted = await lintAll(source, linter, adapter, flags.fix === true);
    await line.stop();
    return await report(linted, source, adapter, flags, context);
  } finally {
    await line.stop();
    await linter?.close();
    await values?.close();
    await adapter.close();
  }
}

function checkFlags(flags: LintFlags): void {
  if (flags.write !== true) return;
  if (flags.fix !== true) throw new AskemaError('INPUT_INVALID', '--write writes what --fix changed; give both.');
  if (flags.file === undefined)
    throw new AskemaError('INPUT_INVALID', '--write changes the file of --file, and there is none.');
}

async function lintAll(
  source: SqlSource,
  linter: Linter,
  { dialect }: Adapter,
  isFixed: boolean,
): Promise<readonly Linted[]> {
  const linted: Linted[] = [];
  for (const span of splitStatements(source.text, dialect.lexer)) {
    const sql = source.text.slice(span.start, span.end);
    const findings = await linter.lint(sql);
    const fixed = isFixed ? applyFixes(sql, findings) : undefined;
    // What is open afterwards is what the fixed statement still has: a fix may have mended two findings, or shown
    // another one.
    if (fixed === undefined || fixed.applied.length === 0) linted.push({ span, sql, findings, fixed });
    else linted.push({ span, sql: fixed.sql, findings: await linter.lint(fixed.sql), fixed });
  }
  if (linted.length > 0) return linted;
  throw new AskemaError('INPUT_INVALID', `${source.name} holds no statement, only comments or blanks.`);
}

async function report(
  linted: readonly Linted[],
  source: SqlSource,
  adapter: Adapter,
  flags: LintFlags,
  context: CommandContext,
): Promise<number> {
  const { out, err, host } = context;
  const text = rewritten(source.text, linted);
  const findings = linted.flatMap((one) => one.findings);
  const count = (severity: Severity): number => findings.filter((one) => one.severity === severity).length;
  const counts = { error: count('error'), warning: count('warning'), note: count('note') };
  if (flags.format === 'json') {
    await out.write(toJson(linted, text, counts, adapter.name));
  } else {
    // With --fix the data on stdout is SQL; without it, the findings.
    const isPiped = flags.fix === true && flags.write !== true;
    if (isPiped) await out.write(withLineEnd(out.isTerminal ? printableLines(text.sql) : text.sql));
    const lines = lineTable(text.sql);
    for (const [index, one] of linted.entries()) {
      for (const { message } of one.fixed?.applied ?? [])
        await err.write(`${err.dim(`fixed: ${printableLines(message)}`)}\n`);
      for (const finding of one.findings) {
        const span = shifted(finding.span, text.starts[index] ?? 0);
        await (isPiped ? err : out).write(formatFinding(finding, span, lines, source.name, isPiped ? err : out));
      }
    }
    await err.write(`${err.dim(summaryOf(linted.length, counts))}\n`);
  }
  if (flags.write === true && source.file !== undefined && text.sql !== source.text)
    await writeSqlFile(source.file, text.sql, host.cwd);
  return counts.error > 0 ? EXIT.failed : EXIT.ok;
}

/** The whole source with its statements as they are now, and where each begins. */
function rewritten(
  source: string,
  linted: readonly Linted[],
): { readonly sql: string; readonly starts: readonly number[] } {
  let sql = '';
  let read = 0;
  const starts: number[] = [];
  for (const { span, sql: statement } of linted) {
    sql += source.slice(read, span.start);
    starts.push(sql.length);
    sql += statement;
    read = span.end;
  }
  return { sql: sql + source.slice(read), starts };
}

function shifted({ start, end }: Span, by: number): Span {
  return { start: start + by, end: end + by };
}

function toJson(
  linted: readonly Linted[],
  text: ReturnType<typeof rewritten>,
  counts: Readonly<Record<Severity, number>>,
  database: string,
): string {
  const lines = lineTable(text.sql);
  const statements = linted.map(({ sql, findings, fixed }, index) => {
    const start = text.starts[index] ?? 0;
    return {
      sql,
      ...lines.placeOf(start),
      findings: findings.map((finding) => ({ ...finding, ...lines.placeOf(finding.span.start + start) })),
      ...(fixed === undefined ? {} : { fixed: fixed.applied }),
    };
  });
  return `${escapeJson(JSON.stringify({ schemaVersion: 1, database, counts, statements }, null, 2))}\n`;
}

function summaryOf(statements: number, { error, warning, note }: Readonly<Record<Severity, number>>): string {
  const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
  const found = [counted(error, 'error'), counted(warning, 'warning'), counted(note, 'note')].join(', ');
  return `${counted(statements, 'statement')}: ${found}`;
}

function withLineEnd(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}
