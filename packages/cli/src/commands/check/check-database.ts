import { type Adapter, AskemaError, toAskemaError } from '@askema/core';
import { loadConfig } from '../../config/load-config.ts';
import type { AddressOpeners } from '../../database/address-openers.ts';
import { resolveDatabase } from '../../database/resolve-database.ts';
import { escapeJson } from '../../format/format-json.ts';
import type { CommandContext, CommonFlags } from '../../process/command-context.ts';
import { EXIT } from '../../process/exit-code.ts';
import { parseDuration } from '../../terminal/duration.ts';
import { withoutUserInfo } from '../../terminal/printable.ts';
import { startProgressLine } from '../../terminal/progress-line.ts';
import { checkSteps } from './check-steps.ts';
import type { DatabaseReport, StepName } from './database-report.ts';
import { formatReport } from './format-report.ts';

export interface CheckDatabaseFlags extends CommonFlags {
  /** Globs over qualified names. */
  readonly include?: readonly string[] | undefined;
  readonly timeout?: string | undefined;
  readonly json?: boolean | undefined;
}

/**
 * `askema check DATABASE`; returns the exit code: 1 where a finding is an error. A database that cannot be opened or
 * reached is thrown as what it is, behind the document of `--json`.
 */
export async function runCheckDatabase(
  named: string | undefined,
  flags: CheckDatabaseFlags,
  context: CommandContext,
  openers?: AddressOpeners,
): Promise<number> {
  const { host, out } = context;
  const timeoutMs = flags.timeout === undefined ? undefined : parseDuration(flags.timeout, '--timeout');
  const loaded = await loadConfig(host.cwd, flags.config, context);
  const address = named ?? loaded.config.defaults?.database;
  if (address === undefined) throw new AskemaError('INPUT_INVALID', 'DATABASE is missing: askema check DATABASE.');
  let adapter: Adapter;
  try {
    adapter = await resolveDatabase({ address, access: 'read', loaded, flags }, context, openers);
  } catch (thrown) {
    const error = toAskemaError(thrown);
    if (flags.json === true) await out.write(toJson({ ...blank(withoutUserInfo(address)), error: error.toJSON() }));
    throw error;
  }
  const report = await lookAt(adapter, timeoutMs, flags, context);
  await out.write(flags.json === true ? toJson(report) : formatReport(report, out));
  if (report.error !== undefined) throw AskemaError.fromJSON(report.error);
  return report.ok ? EXIT.ok : EXIT.failed;
}

async function lookAt(
  adapter: Adapter,
  timeoutMs: number | undefined,
  { include }: CheckDatabaseFlags,
  { err, signal }: CommandContext,
): Promise<DatabaseReport> {
  const line = startProgressLine(err);
  try {
    const onStep = (name: StepName): void => line.show(`${DOING[name]} ${adapter.name}`);
    const checked = await checkSteps(adapter, { timeoutMs, include, signal, onStep });
    const base = { ...blank(adapter.name), dialect: adapter.dialect.displayName };
    if ('error' in checked) return { ...base, steps: checked.steps, error: checked.error.toJSON() };
    const isFine = checked.findings.every(({ severity }) => severity !== 'error');
    return { ...base, ...checked, ok: isFine };
  } finally {
    await line.stop();
    await adapter.close();
  }
}

const DOING: Readonly<Record<StepName, string>> = {
  connect: 'connecting to',
  query: 'asking',
  schema: 'reading the schema of',
  'refuse a write': 'looking how writes are refused by',
};

function blank(database: string): DatabaseReport {
  return { schemaVersion: 1, database, ok: false, findings: [], steps: [] };
}

function toJson(report: DatabaseReport): string {
  return `${escapeJson(JSON.stringify(report, null, 2))}\n`;
}
