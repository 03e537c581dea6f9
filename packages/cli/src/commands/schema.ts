import { type Adapter, AskemaError, createCallContext } from '@askema/core';
import { readCheckFlags } from '../check/check-flags.ts';
import { printCheck } from '../check/print-check.ts';
import { loadConfig } from '../config/load-config.ts';
import { resolveDatabase } from '../database/resolve-database.ts';
import { formatCatalog } from '../format/format-catalog.ts';
import type { SchemaFormat } from '../format/output-formats.ts';
import { EXIT } from '../process/exit-code.ts';
import { printableLines } from '../terminal/printable.ts';
import { startProgressLine } from '../terminal/progress-line.ts';
import type { CommandContext, CommonFlags } from './command-context.ts';

export interface SchemaFlags extends CommonFlags {
  readonly format: SchemaFormat;
  /** Of DDL, Prisma and Drizzle; that of the database when left out. */
  readonly dialect?: string | undefined;
  /** Globs over qualified names. */
  readonly include?: readonly string[] | undefined;
  /** Look for what speaks against the schema instead of printing it. */
  readonly check?: boolean | undefined;
  /** With `check`: at the rows too. */
  readonly data?: boolean | undefined;
  readonly maxRows?: string | undefined;
  readonly timeout?: string | undefined;
}

/** `askema schema DATABASE`; returns the exit code: with `--check` 1 where a finding is an error. */
export async function runSchema(
  named: string | undefined,
  flags: SchemaFlags,
  context: CommandContext,
): Promise<number> {
  const { host, out, err, signal } = context;
  const check = readCheckFlags(flags);
  const loaded = await loadConfig(host.cwd, flags.config);
  const address = named ?? loaded.config.defaults?.database;
  if (address === undefined) {
    throw new AskemaError('INPUT_INVALID', 'DATABASE is missing: askema schema DATABASE.');
  }
  const adapter = await resolveDatabase({ address, access: 'read', loaded }, context);
  const line = startProgressLine(err);
  try {
    line.show(`reading ${adapter.name}`);
    const catalog = await adapter.introspect({ include: flags.include, context: createCallContext({ signal }) });
    if (check !== undefined && catalog.schema.relations.length > 0)
      return await printCheck(adapter, catalog, check, line, context);
    await line.stop();
    const text = await formatCatalog(catalog, flags.format, adapter, flags.dialect);
    // Names and comments of a hostile database must not move the cursor; a file gets them as they are.
    await out.write(out.isTerminal ? printableLines(text) : text);
    for (const gap of catalog.incomplete) {
      await err.write(`${err.yellow('not read:')} ${printableLines(`${gap.subject}: ${gap.reason}`)}\n`);
    }
    if (catalog.schema.relations.length === 0) await err.write(`${emptyNote(adapter, flags.include)}\n`);
    return EXIT.ok;
  } finally {
    await line.stop();
    await adapter.close();
  }
}

function emptyNote(adapter: Adapter, include: readonly string[] | undefined): string {
  return include === undefined
    ? `${printableLines(adapter.name)} holds no tables and no views.`
    : `No table or view of ${printableLines(adapter.name)} fits --include ${include.join(' ')}.`;
}
