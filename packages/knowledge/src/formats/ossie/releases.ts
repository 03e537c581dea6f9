/** What a release of Ossie knows. Sources: osi-schema.json of the tag osi-0.1.1-rc1, and ossie-schema.json of main. */
export interface Release {
  readonly version: string;
  readonly dialects: ReadonlySet<string>;
  /** Names that extensions may carry; any name when undefined. */
  readonly vendors: ReadonlySet<string> | undefined;
  readonly hasDatatype: boolean;
}

const FIRST_DIALECTS = ['ANSI_SQL', 'SNOWFLAKE', 'MDX', 'TABLEAU', 'DATABRICKS', 'MAQL'];
const FIRST_VENDORS = ['COMMON', 'SNOWFLAKE', 'SALESFORCE', 'DBT', 'DATABRICKS', 'GOODDATA'];

const first = (version: string): Release => ({
  version,
  dialects: new Set(FIRST_DIALECTS),
  vendors: new Set(FIRST_VENDORS),
  hasDatatype: false,
});

export const RELEASE_011 = first('0.1.1');
export const RELEASE_020: Release = {
  version: '0.2.0.dev0',
  dialects: new Set([...FIRST_DIALECTS, 'BIGQUERY', 'SIGMA', 'THOUGHTSPOT', 'DAX', 'OSSIE_SQL_2026']),
  vendors: undefined,
  hasDatatype: true,
};

/** By the version that a file names. No release is called 0.2.0: WrenAI writes it. */
export const RELEASES: ReadonlyMap<string, Release> = new Map([
  ['0.1.0', first('0.1.0')],
  ['0.1.1', RELEASE_011],
  ['0.2.0.dev0', RELEASE_020],
  ['0.2.0', RELEASE_020],
]);

/** Dialects that Ossie has no name for. They stand in our extension. */
export const OUR_DIALECTS: ReadonlySet<string> = new Set(['SQLITE', 'POSTGRES', 'DUCKDB', 'MYSQL']);

export const OUR_VENDOR = 'ASKEMA';
/** Under which our extension stands in a release that has no place for our name, below the key {@link OUR_KEY}. */
export const COMMON_VENDOR = 'COMMON';
export const OUR_KEY = 'askema';

/** Keys of each object, in the order in which they are written. */
export const KEYS = {
  model: ['name', 'description', 'ai_context', 'datasets', 'relationships', 'metrics', 'custom_extensions'],
  dataset: ['name', 'source', 'primary_key', 'unique_keys', 'description', 'ai_context', 'fields', 'custom_extensions'],
  field: ['name', 'expression', 'dimension', 'label', 'description', 'datatype', 'ai_context', 'custom_extensions'],
  relationship: ['name', 'from', 'to', 'from_columns', 'to_columns', 'ai_context', 'custom_extensions'],
  metric: ['name', 'expression', 'description', 'datatype', 'ai_context', 'custom_extensions'],
} as const;
