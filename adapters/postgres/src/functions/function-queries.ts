import { randomBytes } from 'node:crypto';

/** Ids below this one are the engine's own: FirstNormalObjectId of PostgreSQL. */
const FIRST_OWN = 16_384;

/** The extension of a function `p`, or NULL. */
const EXTENSION = `(SELECT e.extname FROM pg_catalog.pg_depend AS d JOIN pg_catalog.pg_extension AS e ON e.oid = d.refobjid
  WHERE d.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass AND d.objid = p.oid AND d.deptype = 'e')`;

/** Functions `p` that a query can call: no triggers, no procedures, none that takes a value that no statement has. */
const CALLABLE = `p.prokind <> 'p' AND NOT 'pg_catalog.internal'::pg_catalog.regtype::oid = ANY (p.proargtypes)
  AND p.prorettype NOT IN ('pg_catalog.trigger'::pg_catalog.regtype, 'pg_catalog.event_trigger'::pg_catalog.regtype)`;

/** Settings that may hold a password. PostgreSQL shows them only to superusers and to members of pg_read_all_settings. */
export const SECRET_SETTINGS: readonly string[] = ['primary_conninfo', 'ssl_passphrase_command'];

/** What shows settings, beside `SHOW` and the view pg_settings. */
export const SETTING_FUNCTIONS: readonly string[] = ['current_setting', 'pg_show_all_settings'];

/** Whether this role sees one that is set. */
const SEES_SECRETS = `EXISTS (SELECT FROM pg_catalog.pg_settings AS s
  WHERE s.name IN (${SECRET_SETTINGS.map((name) => `'${name}'`).join()}) AND s.setting <> '')`;

/**
 * `(value).f` calls any function of one argument. Where a column has the name of a user's function, the text means the
 * column (`order.total` does not call a `total(int)`), unless the function takes rows.
 */
const TAKES_ROW = `(SELECT t.typtype FROM pg_catalog.pg_type AS t WHERE t.oid = p.proargtypes[0]) IN ('c', 'd', 'p')`;
const IS_COLUMN = `EXISTS (SELECT FROM pg_catalog.pg_attribute AS a
  WHERE a.attname = p.proname AND a.attrelid >= ${FIRST_OWN} AND a.attnum > 0)`;

/** CREATE TYPE … AS RANGE makes these, of the server's own code. */
const MAKES_RANGES = `(l.lanname = 'internal' AND p.prosrc IN ('range_constructor2', 'range_constructor3', 'multirange_constructor0',
    'multirange_constructor1', 'multirange_constructor2'))`;

/** Bodies are taken apart in the process of the caller, which takes a second for some megabytes. */
const IS_LONG = `(pg_catalog.octet_length(p.prosrc) > 100000 OR pg_catalog.sum(pg_catalog.octet_length(p.prosrc))
      FILTER (WHERE l.lanname = 'sql' AND p.oid >= ${FIRST_OWN}) OVER (ORDER BY p.oid) > 5000000)`;

/**
 * The functions that may do more than read, with what tells whether they do. An extension's function that anybody but a
 * superuser owns was added by its owner: it is one of a user.
 *
 * @param steady names of functions that are looked at although PostgreSQL does not call them volatile.
 * @param known names of functions of the engine that it calls STABLE and that are not looked at.
 */
export function functionsQuery(steady: readonly string[], known: readonly string[]): string {
  return `SELECT p.oid, n.nspname, p.proname, p.prokind, l.lanname, p.oid < ${FIRST_OWN},
    CASE WHEN l.lanname IN ('c', 'internal') OR (SELECT r.rolsuper FROM pg_catalog.pg_roles AS r WHERE r.oid = p.proowner) THEN ${EXTENSION} END,
    p.provolatile = 'v', p.pronargs > 0 AND p.pronargs - p.pronargdefaults <= 1
      AND (p.oid < ${FIRST_OWN} OR ${TAKES_ROW} OR NOT ${IS_COLUMN}),
    CASE WHEN l.lanname = 'sql' AND p.oid >= ${FIRST_OWN} AND NOT ${IS_LONG} THEN p.prosrc END,
    p.prosecdef AND pg_catalog.has_function_privilege(p.oid, 'EXECUTE'), p.oid::pg_catalog.regprocedure::text,
    pg_catalog.pg_get_userbyid(p.proowner), pg_catalog.has_function_privilege(p.oid, 'EXECUTE'),
    pg_catalog.array_to_string(p.proconfig, ', '), l.lanname = 'sql' AND ${IS_LONG}
  FROM pg_catalog.pg_proc AS p JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
    JOIN pg_catalog.pg_language AS l ON l.oid = p.prolang
  WHERE ${CALLABLE} AND NOT ${MAKES_RANGES} AND (p.provolatile = 'v' OR p.oid >= ${FIRST_OWN} OR p.proname = ANY ('{${steady.join()}}'::name[])
    OR (p.provolatile = 's' AND p.proname <> ALL ('{${known.join()}}'::name[]))
    OR (p.proname = ANY ('{${SETTING_FUNCTIONS.join()}}'::name[]) AND ${SEES_SECRETS}))`;
}

/**
 * Relations of the engine that show passwords, files of the server and the like: those that it gives to superusers
 * alone, views that show more to them than to everybody, and where long values of theirs are kept. Statistics hold values
 * of any column, of passwords as well.
 */
export const CLOSED_RELATIONS = `SELECT c.oid FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
  WHERE c.oid < ${FIRST_OWN} AND (
    n.nspname = 'pg_toast' OR c.relname IN ('pg_user_mappings', '_pg_user_mappings') OR c.relname IN ('pg_stats', 'pg_stats_ext', 'pg_stats_ext_exprs')
      AND pg_catalog.has_table_privilege('pg_catalog.pg_authid', 'SELECT') OR c.relname = 'pg_settings' AND ${SEES_SECRETS} OR n.nspname = 'pg_catalog' AND c.relkind IN ('r', 'v') AND NOT EXISTS (
      SELECT FROM pg_catalog.aclexplode(c.relacl) AS a WHERE a.grantee = 0 AND a.privilege_type = 'SELECT'))`;

/** Changes as soon as another transaction was committed; costs next to nothing. */
export const SNAPSHOT = 'pg_catalog.txid_current_snapshot()::pg_catalog.text';

const SOURCES = [
  `pg_proc WHERE oid >= ${FIRST_OWN}`,
  `pg_rewrite WHERE oid >= ${FIRST_OWN}`,
  'pg_policy',
  'pg_namespace',
  `pg_class WHERE oid >= ${FIRST_OWN} AND relkind IN ('v', 'c')`,
  `pg_attribute WHERE attrelid IN (SELECT c.oid FROM pg_catalog.pg_class AS c WHERE c.relkind = 'c')`,
  `pg_type WHERE oid >= ${FIRST_OWN} AND typtype NOT IN ('c', 'b')`,
  `pg_operator WHERE oid >= ${FIRST_OWN}`,
  `pg_cast WHERE oid >= ${FIRST_OWN}`,
  `pg_constraint WHERE contypid >= ${FIRST_OWN}`,
  'pg_foreign_table',
  `pg_depend WHERE refclassid = 'pg_catalog.pg_proc'::pg_catalog.regclass AND refobjid >= ${FIRST_OWN}`,
];

/** Nobody can find changes that leave a sum of such hashes as it is. */
const SEED = String(randomBytes(8).readBigUInt64LE() >> 1n);

/** Changes when what calls functions was made, changed or dropped. */
export const FINGERPRINT = `(SELECT pg_catalog.concat_ws('.', ${SOURCES.map(
  (source) =>
    `(SELECT pg_catalog.sum(pg_catalog.hashtextextended(ctid::pg_catalog.text || xmin::pg_catalog.text, ${SEED})) FROM pg_catalog.${source})`,
).join(', ')}))`;

/** Branches of the walk: from an object `e` (`c` its catalog, `o` its id) to what makes use of it. */
const STEPS: readonly (readonly [catalog: string, from: string, target: string, condition: string])[] = [
  // Only a view's own rule acts when it is read; a materialized view has its rows.
  [
    'pg_rewrite',
    'pg_rewrite AS r JOIN pg_catalog.pg_class AS k ON k.oid = r.ev_class',
    'pg_class: r.ev_class',
    `r.oid = e.o AND r.ev_type = '1' AND k.relkind = 'v'`,
  ],
  ['pg_policy', 'pg_policy AS r', 'pg_class: r.polrelid', `r.oid = e.o AND r.polcmd IN ('r', '*')`],
  // A virtual column is computed when it is read.
  [
    'pg_attrdef',
    'pg_attrdef AS r JOIN pg_catalog.pg_attribute AS a ON a.attrelid = r.adrelid AND a.attnum = r.adnum',
    'pg_class: r.adrelid',
    `r.oid = e.o AND a.attgenerated = 'v'`,
  ],
  // The planner computes constant calls in the checks and indexes of a table.
  [
    'pg_constraint',
    'pg_constraint AS r',
    'pg_class: r.conrelid',
    `r.oid = e.o AND r.contype = 'c' AND r.conrelid <> 0`,
  ],
  ['pg_constraint', 'pg_constraint AS r', 'pg_type: r.contypid', 'r.oid = e.o AND r.contypid <> 0'],
  ['pg_class', 'pg_index AS r', 'pg_class: r.indrelid', 'r.indexrelid = e.o'],
  ['pg_statistic_ext', 'pg_statistic_ext AS r', 'pg_class: r.stxrelid', 'r.oid = e.o'],
  // Who reads a table reads its partitions and children.
  ['pg_class', 'pg_inherits AS r', 'pg_class: r.inhparent', 'r.inhrelid = e.o'],
  ['pg_class', 'pg_class AS r', 'pg_type: r.reltype', 'r.oid = e.o AND r.reltype <> 0'],
  ['pg_type', 'pg_type AS r', 'pg_class: r.typrelid', 'r.oid = e.o AND r.typrelid <> 0'],
  // The planner turns an operator round, or takes its opposite; `pg_depend` does not record these.
  ['pg_operator', 'pg_operator AS r', 'pg_operator: r.oid', '(r.oprnegate = e.o OR r.oprcom = e.o)'],
  // What sorts, groups and compares values calls the functions of their operator class.
  [
    'pg_amproc',
    'pg_amproc AS r JOIN pg_catalog.pg_opclass AS q ON q.opcfamily = r.amprocfamily AND q.opcintype IN (r.amproclefttype, r.amprocrighttype)',
    'pg_opclass: q.oid',
    'r.oid = e.o',
  ],
  [
    'pg_operator',
    'pg_amop AS r JOIN pg_catalog.pg_opclass AS q ON q.opcfamily = r.amopfamily AND q.opcintype IN (r.amoplefttype, r.amoprighttype)',
    'pg_opclass: q.oid',
    'r.amopopr = e.o',
  ],
  ['pg_opclass', 'pg_opclass AS r', 'pg_type: r.opcintype', `r.oid = e.o AND r.opcintype >= ${FIRST_OWN}`],
  ['pg_cast', 'pg_cast AS r', 'pg_type: r.castsource', `r.oid = e.o AND r.castsource >= ${FIRST_OWN}`],
  ['pg_cast', 'pg_cast AS r', 'pg_type: r.casttarget', `r.oid = e.o AND r.casttarget >= ${FIRST_OWN}`],
];

const catalog = (name: string): string => `'pg_catalog.${name}'::pg_catalog.regclass::oid`;

/**
 * A cast between types of the engine, or an order over one, and a modifier of a type, which a text may name
 * (`to_regtype('mt(3)')`): it counts wherever no name tells.
 */
const EVERYWHERE = `CASE WHEN EXISTS (SELECT FROM pg_catalog.pg_cast AS x WHERE e.c = ${catalog('pg_cast')} AND x.oid = e.o
      AND x.castsource < ${FIRST_OWN} AND x.casttarget < ${FIRST_OWN})
    OR EXISTS (SELECT FROM pg_catalog.pg_opclass AS x WHERE e.c = ${catalog('pg_opclass')} AND x.oid = e.o AND x.opcintype < ${FIRST_OWN})
    OR EXISTS (SELECT FROM pg_catalog.pg_type AS x JOIN pg_catalog.pg_proc AS f ON f.oid = x.typmodin JOIN pg_catalog.pg_language AS l ON l.oid = f.prolang
      WHERE e.c = ${catalog('pg_type')} AND x.oid = e.o AND f.oid = e.ro AND l.lanname NOT IN ('c', 'internal'))
    THEN '*' END`;

/** What PostgreSQL records as depending on a table, and on anything else, that can be read. */
const USING_TABLES = ['pg_rewrite', 'pg_policy', 'pg_proc'];
const USING = [
  ...USING_TABLES,
  ...['pg_attrdef', 'pg_constraint', 'pg_class', 'pg_statistic_ext', 'pg_operator', 'pg_cast', 'pg_type', 'pg_amproc'],
];
const listOf = (names: readonly string[]): string => `ARRAY[${names.map(catalog).join()}]`;

/** Where an expression names functions of the engine, which `pg_depend` does not record. */
const EXPRESSIONS: readonly (readonly [catalog: string, id: string, text: string, condition: string])[] = [
  ['pg_rewrite', 'r.oid', 'r.ev_action::text', `r.oid >= ${FIRST_OWN}`],
  ['pg_policy', 'r.oid', 'r.polqual::text', 'true'],
  [
    'pg_attrdef',
    'r.oid',
    'r.adbin::text',
    `r.oid >= ${FIRST_OWN} AND EXISTS (SELECT FROM pg_catalog.pg_attribute AS a
    WHERE a.attrelid = r.adrelid AND a.attnum = r.adnum AND a.attgenerated = 'v')`,
  ],
  ['pg_constraint', 'r.oid', 'r.conbin::text', `r.contypid >= ${FIRST_OWN}`],
  ['pg_proc', 'r.oid', `pg_catalog.to_jsonb(r) ->> 'prosqlbody'`, `r.oid >= ${FIRST_OWN} AND r.prosrc = ''`],
  ['pg_proc', 'r.oid', 'r.proargdefaults::text', `r.oid >= ${FIRST_OWN}`],
];

const REFERENCES: readonly (readonly [catalog: string, id: string, functions: string])[] = [
  ['pg_operator', 'r.oid', 'r.oprcode, r.oprrest, r.oprjoin'],
  ['pg_cast', 'r.oid', 'r.castfunc'],
  [
    'pg_aggregate',
    'r.aggfnoid',
    'r.aggtransfn, r.aggfinalfn, r.aggcombinefn, r.aggmtransfn, r.aggminvtransfn, r.aggmfinalfn',
  ],
];

/**
 * What leads to functions, directly or through other objects: catalog and id of the object, catalog and id of what it
 * uses, what it is, its schema and name where a statement can name it, and the expression of an index or a check.
 *
 * @param own functions of users and extensions. @param engine functions of the engine. @param closed relations of the
 * engine that are not to be read: each comes as what uses itself.
 */
export function usesQuery(own: readonly string[], engine: readonly string[], closed: readonly string[]): string {
  const read = `':relid (${closed.join('|')})\\M'`;
  const called = `':(?:funcid|opfuncid|aggfnoid|winfnoid) (${engine.join('|')})\\M'`;
  const ids = `'{${[...own, ...engine].join()}}'::oid[]`;
  const seeds = [
    `SELECT ${catalog('pg_proc')}, f, 0::oid, 0::oid FROM pg_catalog.unnest('{${own.join()}}'::oid[]) AS f`,
    ...EXPRESSIONS.map(
      ([from, id, text, condition]) =>
        `SELECT ${catalog(from)}, ${id}, ${catalog('pg_proc')}, pg_catalog.substring(${text}, ${called})::oid
         FROM pg_catalog.${from} AS r WHERE ${condition} AND ${text} ~ ${called}`,
    ),
    `SELECT ${catalog('pg_class')}, f, ${catalog('pg_class')}, f FROM pg_catalog.unnest('{${closed.join()}}'::oid[]) AS f`,
    ...EXPRESSIONS.map(
      ([from, id, text, condition]) =>
        `SELECT ${catalog(from)}, ${id}, ${catalog('pg_class')}, pg_catalog.substring(${text}, ${read})::oid
         FROM pg_catalog.${from} AS r WHERE ${condition} AND ${text} ~ ${read}`,
    ),
    // XMLTABLE is no function: it counts as xpath(), which evaluates the same paths (`:functype 1` is JSON_TABLE).
    ...EXPRESSIONS.map(
      ([from, id, text, condition]) =>
        `SELECT ${catalog(from)}, ${id}, ${catalog('pg_proc')}, x.oid FROM pg_catalog.${from} AS r, pg_catalog.pg_proc AS x
         WHERE ${condition} AND ${text} ~ '\\{TABLEFUNC (?!:functype 1)' AND x.proname = 'xpath' AND x.oid = ANY ('{${engine.join()}}'::oid[])`,
    ),
    ...REFERENCES.map(
      ([from, id, functions]) =>
        `SELECT ${catalog(from === 'pg_aggregate' ? 'pg_proc' : from)}, ${id}, ${catalog('pg_proc')}, f
         FROM pg_catalog.${from} AS r, pg_catalog.unnest(ARRAY[${functions}]::oid[]) AS f
         WHERE ${id} >= ${FIRST_OWN} AND f = ANY ('{${engine.join()}}'::oid[])`,
    ),
    `SELECT ${catalog('pg_class')}, t.ftrelid, ${catalog('pg_proc')}, w.fdwhandler FROM pg_catalog.pg_foreign_table AS t
       JOIN pg_catalog.pg_foreign_server AS s ON s.oid = t.ftserver
       JOIN pg_catalog.pg_foreign_data_wrapper AS w ON w.oid = s.srvfdw WHERE w.fdwhandler = ANY (${ids})`,
    `SELECT ${catalog('pg_class')}, t.ftrelid, ${catalog('pg_foreign_table')}, t.ftrelid FROM pg_catalog.pg_foreign_table AS t
       WHERE EXISTS (SELECT FROM pg_catalog.unnest(t.ftoptions) AS o WHERE o LIKE 'program=%')`,
    // The planner may compute the key of a partitioned table where one of its partitions is read directly.
    `SELECT ${catalog('pg_class')}, r.inhrelid, d.refclassid, d.refobjid FROM pg_catalog.pg_inherits AS r
       CROSS JOIN LATERAL pg_catalog.pg_partition_ancestors(r.inhrelid) AS a
       JOIN pg_catalog.pg_partitioned_table AS t ON t.partrelid = a.relid
       JOIN pg_catalog.pg_depend AS d ON d.classid = ${catalog('pg_class')} AND d.objid = a.relid
         AND d.refclassid IN (${['pg_proc', 'pg_operator', 'pg_type'].map(catalog).join()}) AND d.refobjid >= ${FIRST_OWN}`,
  ];
  const steps = STEPS.map(([of, from, target, condition]) => {
    const [to = '', id = ''] = target.split(': ');
    return `SELECT ${catalog(to)}, ${id}::oid FROM pg_catalog.${from} WHERE e.c = ${catalog(of)} AND ${condition}`;
  });
  return `WITH RECURSIVE edge (c, o, rc, ro) AS (
    SELECT * FROM (${seeds.join('\nUNION ALL ')}) AS seed (c, o, rc, ro)
    UNION
    SELECT n.c, n.o, e.c, e.o FROM edge AS e CROSS JOIN LATERAL (
      SELECT d.classid AS c, d.objid AS o FROM pg_catalog.pg_depend AS d
        WHERE d.refclassid = e.c AND d.refobjid = e.o AND d.deptype IN ('n', 'a', 'i')
        AND d.classid = ANY (CASE WHEN e.c = ${catalog('pg_class')} THEN ${listOf(USING_TABLES)} ELSE ${listOf(USING)} END)
      UNION ALL ${steps.join('\nUNION ALL ')}
    ) AS n
  )
  SELECT e.o, e.c::pg_catalog.regclass::text, e.ro, e.rc::pg_catalog.regclass::text, i.type || ' ' || i.identity, s.nspname,
    coalesce(k.relname, f.proname, p.oprname, t.typname), coalesce(k.relkind::text, ${EVERYWHERE}),
    CASE WHEN e.rc IN (${catalog('pg_proc')}, ${catalog('pg_operator')}) THEN coalesce(
      (SELECT x.conbin::text FROM pg_catalog.pg_constraint AS x WHERE e.c = ${catalog('pg_constraint')} AND x.oid = e.o AND x.conrelid <> 0),
      (SELECT pg_catalog.concat(x.indexprs, x.indpred) FROM pg_catalog.pg_index AS x WHERE k.relkind IN ('i', 'I') AND x.indexrelid = e.o)) END
  FROM edge AS e CROSS JOIN LATERAL pg_catalog.pg_identify_object(e.c, e.o, 0) AS i
  LEFT JOIN pg_catalog.pg_class AS k ON e.c = ${catalog('pg_class')} AND k.oid = e.o
  LEFT JOIN pg_catalog.pg_proc AS f ON e.c = ${catalog('pg_proc')} AND f.oid = e.o
  LEFT JOIN pg_catalog.pg_operator AS p ON e.c = ${catalog('pg_operator')} AND p.oid = e.o
  LEFT JOIN pg_catalog.pg_type AS t ON e.c = ${catalog('pg_type')} AND t.oid = e.o
  LEFT JOIN pg_catalog.pg_namespace AS s ON s.oid = coalesce(k.relnamespace, f.pronamespace, p.oprnamespace, t.typnamespace)`;
}
