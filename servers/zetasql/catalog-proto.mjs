import { typeProto } from './type-proto.mjs';

/**
 * Tables as ZetaSQL's SimpleCatalogProto. A name of several parts is there under every way of writing it: `p.d.t` quoted as one, and every
 * path of quoted parts (`p`.`d`.`t`, `p.d`.`t`, `p`.`d.t`). A pseudo column is read by its name but is not part of `*`.
 *
 * ZetaSQL compares names of tables without case, BigQuery with: of two that differ in case alone only the first is known.
 */
export function catalogProto({ tables, functions }, language_options) {
  const root = folder('root');
  for (const { path, columns } of tables) {
    const column = columns.map(({ name, type, pseudo = false }) => ({
      name,
      type: typeProto(type),
      is_pseudo_column: pseudo,
      is_writable_column: !pseudo,
    }));
    for (const spelled of spellings(path)) {
      let at = root;
      for (const part of spelled.slice(0, -1)) at = folderIn(at, part);
      const name = spelled.at(-1);
      const key = name.toLowerCase();
      if (at.tableNames.has(key)) continue;
      at.tableNames.add(key);
      at.table.push({ name, full_name: path.join('.'), column });
    }
  }
  return {
    ...proto(root),
    builtin_function_options: { language_options },
    custom_function: functions.map(functionProto),
  };
}

/** Every way to cut a path into parts that are quoted one by one. */
function spellings(path) {
  const [first, ...rest] = path;
  if (rest.length === 0) return [[first]];
  return spellings(rest).flatMap(([next, ...others]) => [
    [first, next, ...others],
    [`${first}.${next}`, ...others],
  ]);
}

function folder(name) {
  return { name, table: [], tableNames: new Set(), folders: new Map() };
}

function folderIn(parent, name) {
  const known = parent.folders.get(name.toLowerCase()) ?? folder(name);
  parent.folders.set(name.toLowerCase(), known);
  return known;
}

function proto({ name, table, folders }) {
  return { name, table, catalog: [...folders.values()].map(proto) };
}

/** A function that this build does not know: its arguments are taken as they come, optional ones included. */
function functionProto({ name, mode = 'SCALAR', returns, arguments: types }) {
  return {
    name_path: name.split('.'),
    group: 'declared',
    mode,
    signature: [
      {
        argument: types.map((type) =>
          type === 'ANY'
            ? { kind: 'ARG_TYPE_ARBITRARY', num_occurrences: 1 }
            : { kind: 'ARG_TYPE_FIXED', type: typeProto(type), num_occurrences: 1 },
        ),
        return_type: { kind: 'ARG_TYPE_FIXED', type: typeProto(returns), num_occurrences: 1 },
      },
    ],
  };
}
