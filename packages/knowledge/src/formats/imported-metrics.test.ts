import { sqliteDialect } from '@askema/dialects';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { bindKnowledge } from '../bind/bind-knowledge.ts';
import { catalogOf } from '../bind/test-support/model-parts.ts';
import { compileMetrics } from '../compile/compile-metrics.ts';
import type { Knowledge } from '../model/knowledge.ts';
import type { Imported } from './conversion.ts';
import { exportSnowflake } from './snowflake/export-snowflake.ts';
import { importSnowflake } from './snowflake/import-snowflake.ts';
import { importWren } from './wren/import-wren.ts';

const TABLES = {
  rides: ['id INTEGER', 'boat_id INTEGER', 'seats INTEGER', 'fare INTEGER', 'state TEXT'],
  boats: ['id INTEGER', 'harbour TEXT'],
};
const database = new Database(':memory:');
for (const [table, columns] of Object.entries(TABLES)) database.exec(`CREATE TABLE ${table} (${columns.join(', ')})`);
database.exec(`
  INSERT INTO boats VALUES (1, 'Oslo'), (2, 'Bergen'), (3, 'Oslo');
  INSERT INTO rides VALUES (1, 1, 2, 10, 'done'), (2, 1, 1, 5, 'off'), (3, 2, 4, 1, 'done'), (4, 3, 3, 7, 'done');
`);

const whole = ({ knowledge }: Imported): Knowledge => ({ schemaVersion: 1, problems: [], ...knowledge });
const rows = (knowledge: Knowledge, metrics: readonly string[], by: readonly string[] = []): unknown[] => {
  const bound = bindKnowledge(knowledge, { catalog: catalogOf(sqliteDialect, TABLES), dialect: sqliteDialect });
  expect(bound.problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  return database.prepare(compileMetrics({ metrics, by }, bound).sql).raw().all();
};

const VIEW = `
name: harbour
tables:
  - name: trips
    base_table: { database: SEA, schema: PUBLIC, table: RIDES }
    primary_key: { columns: [id] }
    dimensions: [{ name: state, expr: state, data_type: VARCHAR }]
    facts: [{ name: income, expr: seats * fare, data_type: NUMBER }]
    metrics:
      - { name: revenue, expr: SUM(income) }
      - { name: trips_done, expr: COUNT(*), filter: { expr: state = 'done' } }
      - { name: per_trip, expr: trips.revenue / trips.trips_done }
  - name: ships
    base_table: { database: SEA, schema: PUBLIC, table: BOATS }
    primary_key: { columns: [id] }
    dimensions: [{ name: harbour, expr: harbour, data_type: VARCHAR }]
relationships:
  - name: trip_ship
    left_table: trips
    right_table: ships
    relationship_columns: [{ left_column: boat_id, right_column: id }]
`;

describe('metrics that were imported', () => {
  it('are computed from a semantic view, and from what is written of it', () => {
    const imported = whole(importSnowflake([{ path: 'harbour.yaml', text: VIEW }]));
    const written = whole(importSnowflake(exportSnowflake(imported).files));
    for (const knowledge of [imported, written]) {
      expect(rows(knowledge, ['revenue', 'trips_done'], ['ships.harbour'])).toEqual([
        ['Bergen', 4, 1],
        ['Oslo', 46, 2],
      ]);
      expect(rows(knowledge, ['per_trip'])).toEqual([[50 / 3]]);
    }
  });

  it('are computed from a project of WrenAI, over a table and over a query', () => {
    const files = {
      'wren_project.yml': 'name: harbour\n',
      'models/trips/metadata.yml':
        'name: trips\ncolumns: [{ name: id }, { name: ship, expression: boat_id }, { name: income, expression: seats * fare }]\n',
      'models/trips/ref_sql.sql': "SELECT * FROM rides WHERE state = 'done'",
      'models/ships/metadata.yml':
        'name: ships\ntable_reference: { table: boats }\nprimary_key: id\ncolumns: [{ name: id }, { name: harbour }]\n',
      'relationships.yml':
        'relationships: [{ name: r, models: [ships, trips], join_type: ONE_TO_MANY, condition: ships.id = trips.ship }]\n',
      'cubes/c/metadata.yml':
        'name: c\nbase_object: trips\nmeasures: [{ name: revenue, expression: SUM(income), type: BIGINT }]\n',
    };
    const imported = importWren(Object.entries(files).map(([path, text]) => ({ path, text })));
    expect(imported.lost).toEqual([]);
    expect(rows(whole(imported), ['revenue'], ['ships.harbour'])).toEqual([
      ['Bergen', 4],
      ['Oslo', 41],
    ]);
  });
});
