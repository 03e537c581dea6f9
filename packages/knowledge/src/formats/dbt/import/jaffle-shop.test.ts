import { readdirSync, readFileSync } from 'node:fs';
import { sqliteDialect } from '@askema/dialects';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { bindKnowledge } from '../../../bind/bind-knowledge.ts';
import { compileMetrics } from '../../../compile/compile-metrics.ts';
import { JAFFLE_FILE, jaffleStar } from '../../../test-support/jaffle/jaffle-star.ts';
import { failureOf, hasJaffle, JAFFLE, metricCases } from '../../../test-support/jaffle/metric-cases.ts';
import { starCatalog } from '../../../test-support/star-tables.ts';
import type { Imported } from '../../conversion.ts';
import { exportDbt } from '../export/export-dbt.ts';
import { importDbt } from './import-dbt.ts';

const FOLDER = `${JAFFLE}/dbt`;
const spine = [
  {
    path: 'time_spine.yml',
    text: 'models: [{ name: metricflow_time_spine, time_spine: { standard_granularity_column: date_day } }]',
  },
];

/** As it is imported, and after it was exported and imported again. */
function importedTwice(): readonly (readonly [string, Imported['knowledge']])[] {
  const files = readdirSync(FOLDER).map((path) => ({ path, text: readFileSync(`${FOLDER}/${path}`, 'utf8') }));
  const imported = importDbt([...files, ...spine]).knowledge;
  const written = exportDbt({ schemaVersion: 1, problems: [], ...imported }).files;
  return [
    ['read', imported],
    ['read, written and read again', importDbt(written).knowledge],
  ];
}

describe.runIf(hasJaffle)('the metrics of jaffle-shop, as dbt defines them', () => {
  // The body of what is skipped runs, too.
  describe.each(hasJaffle ? importedTwice() : [])('%s', (_, knowledge) => {
    const database = new Database(JAFFLE_FILE, { readonly: true });
    const run = async (sql: string) => database.prepare(sql).raw().all() as unknown[][];
    const bound = bindKnowledge(
      { schemaVersion: 1, problems: [], ...knowledge },
      { catalog: starCatalog(jaffleStar({ typed: false }), sqliteDialect), dialect: sqliteDialect },
    );

    it('are of tables and columns that are there', () => {
      expect(bound.problems).toEqual([]);
    });

    it.each(metricCases().map((one) => [one.metric, one] as const))('%s', async (_, one) => {
      expect(await failureOf(one, { bound, compile: compileMetrics, run })).toBeUndefined();
    });
  });
});
