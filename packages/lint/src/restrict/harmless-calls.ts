/**
 * Functions that work on their arguments alone: they take no name of a relation, no SQL as text, and read nothing. Where
 * something is hidden, a statement may call these and no others, in any dialect.
 */
const HARMLESS = `
abs acos adddate addtime age any_value approx_count_distinct arg_max arg_min array_agg array_length asin atan atan2
avg bit_length bool_and bool_or btrim cardinality cast cbrt ceil ceiling char char_length character_length chr
coalesce concat concat_ws convert corr cos cot count count_if count_star countif covar_pop covar_samp cume_dist
curdate current_date current_time current_timestamp curtime date date_add date_bin date_diff date_format date_part
date_sub date_trunc dateadd datediff datename datepart datetime datetime_diff datetime_trunc day dayname dayofmonth
dayofweek dayofyear decode degrees dense_rank div epoch every exists exp extract field find_in_set first first_value
floor format format_date from_days from_unixtime generate_series glob greatest group_concat grouping hash hex hour if
iff ifnull iif initcap instr isfinite isnan isnull isodow json_agg json_array json_arrayagg json_build_array
json_build_object json_extract json_extract_scalar json_length json_object json_objectagg json_unquote json_valid
json_value jsonb_agg jsonb_build_array jsonb_build_object julian julianday justify_days justify_hours lag last
last_day last_value lcase lead least left len length like list list_contains listagg ln localtime localtimestamp
locate log log10 log2 lower lpad ltrim make_date make_timestamp makedate maketime max md5 median microsecond mid min
minute mod mode month monthname now nth_value ntile nullif nvl nvl2 octet_length overlay parse_date percent_rank
percentile_cont percentile_disc period_diff pi position pow power printf quantile quantile_cont quarter radians rand
random range rank regexp_contains regexp_extract regexp_like regexp_matches regexp_replace regexp_substr repeat
replace reverse right round row row_number rpad rtrim safe_divide sec_to_time second sha256 sign sin split_part sqrt
starts_with stddev stddev_pop stddev_samp str_to_date strftime string_agg string_split strip_accents strpos strptime
subdate substr substring substring_index subtime sum tan time time_to_sec timediff timestamp timestamp_diff
timestamp_trunc timestampdiff timezone to_char to_date to_days to_number to_seconds to_timestamp total transform
translate trim trunc truncate try_cast typeof ucase unicode unix_timestamp unixepoch unnest upper var_pop var_samp
variance week weekday weekofyear width_bucket year yearweek zeroifnull
`;

const NAMES: ReadonlySet<string> = new Set(HARMLESS.trim().split(/\s+/));

/** Words that stand in front of a bracket and call nothing. */
const NO_CALLS: ReadonlySet<string> = new Set(
  `all and any as between by case cross distinct else except exclude filter from full group having in inner intersect interval is join
   lateral left limit materialized natural not offset on or order outer over partition recursive right select some then union
   using values when where window with within asc desc end escape rollup cube sets
   varchar nvarchar character numeric decimal number float bigint int integer smallint tinyint text double precision binary varbinary
   bit timestamptz`
    .trim()
    .split(/\s+/),
);

/** Whether the word in front of a bracket may stand there. `schema` is what stands in front of it. */
export function isHarmlessCall(name: string, schema: string | undefined): boolean {
  if (schema !== undefined) return false;
  const lower = name.toLowerCase();
  return NAMES.has(lower) || NO_CALLS.has(lower);
}
