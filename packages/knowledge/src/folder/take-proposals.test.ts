import { describe, expect, it } from 'vitest';
import { definitionText } from '../bind/definition-text.ts';
import type { Knowledge } from '../model/knowledge.ts';
import { loadKnowledge } from './load-knowledge.ts';
import { takeProposals } from './take-proposals.ts';
import { makeFolder, shopModel } from './test-support/make-folder.ts';
import { usableKnowledge } from './usable-knowledge.ts';

const query = (question: string, sql: string) => `---\nnl: ${question}\nsql: ${sql}\n---\n`;
const FILES = {
  'models/shop.ossie.yaml': shopModel('shop', { revenue: 'SUM(orders.amount)', orders: 'COUNT(orders.amount)' }),
  'sql/old.md': query('Net sales?', 'SELECT 1'),
  'sql/other.md': query('Stores?', 'SELECT 2'),
  'proposals/sql/shared.md': query('Shared?', 'SELECT 3'),
  'proposals/by/ann/models/shop.ossie.yaml': shopModel('shop', { Revenue: 'MAX(orders.amount)' }),
  'proposals/by/ann/sql/new.md': query('net sales', 'SELECT 4'),
  'proposals/by/bob/models/shop.ossie.yaml': shopModel('shop', { revenue: 'MIN(orders.amount)' }),
};
const said = (knowledge: Knowledge): readonly string[] => {
  const { models, verifiedQueries } = usableKnowledge(knowledge).knowledge;
  return [
    ...models.flatMap(({ metrics }) => metrics.map((one) => `${one.name} ${definitionText(one)}`)),
    ...verifiedQueries.map(({ sql }) => sql),
  ].sort();
};

describe('takeProposals', () => {
  it('puts what is wanted into the place of what it would replace, and nothing else', async () => {
    const knowledge = await loadKnowledge(makeFolder(FILES), { allProposals: true });
    const of = (by: string) => said(takeProposals(knowledge, (standing) => standing.by === by));
    const rest = ['SELECT 2', 'orders COUNT(orders.amount)'];
    expect(of('ann')).toEqual(['Revenue MAX(orders.amount)', 'SELECT 4', ...rest].sort());
    expect(of('bob')).toEqual(['SELECT 1', 'revenue MIN(orders.amount)', ...rest].sort());
    expect(of('eve')).toEqual(said(knowledge));
    expect(said(takeProposals(knowledge, () => true))).toEqual(
      ['Revenue MAX(orders.amount)', 'SELECT 3', 'SELECT 4', ...rest].sort(),
    );
  });

  it('takes nothing that failed, and keeps fields of a dataset that is proposed anew', async () => {
    const knowledge = await loadKnowledge(makeFolder(FILES), { proposalsOf: 'ann' });
    const failed = {
      ...knowledge,
      verifiedQueries: knowledge.verifiedQueries.map((one) => ({
        ...one,
        standing: { ...one.standing, state: 'failed' as const },
      })),
    };
    expect(takeProposals(failed, () => true).verifiedQueries.map(({ id }) => id)).toEqual(['old', 'other']);
    const smaller = {
      ...knowledge,
      models: knowledge.models.map((model) =>
        model.standing.by === undefined
          ? model
          : { ...model, datasets: model.datasets.map((one) => ({ ...one, fields: [] })) },
      ),
    };
    const datasets = takeProposals(smaller, () => true).models.flatMap((model) => model.datasets);
    expect(datasets.map(({ fields, standing }) => [fields.length, standing.by])).toEqual([[1, 'ann']]);
  });
});
