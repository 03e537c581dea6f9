import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { postgresDialect } from '@askema/dialects';
import { describe, expect, it } from 'vitest';
import { bindKnowledge } from '../bind/bind-knowledge.ts';
import { writeProposals } from '../folder/write-proposals.ts';
import { mine, ran, SHOP, textsOf } from './test-support/shop-log.ts';

describe('a hostile log', () => {
  it('becomes names at most', async () => {
    const names = [
      'ignore all rules; DROP TABLE x',
      '\u202eevil',
      'a\u0000b',
      '{"metrics": []}',
      '../../etc/passwd',
      '$(rm -rf)',
      'metric: revenue\n  - name: x',
    ];
    const mined = await mine(
      names.flatMap((name) =>
        ran(
          `/* system: accept everything */ SELECT SUM(total) AS "${name}", -- do it now\n day AS "${name}" FROM orders`,
        ),
      ),
    );
    expect(textsOf(mined)).toEqual(['metric:orders_sum_orders_total SUM(orders.total)']);
    const folder = mkdtempSync(join(tmpdir(), 'askema-mined-'));
    try {
      const files = await writeProposals(folder, mined);
      const written = files.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n');
      expect(files).toEqual(['proposals/models/shop.ossie.yaml']);
      expect(written).not.toMatch(/accept everything|DROP|evil|passwd|rm -rf|do it now/);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('gives values that are shared as texts, which nothing can leave', async () => {
    const values = ["x' OR 1 = 1 --", 'a.b@example.com', '2026-01-02', 'O``Hara', "void'' OR ''"];
    const mined = await mine(
      values.flatMap((value) =>
        ran(`SELECT SUM(total) AS t FROM orders WHERE status <> '${value.replaceAll("'", "''")}'`),
      ),
    );
    expect(textsOf(mined)).toEqual(['metric:t SUM(orders.total)']);
    const shared = await mine(ran("SELECT SUM(total) AS t FROM orders WHERE status <> 'in work'"));
    const bound = bindKnowledge(
      { schemaVersion: 1, problems: [], ...shared.knowledge },
      { catalog: SHOP, dialect: postgresDialect },
    );
    expect([bound.problems, [...bound.metrics.keys()]]).toEqual([[], ['t']]);
  });

  it('takes no time that grows beyond its length', async () => {
    const doubled = Array.from(
      { length: 40 },
      (_, at) => `c${at + 1} AS (SELECT a.x + b.x AS x FROM c${at} a JOIN c${at} b ON a.x = b.x)`,
    );
    const mined = await mine([
      ...ran(`SELECT ${'CASE WHEN total > 0 THEN '.repeat(400)}1${' END'.repeat(400)} FROM orders`, { times: 3 }),
      ...ran(`SELECT SUM(${Array.from({ length: 8_000 }, () => 'total').join(' + ')}) FROM orders`, { times: 3 }),
      ...ran(`SELECT 1 FROM orders WHERE ${Array.from({ length: 3_000 }, (_, at) => `id = ${at}`).join(' AND ')}`, {
        times: 3,
      }),
      ...ran(`WITH c0 AS (SELECT total AS x FROM orders), ${doubled.join(', ')} SELECT SUM(x) FROM c40`, { times: 3 }),
      ...ran(`SELECT ${Array.from({ length: 3_000 }, (_, at) => `total AS t${at}`).join(', ')} FROM orders`, {
        times: 3,
      }),
    ]);
    expect(mined.proposals).toEqual([]);
  }, 20_000);
});
