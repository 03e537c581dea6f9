/** Features of other products, or of none, among those that ZetaSQL calls ideal. */
const LEFT_OUT =
  /SPANNER|_TEST_|ANONYMIZATION|ENCRYPTION|PROTO|TIMESTAMP_NANOS|DISALLOW_GROUP_BY_FLOAT|SQL_MACROS|SLASH_PATHS/u;

/**
 * What BigQuery speaks, as far as this build of ZetaSQL knows it: names and types of the external product, every feature that is
 * finished, and every kind of statement, so that a statement that writes is named instead of being a syntax error.
 */
export async function languageOptions(call) {
  const ideal = await call('GetLanguageOptions', { maximum_features: true });
  return {
    ...ideal,
    product_mode: 'PRODUCT_EXTERNAL',
    name_resolution_mode: 'NAME_RESOLUTION_DEFAULT',
    enabled_language_features: ideal.enabled_language_features.filter((feature) => !LEFT_OUT.test(feature)),
    supported_statement_kinds: STATEMENT_KINDS.map((kind) => `RESOLVED_${kind}_STMT`),
    // https://cloud.google.com/bigquery/docs/reference/standard-sql/lexical#reserved_keywords
    reserved_keywords: ['QUALIFY'],
  };
}

const STATEMENT_KINDS = [
  ...['QUERY', 'EXPLAIN', 'INSERT', 'UPDATE', 'DELETE', 'MERGE', 'TRUNCATE', 'ASSERT', 'CALL', 'EXECUTE_IMMEDIATE'],
  ...['CREATE_TABLE', 'CREATE_TABLE_AS_SELECT', 'CREATE_VIEW', 'CREATE_MATERIALIZED_VIEW', 'CREATE_SNAPSHOT_TABLE'],
  ...['CREATE_EXTERNAL_TABLE', 'CREATE_MODEL', 'CREATE_SCHEMA', 'CREATE_INDEX', 'CREATE_FUNCTION', 'CREATE_PROCEDURE'],
  ...['CREATE_TABLE_FUNCTION', 'CREATE_ROW_ACCESS_POLICY', 'ALTER_TABLE', 'ALTER_VIEW', 'ALTER_SCHEMA', 'ALTER_MODEL'],
  ...['ALTER_MATERIALIZED_VIEW', 'DROP', 'DROP_FUNCTION', 'DROP_TABLE_FUNCTION', 'DROP_MATERIALIZED_VIEW'],
  ...['DROP_SNAPSHOT_TABLE', 'DROP_ROW_ACCESS_POLICY', 'GRANT', 'REVOKE', 'EXPORT_DATA', 'EXPORT_MODEL', 'BEGIN'],
  ...['COMMIT', 'ROLLBACK', 'ASSIGNMENT', 'AUX_LOAD_DATA', 'CLONE_DATA', 'UNDROP', 'ANALYZE', 'RENAME'],
];
