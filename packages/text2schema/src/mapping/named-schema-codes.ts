import { type DesignFindingCode, type FindingReporter, rowsFor } from '../finding-table.ts';

const { error, warning } = rowsFor('logical-designer');

/** What `schemaOfNamed` can find in a schema with names. */
export const NAMED_SCHEMA_CODES = {
  'relation-name-empty': error('A relation has no name; it was left out.'),
  'relation-repeated': error('Two relations have one name; the later one was left out.'),
  'relation-without-attributes': error('A relation has no attributes; it was left out.'),
  'attribute-name-empty': error('An attribute has no name; it was left out.'),
  'attribute-repeated': error('A relation has an attribute twice; the later one was left out.'),
  'key-missing': error('A relation has no primary key.'),
  'key-attribute-unknown': error('A primary key names what is no attribute; the name was left out.'),
  'foreign-key-target-unknown': error('A foreign key references no relation; it was left out.'),
  'foreign-key-attribute-unknown': error(
    'A foreign key names what is no attribute, or not as many on both sides; it was left out.',
  ),
  'foreign-key-no-key': error('A foreign key references what is not the whole primary key; it was kept.'),
  'foreign-key-types-differ': warning('A foreign key connects attributes of different types.'),
} as const satisfies Readonly<Record<string, DesignFindingCode>>;

/** A code of {@link NAMED_SCHEMA_CODES}. */
export type NamedSchemaCode = keyof typeof NAMED_SCHEMA_CODES;

export type NamedSchemaReporter = FindingReporter<NamedSchemaCode>;
