import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { runAskema } from '../../testing/run-askema.ts';
import { SHOP_SQL, type TemporaryProject, temporaryProject } from '../../testing/temporary-project.ts';

vi.setConfig({ testTimeout: 120_000 });

let project: TemporaryProject;
beforeEach(() => {
  project = temporaryProject();
  project.database('shop.sqlite', SHOP_SQL);
});
afterEach(() => project.remove());

const ENDLESS = 'WITH RECURSIVE r (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r) SELECT';

test.each([
  ['ask', ['ask', 'shop.sqlite', 'customers in Lodnon', '--model', 'lexical', '--timeout', '3s']],
  ['lint', ['lint', 'shop.sqlite', "SELECT name FROM customer WHERE city = 'Lodnon'"]],
])('%s with an index of endless views ends at once and names the view', async (_, words) => {
  await runAskema(['index', 'shop.sqlite', '--out', 'evil'], { cwd: project.folder });
  const database = new Database(project.path('evil'));
  database.exec(`
    DROP TABLE form; CREATE VIEW form AS ${ENDLESS} x AS chunk, x AS hash, x AS id FROM r;
    DROP TABLE value; CREATE VIEW value AS ${ENDLESS} x AS id, 'a' AS cell FROM r;
    DROP TABLE gram_count; CREATE VIEW gram_count AS ${ENDLESS} 'a' AS gram, x AS count FROM r;`);
  database.close();
  const run = await runAskema([...words, '--value-index', 'evil'], { cwd: project.folder });
  expect(run.stderr).toMatch(/the view `(form|value|gram_count)`.*DATABASE_INVALID/s);
  expect(run.code).toBe(2);
  expect(run.elapsedMs).toBeLessThan(30_000);
});
