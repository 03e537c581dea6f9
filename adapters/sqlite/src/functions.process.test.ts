import { sqliteDialect } from '@askema/dialects';
import { readOnlyText } from '@askema/sql';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';

/**
 * Functions and modules that were looked at and only compute or read: pragma_function_list and pragma_module_list of
 * SQLite 3.54. A name that is neither here nor refused by the text fails the test. A handle that only reads stops what
 * writes to the database, whatever its name.
 */
const HARMLESS = `-> ->> abs acos acosh asin asinh atan atan2 atanh avg bm25 ceil ceiling changes char coalesce concat
  concat_ws cos cosh count cume_dist current_date current_time current_timestamp date datetime degrees dense_rank exp
  first_value floor format fts5 fts5_get_locale fts5_insttoken fts5_locale fts5_source_id geopoly_area geopoly_bbox
  geopoly_blob geopoly_ccw geopoly_contains_point geopoly_debug geopoly_group_bbox geopoly_json geopoly_overlap
  geopoly_regular geopoly_svg geopoly_within geopoly_xform glob group_concat hex highlight if ifnull iif instr json
  json_array json_array_insert json_array_length json_each json_error_position json_extract json_group_array
  json_group_object json_insert json_object json_patch json_pretty json_quote json_remove json_replace json_set json_tree
  json_type json_valid jsonb jsonb_array jsonb_array_insert jsonb_each jsonb_extract jsonb_group_array jsonb_group_object
  jsonb_insert jsonb_object jsonb_patch jsonb_remove jsonb_replace jsonb_set jsonb_tree julianday lag last_insert_rowid
  last_value lead length like likelihood likely ln log log10 log2 lower ltrim match matchinfo max median min mod nth_value
  ntile nullif octet_length offsets optimize percent_rank percentile percentile_cont percentile_disc pi pow power printf
  quote radians random randomblob rank replace round row_number rtreecheck rtreedepth rtreenode rtrim sign sin sinh
  snippet soundex sqlite_compileoption_get sqlite_compileoption_used sqlite_log sqlite_source_id sqlite_version sqrt
  strftime string_agg substr substring subtype sum tan tanh time timediff total total_changes trim trunc typeof unhex
  unicode unistr unistr_quote unixepoch unlikely upper zeroblob
  dbstat fts3 fts3tokenize fts4 fts4aux fts5vocab geopoly rtree rtree_i32`.split(/\s+/);

/** Table-valued pragmas, which the rule of pragmas looks at. */
const isPragma = (name: string): boolean => name.startsWith('pragma_');

test('every function and module of the driver’s SQLite was looked at: it only reads, or is refused', () => {
  const database = new Database(':memory:');
  const names = ['function', 'module'].flatMap(
    (kind) => database.prepare(`SELECT DISTINCT name FROM pragma_${kind}_list`).pluck().all() as string[],
  );
  database.close();
  expect(names.length).toBeGreaterThan(150);
  const undecided = names.filter((name) => {
    const isRefused = !readOnlyText(`SELECT "${name}"(1)`, sqliteDialect.lexer).ok;
    return !isPragma(name) && HARMLESS.includes(name) === isRefused;
  });
  expect(undecided).toEqual([]);
});
