import { type Adapter, AskemaError, type Catalog, createCallContext, type Dialect } from '@askema/core';
import { writeDbml, writeDdl, writeDrizzle, writeMermaid, writePrisma } from '@askema/dialects';
import { servicesOf } from '@askema/grounding';
import { loadConfig } from '../../config/load-config.ts';
import { resolveDatabase } from '../../database/resolve-database.ts';
import { escapeJson } from '../../format/format-json.ts';
import type { SchemaFormat } from '../../format/output-formats.ts';
import { dialectNamed, ORM_DIALECTS } from '../../format/target-dialects.ts';
import type { CommandContext, CommonFlags } from '../../process/command-context.ts';
import { EXIT } from '../../process/exit-code.ts';
import { printableLines } from '../../terminal/printable.ts';
import { startProgressLine } from '../../terminal/progress-line.ts';
import { printCheck, readCheckFlags } from './print-check.ts';

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
  const loaded = await loadConfig(host.cwd, flags.config, context);
  const address = named ?? loaded.config.defaults?.database;
  if (address === undefined) {
    throw new AskemaError('INPUT_INVALID', 'DATABASE is missing: askema schema DATABASE.');
  }
  const adapter = await resolveDatabase({ address, access: 'read', loaded, flags }, context);
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

/**
 * A catalog in a format of `askema schema`. `dialect` names a different dialect than that of the database, for DDL,
 * Prisma and Drizzle.
 *
 * @throws AskemaError `INPUT_INVALID` for an unknown dialect, one that the format does not know, and a dialect where
 * the format has none.
 */
async function formatCatalog(
  catalog: Catalog,
  format: SchemaFormat,
  adapter: Adapter,
  dialect: string | undefined,
): Promise<string> {
  if (dialect !== undefined && !['ddl', 'prisma', 'drizzle'].includes(format))
    throw new AskemaError('INPUT_INVALID', `--dialect goes with --format ddl, prisma or drizzle, not with ${format}.`);
  const target = dialect === undefined ? adapter.dialect : dialectNamed(dialect);
  switch (format) {
    case 'text':
      return withLineEnd(servicesOf(adapter).compressor(catalog).text);
    case 'ddl':
      return withLineEnd(writeDdl(catalog, target));
    case 'mermaid':
      return withLineEnd(writeMermaid(catalog));
    case 'dbml':
      return withLineEnd(writeDbml(catalog));
    case 'prisma':
      return withLineEnd(writePrisma(catalog, { provider: ormName(target, format) }));
    case 'drizzle':
      return withLineEnd(writeDrizzle(catalog, { dialect: ormName(target, format) }));
    case 'svg': {
      const { writeSvg } = await import('@askema/text2schema');
      return withLineEnd(await writeSvg(catalog, { title: catalog.name }));
    }
    case 'json':
      return `${escapeJson(JSON.stringify(catalog, null, 2))}\n`;
  }
}

function ormName(dialect: Dialect, format: SchemaFormat): NonNullable<Dialect['ormName']> {
  if (dialect.ormName !== undefined) return dialect.ormName;
  throw new AskemaError(
    'INPUT_INVALID',
    `--format ${format} is not there for ${dialect.displayName}: name --dialect ${ORM_DIALECTS.join(', ')}.`,
  );
}

function withLineEnd(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
