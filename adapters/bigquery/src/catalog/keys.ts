import type { DraftForeignKey, DraftRelation, Row } from '@askema/core';

/** Keys of BigQuery are never enforced: https://cloud.google.com/bigquery/docs/primary-foreign-keys */
export type KeysOfTable = Pick<DraftRelation, 'primaryKey' | 'foreignKeys' | 'keyStanding'>;

interface KeyColumn {
  readonly column: string;
  readonly position: number;
}

/** Keys by table, from the rows of `keysStatement`. A foreign key lists its columns in the order of the key that it refers to. */
export function keysOfRows(rows: readonly Row[]): Map<string, KeysOfTable> {
  const primary = new Map<string, KeyColumn[]>();
  const foreign = new Map<
    string,
    { readonly table: string; readonly columns: KeyColumn[]; readonly target: DraftForeignKey['target'] }
  >();
  for (const [table, kind, name, column, position, uniquePosition, project, dataset, target] of rows) {
    if (kind === 'PRIMARY KEY') {
      const columns = primary.get(String(table)) ?? [];
      columns.push({ column: String(column), position: Number(position) });
      primary.set(String(table), columns);
    } else if (kind === 'FOREIGN KEY' && typeof target === 'string') {
      const key = JSON.stringify([table, name]);
      const known = foreign.get(key) ?? {
        table: String(table),
        columns: [],
        target: { database: String(project), schema: String(dataset), relation: target },
      };
      known.columns.push({ column: String(column), position: Number(uniquePosition ?? position) });
      foreign.set(key, known);
    }
  }
  const keys = new Map<string, KeysOfTable>();
  for (const [table, columns] of primary)
    keys.set(table, { primaryKey: inOrder(columns), keyStanding: 'informational' });
  for (const { table, columns, target } of foreign.values()) {
    const known = keys.get(table);
    keys.set(table, {
      ...known,
      keyStanding: 'informational',
      foreignKeys: [...(known?.foreignKeys ?? []), { attributes: inOrder(columns), target }],
    });
  }
  return keys;
}

function inOrder(columns: readonly KeyColumn[]): string[] {
  return [...columns].sort((a, b) => a.position - b.position).map(({ column }) => column);
}
