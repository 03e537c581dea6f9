import { catalogFixture, schemaFixture } from '@askema/testkit';
import { describe, expect, it } from 'vitest';
import { createText2Sql } from '../../create-text2sql.ts';
import { scriptedAdapter } from '../../fixtures/scripted-adapter.ts';
import { refine } from './refine.ts';
import { type Answer, askRefine, FORMAT, keeps, threadModel, writes } from './refine-fixture.ts';
import type { RefineOptions } from './refine-options.ts';

const columns = ['c0', 'c1'].map((name) => ({ ...FORMAT.columns[0], name }));
const cities: Answer = () => [
  ['Bern', 0],
  ['Rome', 0],
];

/** Asks with one thread of the preset, and collects the prompts of its tasks. */
async function ask(answer: Answer, options: RefineOptions, format: object = { columns }, departs = '') {
  const prompts = { format: '', explore: '', write: '', review: '' };
  const model = threadModel({
    format: ({ prompt }) => {
      prompts.format = prompt;
      return { json: { ...FORMAT, ...format } };
    },
    explore: ({ prompt }) => {
      prompts.explore = prompt;
      return { json: { relevant: [], probes: [] } };
    },
    write: ({ prompt, visit }) => {
      if (visit === 1) prompts.write = prompt;
      return writes(`SELECT ${visit}`, { format_departs: departs });
    },
    review: ({ prompt }) => {
      prompts.review ||= prompt;
      return keeps;
    },
  });
  const { outcome } = await askRefine(answer, model, { ...options, limits: { threads: 1, ...options.limits } });
  return { outcome, prompts };
}

describe('the preset paper', () => {
  it('takes a column of only zeros for no answer, the preset of ours for a fact about the result', async () => {
    const { outcome } = await ask(cities, { preset: 'paper' });
    expect(outcome).toMatchObject({ type: 'failed', error: { code: 'ANSWER_UNCONFIRMED' } });
    const ours = await ask(cities, {});
    expect(ours.outcome.type).toBe('answered');
    expect(ours.prompts.review).toContain('One column of the result holds only NULL, 0 and empty texts.');
    const switched = await ask(cities, { preset: 'paper', rules: { blankColumns: false } });
    expect(switched.outcome.type).toBe('answered');
  });

  it('has a strict format: the head of a CSV file, held against names, from which nothing departs', async () => {
    const names: Answer = () => [['Ann'], ['Bob']];
    const { outcome, prompts } = await ask(
      names,
      { preset: 'paper' },
      { columns: FORMAT.columns, rows: 2 },
      'It is better so.',
    );
    expect(prompts.write).toMatch(
      /Follow it strictly\.[^\n]*\n<<<data format \w+>>>\nname\ntext: the name\n\nA line: /,
    );
    expect(prompts.write).toContain('Lines below the head: 2');
    expect(prompts.write).not.toMatch(/depart|DEPART/);
    expect(prompts.review).toContain('Column 1 of the expected format is called name, that of the result c0.');
    expect(JSON.stringify(outcome)).not.toContain('It is better so.');
    const ours = await ask(names, {});
    expect(ours.prompts.write).toContain('depart from it only where the data show');
  });

  it('wants helpful columns, and no rule says otherwise', async () => {
    const more: Answer = () => [['Ann', 3]];
    const stages = { exploration: true };
    const wanted = { columns: [{ ...FORMAT.columns[0], name: 'c0' }] };
    const { prompts } = await ask(more, { preset: 'paper', stages }, wanted);
    for (const prompt of Object.values(prompts)) {
      expect(prompt).toContain('behind them, those that help to understand or check the answer');
      expect(prompt).not.toMatch(/exactly the columns|and no others|exactly what was asked/);
    }
    expect(prompts.format).toContain('a column for each meaning');
    expect(prompts.review).not.toContain('The expected format has 1 column');
    const ours = await ask(more, {}, wanted);
    expect(ours.prompts.write).toContain('exactly the columns');
    expect(ours.prompts.review).toContain('The expected format has 1 column, the result has 2.');
  });

  it('compresses as the paper does and shows no values, unless it is told otherwise', async () => {
    const years = ['sales_2015', 'sales_2016', 'sales_2017'];
    const catalog = catalogFixture(
      schemaFixture(Object.fromEntries(years.map((year) => [year, { attributes: ['city TEXT'] }]))),
    );
    const promptOf = async (options: RefineOptions, more: object = {}): Promise<string> => {
      let seen = '';
      const model = threadModel({
        write: ({ prompt }) => {
          seen = prompt;
          return writes('SELECT 1');
        },
      });
      const adapter = scriptedAdapter(() => [['Kiel']], { catalog, samples: ['Oslo'] });
      const stages = { exploration: false, profile: false, cte: false };
      const flow = refine({ ...options, stages, limits: { threads: 1 } });
      await createText2Sql({ adapter, model, flow, ...more }).ask('Which city?', { today: '2024-03-09' });
      return seen;
    };
    const paper = await promptOf({ preset: 'paper' });
    expect(paper).toContain('CREATE TABLE sales_2015 (');
    expect(paper).toContain('-- Relations of a similar structure: sales_2016, sales_2017');
    expect(paper).not.toContain('Oslo');
    const told = await promptOf({ preset: 'paper' }, { compression: 'lossless', sampleValues: 3 });
    expect(told).toContain('CREATE TABLE sales_{2015..2017}');
    expect(told).toContain('Oslo');
    expect(await promptOf({}, { compression: 'paper' })).toContain('Relations of a similar structure');
  });
});
