import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqliteDialect } from '@askema/dialects';
import { afterAll, describe, expect, it } from 'vitest';
import { folderKnowledge } from '../../knowledge/folder-knowledge.ts';
import { scriptedShop } from '../../testing/scripted-shop.ts';
import { shopServer } from '../../testing/shop-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'askema-knowledge-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('a database', () => {
  it('is listed, with what the caller may do there', async () => {
    const { json } = shopServer();
    expect(await json('cat', 'GET', '/v1/databases')).toMatchObject({
      databases: [{ name: 'shop', title: 'What is sold', scopes: ['catalog'] }],
    });
  });

  it('shows its catalog, and finds relations by words', async () => {
    const { json } = shopServer();
    expect(await json('cat', 'GET', '/v1/databases/shop/catalog')).toMatchObject({
      schema: { relations: [{ name: 'users' }] },
    });
    expect(await json('cat', 'GET', '/v1/databases/shop/search?words=users&limit=5')).toMatchObject({
      total: 1,
      relations: [{ name: 'users' }],
    });
    expect(await json('cat', 'GET', '/v1/databases/shop/search?limit=0')).toMatchObject({ status: 400 });
    expect(await json('cat', 'GET', '/v1/databases/shop/search?wrods=users')).toMatchObject({ status: 400 });
  });

  it('finds cells by their text, each tenant its own', async () => {
    const rows = (_sql: string, tenant: string) => [[`${tenant} street`, null, null]];
    const { json, shop } = shopServer({ shop: scriptedShop({ rows }) });
    const found = await json('cat', 'GET', '/v1/databases/shop/values?text=street');
    expect(JSON.stringify(found)).not.toContain('south');
    expect(shop.sent.length).toBeGreaterThan(0);
    expect(shop.sent.every((sql) => sql.startsWith('north: '))).toBe(true);
    const { schema } = await json('cat', 'GET', '/v1/databases/shop/catalog');
    const [, name] = schema.attributes;
    const path = `/v1/databases/shop/values?text=street&attribute=${encodeURIComponent(name.id)}`;
    expect(await json('cat', 'GET', path)).toMatchObject({ status: 200 });
    expect(await json('cat', 'GET', `${path}x`)).toMatchObject({ error: { code: 'INPUT_INVALID' } });
  });

  it('shows its knowledge to whom it is, and takes an answer as a proposal', async () => {
    const shop = { ...scriptedShop(), knowledge: folderKnowledge({ folder, dialect: sqliteDialect }) };
    const { json } = shopServer({ shop });
    const path = '/v1/databases/shop/knowledge';
    const { runId } = await json('ann', 'POST', '/v1/ask', { question: 'Who is there?' });
    expect(await json('bob', 'POST', `${path}/proposals`, { run: runId })).toMatchObject({ status: 404 });
    expect(await json('ann', 'POST', `${path}/proposals`, { run: runId })).toMatchObject({ kind: 'proposed' });
    const { entries } = await json('ann', 'GET', path);
    expect(entries).toMatchObject([{ kind: 'query', state: 'proposed', entry: { question: 'Who is there?' } }]);
    expect(JSON.stringify(entries)).not.toContain(folder);
    expect(await json('bob', 'GET', path)).toMatchObject({ entries: [] });
    expect(await json('cat', 'GET', path)).toMatchObject({ status: 403 });
    expect(readdirSync(folder)).toContain('proposals');
  });

  it('tells people of one name in two tenants apart, also where they share a folder', async () => {
    const one = { tenant: 'north/ann', subject: 'ann' };
    const alike = { tenant: 'north', subject: 'ann/ann' };
    const shared = mkdtempSync(join(folder, 'shared-'));
    const knowledge = folderKnowledge({ folder: shared, dialect: sqliteDialect });
    const { json } = shopServer();
    const answered = await json('ann', 'POST', '/v1/ask', { question: 'Who is there?' });
    for (const who of [one, { tenant: 'south', subject: 'ann' }, { subject: 'ann' }]) {
      expect(await knowledge.list(who)).toEqual([]);
      await knowledge.propose(answered, who);
      expect(await knowledge.list(who)).toHaveLength(1);
    }
    expect(await knowledge.list(alike)).toEqual([]);
  });

  it.each(['hide', 'mask'])(
    'its knowledge, which names all, is not for whom something is kept back by %s',
    async (by) => {
      const shop = { ...scriptedShop(), knowledge: folderKnowledge({ folder, dialect: sqliteDialect }) };
      const kept = { [by]: ['users.name'] };
      const ann = { subject: 'ann', tenant: 'north', scopes: ['*'] };
      const servers = [
        shopServer({ shop, auth: { isOpen: false, authenticate: async () => ({ ...ann, ...kept }) } }),
        shopServer({ shop: { ...shop, ...kept } }),
      ];
      for (const { json } of servers)
        expect(await json('ann', 'GET', '/v1/databases/shop/knowledge')).toMatchObject({
          status: 403,
          error: { code: 'CALLER_REFUSED' },
        });
    },
  );

  it('without knowledge says so', async () => {
    const { json } = shopServer();
    expect(await json('ann', 'GET', '/v1/databases/shop/knowledge')).toMatchObject({
      error: { code: 'CAPABILITY_UNSUPPORTED' },
    });
  });
});
