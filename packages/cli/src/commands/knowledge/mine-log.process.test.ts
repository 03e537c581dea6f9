import { copyFileSync, existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runInProcess } from '../../testing/run-in-process.ts';
import { STORE_LOG } from '../../testing/store-log.ts';
import { type TemporaryProject, temporaryProject } from '../../testing/temporary-project.ts';

const STORE = fileURLToPath(new URL('../../../../../examples/store.sqlite', import.meta.url));
const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;

let project: TemporaryProject;
beforeEach(() => {
  project = temporaryProject();
  copyFileSync(STORE, project.path('store.sqlite'));
  const lines = STORE_LOG.map((cells) => cells.map(quoted).join(','));
  project.write('logs/year.csv', ['user_name,start_time,query_text', ...lines].join('\n'));
});
afterEach(() => project.remove());

const knowledge = (...parameters: readonly string[]) =>
  runInProcess(['knowledge', ...parameters], { cwd: project.folder });

it('proposes what five people ran, and each proposal holds', { timeout: 60_000 }, async () => {
  const { code, stdout, stderr } = await knowledge('mine', 'logs', 'store.sqlite');
  expect(code).toBe(0);
  expect(stdout.replaceAll(/ +/g, ' ').trimEnd().split('\n')).toEqual([
    `metric:revenue 8 runs 4 users 2026-03-02 SUM("order".total_amount) where "order".status <> 'cancelled'`,
    'metric:orders 6 runs 5 users 2026-04-01 COUNT(*) of order',
    'metric:gross_sales 5 runs 5 users 2026-05-05 SUM(order_items.quantity * order_items.unit_price)',
    'metric:open_tickets 5 runs 5 users 2026-07-05 COUNT(*) of Support Ticket where "Support Ticket"."Closed At" IS NULL',
    'metric:score 5 runs 5 users 2026-06-05 AVG(reviews.rating)',
    'metric:units 5 runs 5 users 2026-04-12 SUM(order_items.quantity)',
    'relationship:order_items_to_order 5 runs 2 users 2026-08-02 order_items.order_id = "order".order_id',
    'relationship:order_items_to_products 5 runs 4 users 2026-05-03 order_items.product_id = products.product_id',
  ]);
  expect(stderr).toContain('8 proposals of 40 statements');
  expect(stderr).toContain('1 no query, 1 not parsed');
  expect(stderr).toContain('askema knowledge check');
  expect((await knowledge('check', 'store.sqlite')).stdout).toMatch(/^0 errors/m);

  const again = await knowledge('mine', 'logs', 'store.sqlite');
  expect([again.stdout, again.stderr]).toEqual(['', expect.stringContaining('8 known already')]);
  expect((await knowledge('accept', '--all', '--yes')).code).toBe(0);
  const asked = await runInProcess(
    ['ask', 'store.sqlite', 'revenue by status', '--knowledge', 'knowledge', '--format', 'csv'],
    { cwd: project.folder },
  );
  expect(asked.stderr).toContain('metric revenue');
});

it('goes by limits, and gives JSON without a value of any statement', { timeout: 60_000 }, async () => {
  const flags = ['--min-count', '3', '--since', '2026-02-10', '--tool', 'tom', '--json'];
  const { code, stdout } = await knowledge('mine', 'logs/year.csv', 'store.sqlite', ...flags);
  expect(code).toBe(0);
  const document = JSON.parse(stdout) as {
    proposals: { id: string; example: string }[];
    skipped: Record<string, number>;
  };
  expect(document).toMatchObject({ schemaVersion: 1, skipped: { 'before --since': 5, 'by a tool': 8 } });
  expect(document.proposals.map(({ id }) => id)).toContain('relationship:order_items_to_products');
  expect(document.proposals.map(({ example }) => example).join()).not.toMatch(/2026|Germany|Anna|high/);
});

it.each([
  [['mine'], 'Name one LOG'],
  [['mine', 'logs'], 'DATABASE is missing'],
  [['mine', 'nothing.csv', 'store.sqlite'], 'no file and no folder'],
  [['mine', 'store.sqlite', 'store.sqlite'], 'no log that can be read'],
  [['mine', 'logs', 'store.sqlite', '--since', 'soon'], '--since "soon"'],
  [['mine', 'logs', 'store.sqlite', '--min-users', '0'], '--min-users "0"'],
  [['mine', '--server', 'store.sqlite'], 'SQLite keeps no statements'],
  [['mine', 'logs', 'store.sqlite', '--own-role'], '--own-role goes with --server'],
])('says what is wrong with %j', { timeout: 30_000 }, async (parameters, message) => {
  const { code, stderr } = await knowledge(...parameters);
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  expect(existsSync(project.path('knowledge'))).toBe(false);
});
