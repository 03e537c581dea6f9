import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listEntries } from '../model/list-entries.ts';
import { bindShop } from '../reader/test-support/shop.ts';
import { createKnowledge } from '../use/create-knowledge.ts';
import { acceptEntry } from './accept-entry.ts';
import { loadKnowledge } from './load-knowledge.ts';
import { personFolder, personOf } from './person-folder.ts';
import { makeFolder, shopModel } from './test-support/make-folder.ts';
import { usableKnowledge } from './usable-knowledge.ts';

const query = (question: string, sql: string, more = '') => `---\nnl: ${question}\nsql: ${sql}\n${more}---\n`;

const FILES = {
  'models/shop.ossie.yaml': shopModel('shop'),
  'proposals/sql/shared.md': query('Shared?', 'SELECT 0'),
  'proposals/by/ann/sql/sales.md': query('Net sales?', 'SELECT 1', 'verified_by: the board\n'),
  'proposals/by/ann/rules/net.md': 'Sales are net.\n',
  'proposals/by/bob/sql/sales.md': query('Net sales?', 'SELECT 2'),
  'proposals/by/bob/models/shop.ossie.yaml': shopModel('shop', { revenue: 'MAX(orders.amount)' }),
};
const proposed = async (folder: string, options = {}) =>
  listEntries(await loadKnowledge(folder, options)).flatMap(({ id, kind, standing }) =>
    standing.state === 'accepted' || kind === 'field' ? [] : [`${id} ${standing.by ?? '-'}`],
  );

describe('proposals of a person', () => {
  it('are read for that person, for who keeps the folder, and for nobody else', async () => {
    const folder = makeFolder(FILES);
    expect(await proposed(folder)).toEqual(['query:shared -']);
    expect(await proposed(folder, { proposalsOf: 'ann' })).toEqual([
      'query:sales ann',
      'query:shared -',
      'rule:net ann',
    ]);
    expect(await proposed(folder, { proposalsOf: 'Ann' })).toEqual(['query:shared -']);
    expect(await proposed(folder, { proposalsOf: 'all' })).toEqual(['query:shared -']);
    expect(await proposed(folder, { allProposals: true })).toHaveLength(7);
  });

  it('reach an answer only of that person, even where all were loaded, and say that they are proposed', async () => {
    const knowledge = await loadKnowledge(makeFolder(FILES), { allProposals: true });
    const { catalog, dialect } = bindShop();
    const answer = (options = {}) =>
      createKnowledge(knowledge, options)
        .on(catalog, dialect)
        .answer({ question: 'net sales', today: '2024-05-15', values: [] });
    expect(usableKnowledge(knowledge)).toMatchObject({ knowledge: { verifiedQueries: [], texts: [] } });
    expect(answer()).toBeUndefined();
    expect(answer({ proposalsOf: 'eve' })).toBeUndefined();
    expect(answer({ proposalsOf: 'ann' })).toMatchObject({ sql: 'SELECT 1', basedOn: [{ state: 'proposed' }] });
    expect(answer({ proposalsOf: 'bob' })).toMatchObject({ sql: 'SELECT 2' });
  });

  it('are not accepted where they have changed since they were shown', async () => {
    const folder = makeFolder(FILES);
    const accept = async (id: string, of: string) => {
      const shown = listEntries(await loadKnowledge(folder, { allProposals: true })).find(
        (one) => one.id === id && one.standing.by === of,
      );
      return (change: () => void) => {
        change();
        return acceptEntry(folder, id, 'kim', undefined, of, shown?.entry);
      };
    };
    const replaced = (file: string, text: string) => () => writeFileSync(join(folder, file), text);
    const sales = await accept('query:sales', 'ann');
    await expect(sales(replaced('proposals/by/ann/sql/sales.md', query('Net sales?', 'SELECT 3')))).rejects.toThrow(
      /has changed since it was shown/,
    );
    const shop = await accept('model:shop', 'bob');
    const more = shopModel('shop', { revenue: 'MAX(orders.amount)', more: 'SUM(orders.amount)' });
    await expect(shop(replaced('proposals/by/bob/models/shop.ossie.yaml', more))).rejects.toThrow(/has changed/);
    const again = await accept('query:sales', 'ann');
    expect(await again(() => undefined)).toBe('sql/sales.md');
  });

  it('are told apart when they are accepted, and nobody proposes in the name of another', async () => {
    const folder = makeFolder(FILES);
    await expect(acceptEntry(folder, 'query:sales', 'kim')).rejects.toThrow(/by ann and by bob.*--of ann/);
    await expect(acceptEntry(folder, 'query:sales', 'kim', undefined, 'eve')).rejects.toThrow(
      /not proposed by eve .* It is proposed by ann, bob/,
    );
    expect(await acceptEntry(folder, 'query:sales', 'kim', undefined, 'bob')).toBe('sql/sales.md');
    expect(readFileSync(join(folder, 'sql/sales.md'), 'utf8')).toMatch(/SELECT 2\nverified_by: kim/);
    expect(await proposed(folder, { proposalsOf: 'ann' })).toContain('query:sales ann');
    expect(await acceptEntry(folder, 'query:sales', 'kim')).toBe('sql/sales.md');
    expect(readFileSync(join(folder, 'sql/sales.md'), 'utf8')).toMatch(/SELECT 1\nverified_by: kim/);
    expect(await acceptEntry(folder, 'metric:revenue', 'kim')).toBe('models/shop.ossie.yaml');
    expect(readFileSync(join(folder, 'models/shop.ossie.yaml'), 'utf8')).toContain('MAX(orders.amount)');
  });

  it('take the place of no other question and no other text that is called alike', async () => {
    const folder = makeFolder({
      ...FILES,
      'sql/sales.md': query('Gross sales?', 'SELECT 3'),
      'rules/net.md': 'Weight is net.\n',
    });
    expect(await acceptEntry(folder, 'query:sales', 'kim', undefined, 'ann')).toBe('sql/sales-2.md');
    expect(await acceptEntry(folder, 'rule:net', 'kim')).toBe('rules/net-2.md');
    expect(readFileSync(join(folder, 'sql/sales.md'), 'utf8')).toContain('SELECT 3');
    expect(existsSync(join(folder, 'proposals/by/ann/sql/sales.md'))).toBe(false);
  });

  it('do not follow a link from one person to another', async () => {
    const folder = makeFolder(FILES);
    symlinkSync('ann', join(folder, 'proposals/by/eve'));
    expect(await proposed(folder, { proposalsOf: 'eve' })).toEqual(['query:shared -']);
  });
});

describe('the folder of a person', () => {
  const NAMES = [
    'ann',
    'Ann',
    'ANN',
    '..',
    '../bob',
    '.git',
    'a/b',
    'a\\b',
    'con.',
    'é',
    'É',
    'ſ',
    's',
    '%41',
    'a b',
    '李',
    'x:y',
  ];

  it('is one of its own, on a disk that knows no case and no form of Unicode as well', () => {
    const folders = NAMES.map(personFolder);
    expect(new Set(folders.map((one) => one.normalize('NFKC').toLowerCase())).size).toBe(NAMES.length);
    for (const [at, folder] of folders.entries()) {
      expect(folder).toMatch(/^proposals\/by\/[a-z0-9_%-]+$/);
      expect(personOf(folder.slice('proposals/by/'.length))).toBe(NAMES[at]);
    }
    expect(['Ann', '%C3%A9', '%61nn', '%', 'a.b', 'e%cc%81'].map(personOf)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it.each(['', ' ', 'a\nb', 'x\u202ey', 'a\u200bb', '\ud800', 'a'.repeat(81)])('refuses the name %j', (name) => {
    expect(() => personFolder(name)).toThrow(/is no name of a person/);
  });
});
