import { STABLE_FUNCTIONS } from './stable-functions.ts';

/**
 * Functions that PostgreSQL calls volatile and that only read: by the extension that brings them, '' for those of
 * the engine itself. Every other volatile function of the engine or of an extension is refused where only reading is
 * allowed. Sources, all on https://www.postgresql.org/docs/current: functions-math, functions-datetime,
 * functions-uuid, functions-info, functions-admin (sizes, states of recovery), functions-sequence, monitoring-stats,
 * and the pages of contrib.
 */
const HARMLESS: Readonly<Record<string, string>> = {
  '': `random random_normal clock_timestamp timeofday gen_random_uuid uuidv4 uuidv7 current_query currval lastval
    pg_sequence_last_value pg_database_size pg_indexes_size pg_relation_size pg_table_size pg_tablespace_size pg_total_relation_size
    pg_partition_ancestors pg_partition_tree pg_blocking_pids pg_safe_snapshot_blocking_pids pg_lock_status pg_prepared_xact
    pg_is_in_recovery pg_is_wal_replay_paused pg_get_wal_replay_pause_state pg_last_wal_receive_lsn pg_last_wal_replay_lsn
    pg_last_xact_replay_timestamp pg_current_wal_flush_lsn pg_current_wal_insert_lsn pg_current_wal_lsn pg_last_committed_xact
    pg_xact_commit_timestamp pg_xact_commit_timestamp_origin pg_xact_status txid_status pg_get_multixact_members pg_jit_available
    pg_collation_actual_version pg_database_collation_actual_version pg_control_checkpoint pg_control_init
    pg_control_recovery pg_control_system pg_get_shmem_allocations pg_get_backend_memory_contexts pg_stat_have_stats
    pg_stat_get_recovery_prefetch pg_stat_get_xact_blocks_fetched pg_stat_get_xact_blocks_hit pg_stat_get_xact_function_calls
    pg_stat_get_xact_function_self_time pg_stat_get_xact_function_total_time pg_stat_get_xact_numscans
    pg_stat_get_xact_tuples_deleted pg_stat_get_xact_tuples_fetched pg_stat_get_xact_tuples_hot_updated
    pg_stat_get_xact_tuples_inserted pg_stat_get_xact_tuples_returned pg_stat_get_xact_tuples_updated`,
  pgcrypto:
    'gen_random_bytes gen_random_uuid gen_salt pgp_pub_encrypt pgp_pub_encrypt_bytea pgp_sym_encrypt pgp_sym_encrypt_bytea',
  // Those of version 1 ask a service of the machine, and open a file.
  'uuid-ossp': 'uuid_generate_v4',
  tablefunc: 'normal_rand',
  // What reads foreign tables; programs are refused by the options of the table. What it does elsewhere is not seen.
  file_fdw: 'file_fdw_handler',
  postgres_fdw: 'postgres_fdw_handler',
  // A setting of the session, which the ROLLBACK of the call takes back.
  pg_trgm: 'set_limit',
  pg_buffercache: 'pg_buffercache_pages',
  pg_freespacemap: 'pg_freespace',
  pg_stat_statements: 'pg_stat_statements pg_stat_statements_info',
  pg_visibility: 'pg_visibility pg_visibility_map pg_visibility_map_summary',
  pgrowlocks: 'pgrowlocks',
  pgstattuple: 'pg_relpages pgstatginindex pgstathashindex pgstatindex pgstattuple pgstattuple_approx',
  sslinfo:
    'ssl_cipher ssl_client_cert_present ssl_client_dn ssl_client_dn_field ssl_client_serial ssl_extension_info ssl_is_used ssl_issuer_dn ssl_issuer_field ssl_version',
  postgis: 'st_generatepoints',
  timescaledb: 'time_bucket_gapfill locf interpolate',
};

/**
 * Functions that PostgreSQL does not call volatile and that do more than read: they run SQL given as text, read tables
 * whose names they are given, take a number of a transaction, check a domain whose name they are given, compute the
 * constant calls in the body of a function or in the key of a partitioned table; or evaluate an XPath, which neither a
 * deadline nor the end of the connection stops.
 */
const ACTING: Readonly<Record<string, string>> = {
  '': `database_to_xml database_to_xml_and_xmlschema database_to_xmlschema schema_to_xml schema_to_xml_and_xmlschema
    schema_to_xmlschema table_to_xml table_to_xml_and_xmlschema table_to_xmlschema pg_current_xact_id txid_current
    xpath xpath_exists xmlexists array_in domain_in multirange_in range_in record_in
    fmgr_sql_validator fmgr_c_validator fmgr_internal_validator pg_get_partition_constraintdef satisfies_hash_partition
    pg_input_is_valid pg_input_error_info`,
  // It sets a variable of the server's process, which no ROLLBACK takes back.
  isn: 'isn_weak',
  tablefunc: 'connectby crosstab crosstab2 crosstab3 crosstab4',
  xml2: 'xpath_bool xpath_list xpath_nodeset xpath_number xpath_string xpath_table xslt_process',
};

const namesOf = (lists: Readonly<Record<string, string>>): ReadonlySet<string> =>
  new Set(Object.entries(lists).flatMap(([from, names]) => names.split(/\s+/).map((name) => `${from}.${name}`)));

const NAMES = namesOf(HARMLESS);
const ACTING_NAMES = namesOf(ACTING);

/** The names of functions that are refused although PostgreSQL does not call them volatile. */
export const actingNames: readonly string[] = Object.values(ACTING).flatMap((names) => names.split(/\s+/));

const STABLE = new Set(STABLE_FUNCTIONS);

/**
 * Whether a function of the engine (`extension` is '') or of an extension only reads. Of the engine's own that are not
 * volatile, {@link functionsQuery} gives those alone that are on a list of acting ones, or STABLE and unknown.
 */
export function isHarmless(extension: string, name: string, isVolatile = true): boolean {
  if (isVolatile) return NAMES.has(`${extension}.${name}`);
  return !ACTING_NAMES.has(`${extension}.${name}`) && (extension !== '' || STABLE.has(name));
}
