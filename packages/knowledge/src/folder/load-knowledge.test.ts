import { existsSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Knowledge } from '../model/knowledge.ts';
import { entryHash } from './checks.ts';
import { loadKnowledge } from './load-knowledge.ts';
import { makeFolder, shopModel } from './test-support/make-folder.ts';
import { usableKnowledge } from './usable-knowledge.ts';

const DATA = process.env.ASKEMA_DATA ?? fileURLToPath(new URL('../../../../../shared/data', import.meta.url));
const WREN = join(DATA, 'knowledge', 'wren', 'v5-jaffle');

const QUERY = `---
nl: How many orders are there?
tags: count
verified_by: ann
parameters: [{ name: day, type: date }]
created_at: 2026-01-02
---
Only those that were paid.

\`\`\`sql
SELECT COUNT(*) FROM orders
\`\`\`
`;

const found = ({ problems }: Knowledge): readonly (string | number | undefined)[][] =>
  problems.map(({ code, entry, place }) => [code, entry, `${place.file}:${place.line ?? ''}`]);

describe('loadKnowledge', () => {
  it('reads settings, models, queries and prose', async () => {
    const folder = makeFolder({
      'knowledge.yml': 'schema_version: 1\nfiscal_year_start: 4\ntime_zone: Europe/Berlin\n',
      'models/shop.ossie.yaml': shopModel('shop'),
      'sql/orders/how-many.md': QUERY,
      'rules/dates.md':
        '---\napplies_to: orders\npriority: 2\n---\nAlways UTC.\n\n# Weeks\nThey begin on Monday.\n# Empty\n',
      'glossary/words.md': '# Churn\nNo order for 90 days.\n```\n# no heading\n```\n',
      'proposals/metrics/revenue.md': 'Without tax.\n',
    });
    const knowledge = await loadKnowledge(folder);
    expect(knowledge.problems).toEqual([]);
    expect(knowledge.settings).toEqual({ fiscalYearStart: 4, timeZone: 'Europe/Berlin' });
    expect(knowledge.models[0]?.metrics[0]).toMatchObject({
      name: 'revenue',
      definition: { kind: 'aggregate', expressions: [{ dialect: 'ANSI_SQL', expression: 'SUM(orders.amount)' }] },
      standing: { state: 'accepted', place: { file: 'models/shop.ossie.yaml', line: 11 } },
    });
    expect(knowledge.verifiedQueries[0]).toMatchObject({
      id: 'orders/how-many',
      question: 'How many orders are there?',
      sql: 'SELECT COUNT(*) FROM orders',
      names: 'physical',
      parameters: [{ name: 'day', type: 'date' }],
      tags: ['count'],
      verifiedBy: 'ann',
      notes: 'Only those that were paid.',
      other: { created_at: '2026-01-02' },
    });
    expect(
      knowledge.texts.map(({ id, kind, title, text, standing }) => [id, kind, title, text, standing.place.line]),
    ).toEqual([
      ['words', 'glossary', 'Churn', 'No order for 90 days.\n```\n# no heading\n```', 1],
      ['revenue', 'note', 'revenue', 'Without tax.', 1],
      ['dates', 'rule', 'dates', 'Always UTC.', 5],
      ['dates#Weeks', 'rule', 'Weeks', 'They begin on Monday.', 7],
    ]);
    expect(knowledge.texts[2]).toMatchObject({ appliesTo: ['orders'], priority: 2 });
    const { knowledge: usable, leftOut } = usableKnowledge(knowledge);
    expect(leftOut).toEqual({ proposed: 1, failed: 0 });
    expect(usable.texts.map(({ id }) => id)).toEqual(['words', 'dates', 'dates#Weeks']);
  });

  it.skipIf(!existsSync(WREN))("opens WrenAI's example project", async () => {
    const { verifiedQueries, texts, problems } = await loadKnowledge(WREN);
    expect(problems).toEqual([]);
    expect(verifiedQueries).toMatchObject([
      {
        id: 'total-revenue',
        question: 'What is the total revenue across all orders?',
        sql: 'SELECT SUM(amount) AS total_revenue FROM orders',
        standing: { source: 'user', state: 'accepted' },
      },
    ]);
    expect(texts).toMatchObject([{ id: 'business-rules', kind: 'rule', title: 'Business rules' }]);
  });

  it('reads single files', async () => {
    const folder = makeFolder({ 'a.yaml': shopModel('shop'), 'sql/q.md': QUERY, 'notes.md': 'What?' });
    const knowledge = await loadKnowledge([join(folder, 'a.yaml'), join(folder, 'sql/q.md')]);
    expect([knowledge.models.length, knowledge.verifiedQueries.length]).toEqual([1, 1]);
    await expect(loadKnowledge(join(folder, 'notes.md'))).rejects.toThrow(/What .*notes\.md holds is not known/);
  });

  it('names the nearest of a folder that is not there', async () => {
    const folder = makeFolder({ 'knowledge/sql/a.md': QUERY });
    await expect(loadKnowledge(join(folder, 'knowlege'))).rejects.toMatchObject({
      code: 'KNOWLEDGE_INVALID',
      message: expect.stringContaining('Did you mean `knowledge`?'),
    });
  });

  it('says that a folder is empty, and which folder is not read', async () => {
    const knowledge = await loadKnowledge(makeFolder({ 'rule/a.md': 'Text.' }));
    expect(found(knowledge)).toEqual([
      ['unknown-folder', undefined, 'rule:'],
      ['empty-folder', undefined, '.:'],
    ]);
    expect(knowledge.problems[0]?.message).toContain('`rules`');
  });

  it.each([
    ['schema_version: 2', /^knowledge\.yml:1 has the schema_version 2; version 1 is read/],
    ['dialect: postgres', /^knowledge\.yml:1 has no `schema_version`/],
    ['schema_version: 1\nfiscal_year_start: 13', /^knowledge\.yml:2 `fiscal_year_start`/],
  ])('refuses the settings %j', async (text, message) => {
    await expect(loadKnowledge(makeFolder({ 'knowledge.yml': text }))).rejects.toThrow(message);
  });

  it('reads the other files where one cannot be read', async () => {
    const bomb = `a: &a [x, x, x, x, x, x, x, x, x]\n${[...'bcdefghij'].map((name, at) => `${name}: &${name} [${`*${'abcdefghi'[at]}, `.repeat(9)}]`).join('\n')}`;
    const knowledge = await loadKnowledge(
      makeFolder({
        'models/a.yaml': bomb,
        'models/b.yaml': 'version: "0.9"\nname: b\ndatasets: []\n',
        'models/c.yaml': shopModel('shop'),
        'models/d.json': '{"version": "0.2.0.dev0", "name": "d", "name": "e", "datasets": []}',
        'models/e.yaml': 'version: 0.1.1\nsemantic_model: [{ name: one }, { name: two }]\n',
        'models/f.txt': '',
        'sql/no-question.md': 'SELECT 1',
        'sql/no-sql.md': '---\nnl: How many?\n---\n',
        'sql/wrong.md': '---\nnl: How many?\nsql: SELECT 1\nnames: logic\n---\n',
        'rules/cut.md': '---\na: [\n---\n',
      }),
    );
    expect(found(knowledge)).toEqual([
      ['unknown-file', undefined, 'models/f.txt:'],
      ['unreadable-file', undefined, 'models/a.yaml:1'],
      ['unreadable-file', undefined, 'models/b.yaml:1'],
      ['unreadable-file', undefined, 'models/d.json:1'],
      ['unreadable-file', undefined, 'models/e.yaml:2'],
      ['unreadable-file', undefined, 'rules/cut.md:2'],
      ['query-invalid', 'query:no-question', 'sql/no-question.md:1'],
      ['query-invalid', 'query:no-sql', 'sql/no-sql.md:1'],
      ['query-invalid', 'query:wrong', 'sql/wrong.md:4'],
    ]);
    expect(knowledge.problems.map(({ message }) => message).join('\n')).toMatch(/Read are 0\.1\.0, 0\.1\.1.*one, two/s);
    expect(knowledge.models.map(({ name }) => name)).toEqual(['shop']);
    expect(knowledge.verifiedQueries).toEqual([]);
  });

  it('uses neither of two definitions of one name', async () => {
    const knowledge = await loadKnowledge(
      makeFolder({
        'models/a.yaml': shopModel('a', { revenue: 'SUM(x)', orders: 'COUNT(*)' }),
        'models/b.yaml': shopModel('b', { Revenue: 'SUM(y)' }),
        'proposals/models/c.yaml': shopModel('c', { orders: 'SUM(1)' }),
      }),
    );
    expect(found(knowledge)).toEqual([
      ['defined-twice', 'metric:revenue', 'models/a.yaml:11'],
      ['defined-twice', 'metric:Revenue', 'models/b.yaml:11'],
    ]);
    const { knowledge: usable, leftOut } = usableKnowledge(knowledge);
    expect(usable.models.flatMap(({ metrics }) => metrics.map(({ name }) => name))).toEqual(['orders']);
    // The proposal is a model, a dataset and a metric.
    expect(leftOut).toEqual({ proposed: 3, failed: 2 });
  });

  it('leaves out what failed the last check, until it is changed', async () => {
    const folder = makeFolder({ 'models/a.yaml': shopModel('a') });
    const [model] = (await loadKnowledge(folder)).models;
    const [metric, field] = [model?.metrics[0], model?.datasets[0]?.fields[0]];
    if (metric === undefined || field === undefined) throw new Error('The model is empty.');
    const failed = { state: 'failed', at: '2026-01-02T03:04:05Z', by: 'askema', reason: 'There is no column x.' };
    const entries = {
      'metric:revenue': { ...failed, sha256: entryHash(metric) },
      'field:a_orders.amount': { ...failed, sha256: entryHash(field) },
    };
    writeFileSync(join(folder, 'checks.json'), JSON.stringify({ schema_version: 1, entries }));
    const checked = await loadKnowledge(folder);
    expect(checked.models[0]?.metrics[0]?.standing).toMatchObject({
      state: 'failed',
      reason: 'There is no column x.',
      checkedAt: '2026-01-02T03:04:05Z',
    });
    const usable = usableKnowledge(checked);
    expect(usable.leftOut).toEqual({ proposed: 0, failed: 2 });
    expect(usable.knowledge.models[0]?.datasets[0]?.fields).toEqual([]);
    writeFileSync(join(folder, 'models/a.yaml'), shopModel('a', { revenue: 'SUM(y)' }));
    expect((await loadKnowledge(folder)).models[0]?.metrics[0]?.standing.state).toBe('accepted');
    writeFileSync(join(folder, 'checks.json'), '{');
    await expect(loadKnowledge(folder)).rejects.toThrow(/checks\.json cannot be read/);
  });

  it('follows no link out of the folder', async () => {
    const outside = makeFolder({ 'secret.md': QUERY, 'more/a.md': QUERY, 'knowledge.yml': 'schema_version: 1' });
    const folder = makeFolder({ 'sql/own.md': QUERY });
    symlinkSync(join(outside, 'secret.md'), join(folder, 'sql/linked.md'));
    symlinkSync(join(outside, 'more'), join(folder, 'rules'));
    symlinkSync(join(folder, 'sql/own.md'), join(folder, 'sql/own-again.md'));
    const knowledge = await loadKnowledge(folder);
    expect(found(knowledge)).toEqual([
      ['link-out-of-folder', undefined, 'rules:'],
      ['link-out-of-folder', undefined, 'sql/linked.md:'],
    ]);
    expect(knowledge.verifiedQueries.map(({ id }) => id)).toEqual(['own-again', 'own']);
    symlinkSync(join(outside, 'knowledge.yml'), join(folder, 'knowledge.yml'));
    await expect(loadKnowledge(folder)).rejects.toThrow(/link that leads out/);
  });
});

describe('a hostile file', () => {
  it.each([
    ['blocks that never end', 'sql/a.md', `---\nnl: a\n---\n${'```sql\n'.repeat(100_000)}`],
    ['a heading of marks', 'rules/a.md', `# a ${'#'.repeat(500_000)}x\nText.\n`],
    ['one heading many times', 'rules/a.md', '# a\nb\n'.repeat(100_000)],
    [
      'keys that nobody knows',
      'models/a.yaml',
      `${shopModel('a')}${Array.from({ length: 20_000 }, (_, at) => `k${at}: 1\n`).join('')}`,
    ],
  ])('with %s takes no long time', async (_, path, text) => {
    const before = performance.now();
    await loadKnowledge(makeFolder({ [path]: text }));
    expect(performance.now() - before).toBeLessThan(4_000);
  });
});
