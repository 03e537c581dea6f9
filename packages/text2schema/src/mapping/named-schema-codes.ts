import type { DesignFinding } from '../model/index.ts';

/** What `schemaOfNamed` can find in a schema with names. */
export const NAMED_SCHEMA_CODES = {
  'relation-name-empty': { severity: 'error', meaning: 'A relation has no name; it was left out.' },
  'relation-repeated': { severity: 'error', meaning: 'Two relations have one name; the later one was left out.' },
  'relation-without-attributes': { severity: 'error', meaning: 'A relation has no attributes; it was left out.' },
  'attribute-name-empty': { severity: 'error', meaning: 'An attribute has no name; it was left out.' },
  'attribute-repeated': {
    severity: 'error',
    meaning: 'A relation has an attribute twice; the later one was left out.',
  },
  'key-missing': { severity: 'error', meaning: 'A relation has no primary key.' },
  'key-attribute-unknown': {
    severity: 'error',
    meaning: 'A primary key names what is no attribute; the name was left out.',
  },
  'foreign-key-target-unknown': {
    severity: 'error',
    meaning: 'A foreign key references no relation; it was left out.',
  },
  'foreign-key-attribute-unknown': {
    severity: 'error',
    meaning: 'A foreign key names what is no attribute, or not as many on both sides; it was left out.',
  },
  'foreign-key-no-key': {
    severity: 'error',
    meaning: 'A foreign key references what is not the whole primary key; it was kept.',
  },
  'foreign-key-types-differ': { severity: 'warning', meaning: 'A foreign key connects attributes of different types.' },
} as const satisfies Readonly<Record<string, { severity: DesignFinding['severity']; meaning: string }>>;

/** A code of {@link NAMED_SCHEMA_CODES}. */
export type NamedSchemaCode = keyof typeof NAMED_SCHEMA_CODES;

/** Takes a finding: code, subject, what is wrong, what to do. */
export type NamedSchemaReporter = (code: NamedSchemaCode, subject: string, message: string, remedy: string) => void;
