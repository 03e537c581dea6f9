import { createHash } from 'node:crypto';
import { AskemaError, type Attribute, type AttributeId, type Catalog, oneLine } from '@askema/core';
import { attributeRows, readMeta, writeMeta } from './attribute-rows.ts';
import type { Database } from './driver.ts';

/** What tells catalogs apart. */
export interface CatalogIdentity {
  readonly name: string;
  readonly dialect: string;
  /** The entry of each attribute, by id; see {@link attributeEntry}. */
  readonly entries: ReadonlyMap<AttributeId, string>;
}

export function identityOf(catalog: Catalog): CatalogIdentity {
  const { name, dialect, schema } = catalog;
  return {
    name,
    dialect,
    entries: new Map(schema.attributes.map((attribute) => [attribute.id, attributeEntry(catalog, attribute)])),
  };
}

/** Characters of a name in a message. */
const MAX_NAME = 200;

/**
 * Refuses a catalog that is not of the database that the index was built from: another dialect; or no indexed attribute
 * is in it; or it has another name and not every indexed attribute is in it. A database that was renamed passes, and
 * one whose structure has changed.
 *
 * @throws AskemaError `CONFIG_INVALID`.
 */
export function checkCatalog(database: Database, catalog: CatalogIdentity, path: string): void {
  const name = readMeta(database, 'catalogName');
  const dialect = readMeta(database, 'dialect');
  if (name === undefined || dialect === undefined) return;
  const { entries } = catalog;
  const rows = attributeRows(database);
  const known = rows.filter(({ attribute, entry }) => entries.get(attribute) === entry).length;
  const isOther =
    catalog.dialect !== dialect || (rows.length > 0 && known === 0) || (catalog.name !== name && known < rows.length);
  if (!isOther) return;
  // What stands in the file may be of any length.
  const [indexed, asked] = [{ name, dialect }, catalog].map(
    (of) => `${oneLine(of.dialect, MAX_NAME)} database ${JSON.stringify(oneLine(of.name, MAX_NAME))}`,
  );
  const from =
    indexed === asked ? `another ${indexed}, or from another state of it` : `the ${indexed}, not from the ${asked}`;
  throw new AskemaError(
    'CONFIG_INVALID',
    `The value index ${JSON.stringify(path)} was built from ${from} (${known} of ${rows.length} attributes are the same); open or build the index of that database, at another path.`,
  );
}

/** Notes whose cells the index holds. */
export function noteCatalog(database: Database, catalog: Catalog): void {
  writeMeta(database, 'catalogName', catalog.name);
  writeMeta(database, 'dialect', catalog.dialect);
  writeMeta(database, 'fingerprint', catalog.fingerprint);
}

/** What makes an attribute another one: its type, and which relation of which kind it is in. Comments do not. */
export function attributeEntry(catalog: Catalog, { id, name, type, relation }: Attribute): string {
  const { nameParts, kind, definition } = catalog.relations[relation] ?? {};
  const { nativeType, collation } = catalog.attributes[id] ?? {};
  const parts = [name, type, nativeType, collation, nameParts?.database, nameParts?.schema, nameParts?.relation, kind];
  return createHash('sha256')
    .update(JSON.stringify([...parts, definition]))
    .digest('hex')
    .slice(0, 32);
}
