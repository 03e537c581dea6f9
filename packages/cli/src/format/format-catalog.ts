import { type Adapter, AskemaError, type Catalog, type Dialect } from '@askema/core';
import { writeDbml, writeDdl, writeDrizzle, writeMermaid, writePrisma } from '@askema/dialects';
import { dialectNamed } from '../design/design-dialects.ts';
import { escapeJson } from './format-json.ts';
import { ORM_NAMES, type OrmName, ormNameOf } from './orm-name.ts';
import type { SchemaFormat } from './output-formats.ts';

/**
 * A catalog in a format of `askema schema`. `dialect` names another dialect than that of the database, for DDL, Prisma and Drizzle.
 *
 * @throws AskemaError `INPUT_INVALID` for an unknown dialect, one that the format does not know, and a dialect where the format has none.
 */
export async function formatCatalog(
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
      return withLineEnd(adapter.compressor(catalog).text);
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

function ormName(dialect: Dialect, format: SchemaFormat): OrmName {
  const name = ormNameOf(dialect);
  if (name !== undefined) return name;
  throw new AskemaError(
    'INPUT_INVALID',
    `--format ${format} is not there for ${dialect.displayName}: name --dialect ${Object.keys(ORM_NAMES).join(', ')}.`,
  );
}

function withLineEnd(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
