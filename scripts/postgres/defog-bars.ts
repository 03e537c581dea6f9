import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { compareGold, goldQuestions } from '../../adapters/postgres/src/test-support/gold-queries.ts';
import { startPostgres } from '../../adapters/postgres/src/test-support/start-postgres.ts';

/**
 * Loads the databases of text2sql-dev that are written for PostgreSQL into a real server, reads their catalogs, and
 * runs every gold query through the adapter and through the plain driver. `pnpm bars:defog-postgres`; needs
 * PostgreSQL's programs, and the data in the folder of ASKEMA_DATA.
 */
const folder = resolve(import.meta.dirname, '../..', process.env.ASKEMA_DATA ?? '../shared/data', 'text2sql-dev');
if (!existsSync(folder))
  throw new Error(`${folder} is not there; set ASKEMA_DATA to the folder that holds text2sql-dev.`);

const server = await startPostgres();
try {
  console.log('database          relations  columns  gaps  questions  the same  queries');
  const sums = { questions: 0, same: 0, queries: 0 };
  for (const [database, questions] of goldQuestions(folder)) {
    const report = await compareGold(server, folder, database, questions);
    const figures = [
      report.relations,
      report.attributes,
      report.incomplete.length,
      report.questions,
      report.same,
      report.queries,
    ];
    console.log(
      database.padEnd(17),
      figures.map((figure, index) => String(figure).padStart([9, 8, 5, 10, 9, 8][index] ?? 8)).join(' '),
    );
    for (const { id, why, sql } of report.differences)
      console.log(`  ${id}: ${why}\n    ${sql.replaceAll(/\s+/g, ' ').slice(0, 300)}`);
    if (database === 'superhero') continue;
    for (const key of ['questions', 'same', 'queries'] as const) sums[key] += report[key];
  }
  console.log(`defog: ${sums.same} of ${sums.questions} questions (${sums.queries} queries) give the same cells.`);
} finally {
  await server.stop();
}
