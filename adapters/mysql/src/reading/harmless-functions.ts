/**
 * The functions of MySQL 8 and MariaDB that only compute or read; any other one is refused where only reading is
 * allowed. Sources: https://dev.mysql.com/doc/refman/8.4/en/built-in-function-reference.html, and
 * information_schema.SQL_FUNCTIONS of MariaDB 10.11. Left out on purpose: what waits or locks (SLEEP, GET_LOCK), reads
 * files (LOAD_FILE, BINLOG_GTID_POS, DES_*), changes the session or a sequence (LAST_INSERT_ID, NEXTVAL, SETVAL).
 */
const NAMES = `
  abs acos add_months adddate addtime aes_decrypt aes_encrypt any_value ascii asin atan atan2 avg
  bin bin_to_uuid bit_and bit_count bit_length bit_or bit_xor
  cast ceil ceiling char_length character_length charset chr coalesce coercibility collation column_add column_check
  column_create column_delete column_exists column_get column_json column_list compress concat concat_operator_oracle
  concat_ws connection_id conv convert_tz cos cot count crc32 crc32c cume_dist curdate current_role curtime
  date date_add date_format date_sub datediff day dayname dayofmonth dayofweek dayofyear decode decode_histogram
  decode_oracle degrees dense_rank elt encode exp export_set extract extractvalue
  field find_in_set first_value floor format format_bytes format_pico_time found_rows from_base64 from_days from_unixtime
  from_vector get_format greatest group_concat grouping gtid_subset gtid_subtract
  hex hour icu_version ifnull inet6_aton inet6_ntoa inet_aton inet_ntoa instr is_free_lock is_ipv4 is_ipv4_compat
  is_ipv4_mapped is_ipv6 is_used_lock is_uuid isnull
  json_array json_array_append json_array_insert json_array_intersect json_arrayagg json_compact json_contains
  json_contains_path json_depth json_detailed json_equals json_exists json_extract json_insert json_key_value json_keys
  json_length json_loose json_merge json_merge_patch json_merge_preserve json_normalize json_object
  json_object_filter_keys json_object_to_array json_objectagg json_overlaps json_pretty json_query json_quote
  json_remove json_replace json_schema_valid json_schema_validation_report json_search json_set json_storage_free
  json_storage_size json_table json_type json_unquote json_valid json_value
  lag last_day last_value lastval lcase lead least length lengthb ln locate log log10 log2 lower lpad lpad_oracle ltrim
  ltrim_oracle make_set makedate maketime max md5 median microsecond mid min minute month monthname
  name_const natural_sort_key now nth_value ntile nullif nvl nvl2 oct octet_length old_password ord
  password percent_rank percentile_cont percentile_disc period_add period_diff pi position pow power
  ps_current_thread_id ps_thread_id quarter quote
  radians rand random_bytes rank regexp_instr regexp_like regexp_replace regexp_substr replace_oracle reverse
  roles_graphml round row_count row_number rpad rpad_oracle rtrim rtrim_oracle
  sec_to_time second session_user sformat sha sha1 sha2 sign sin soundex space sqrt statement_digest
  statement_digest_text std stddev stddev_pop stddev_samp str_to_date strcmp string_to_vector subdate substr
  substr_oracle substring substring_index subtime sum sys_guid sysdate system_user
  tan time time_format time_to_sec timediff timestamp timestampadd timestampdiff to_base64 to_char to_date to_days
  to_number to_seconds to_vector trim trim_oracle trunc truncate
  ucase uncompress uncompressed_length unhex unix_timestamp updatexml upper user uuid uuid_short uuid_to_bin
  validate_password_strength value var_pop var_samp variance vec_distance vec_distance_cosine vec_distance_euclidean
  vec_fromtext vec_totext vector_dim vector_distance vector_to_string version week weekday weekofyear weight_string
  wsrep_last_seen_gtid wsrep_last_written_gtid year yearweek
  area asbinary astext aswkb aswkt boundary buffer centroid contains convexhull crosses dimension disjoint endpoint
  envelope equals exteriorring geomcollfromtext geomcollfromwkb geometrycollection geometrycollectionfromtext
  geometrycollectionfromwkb geometryfromtext geometryfromwkb geometryn geometrytype geomfromtext geomfromwkb glength
  interiorringn intersects isclosed isempty isring issimple linefromtext linefromwkb linestring linestringfromtext
  linestringfromwkb mbrcontains mbrcoveredby mbrcovers mbrdisjoint mbrequal mbrequals mbrintersects mbroverlaps
  mbrtouches mbrwithin mlinefromtext mlinefromwkb mpointfromtext mpointfromwkb mpolyfromtext mpolyfromwkb
  multilinestring multilinestringfromtext multilinestringfromwkb multipoint multipointfromtext multipointfromwkb
  multipolygon multipolygonfromtext multipolygonfromwkb numgeometries numinteriorrings numpoints overlaps point
  pointfromtext pointfromwkb pointn pointonsurface polyfromtext polyfromwkb polygon polygonfromtext polygonfromwkb srid
  startpoint touches within x y
  st_area st_asbinary st_asgeojson st_astext st_aswkb st_aswkt st_boundary st_buffer st_buffer_strategy st_centroid
  st_collect st_contains st_convexhull st_crosses st_difference st_dimension st_disjoint st_distance
  st_distance_sphere st_endpoint st_envelope st_equals st_exteriorring st_frechetdistance st_geohash
  st_geomcollfromtext st_geomcollfromtxt st_geomcollfromwkb st_geometrycollectionfromtext st_geometrycollectionfromwkb
  st_geometryfromtext st_geometryfromwkb st_geometryn st_geometrytype st_geomfromgeojson st_geomfromtext
  st_geomfromwkb st_hausdorffdistance st_interiorringn st_intersection st_intersects st_isclosed st_isempty st_isring
  st_issimple st_isvalid st_latfromgeohash st_latitude st_length st_linefromtext st_linefromwkb
  st_lineinterpolatepoint st_lineinterpolatepoints st_linestringfromtext st_linestringfromwkb st_longfromgeohash
  st_longitude st_makeenvelope st_mlinefromtext st_mlinefromwkb st_mpointfromtext st_mpointfromwkb st_mpolyfromtext
  st_mpolyfromwkb st_multilinestringfromtext st_multilinestringfromwkb st_multipointfromtext st_multipointfromwkb
  st_multipolygonfromtext st_multipolygonfromwkb st_numgeometries st_numinteriorring st_numinteriorrings st_numpoints
  st_overlaps st_pointatdistance st_pointfromgeohash st_pointfromtext st_pointfromwkb st_pointn st_pointonsurface
  st_polyfromtext st_polyfromwkb st_polygonfromtext st_polygonfromwkb st_relate st_simplify st_srid st_startpoint
  st_swapxy st_symdifference st_touches st_transform st_union st_validate st_within st_x st_y`;

/**
 * Words that stand in front of a bracket and are neither reserved nor functions: types with a length, and parts of
 * clauses.
 */
const CLAUSES = `against any bit columns date datetime member nchar nvarchar offset some text time timestamp values year
  unknown within`;

const HARMLESS = new Set(`${NAMES} ${CLAUSES}`.trim().split(/\s+/));

/** Whether a function of this name, in lower case, only computes or reads. */
export function isHarmless(name: string): boolean {
  return HARMLESS.has(name);
}
