import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createScorers } from './create-scorers.ts';
import { compared } from './fixtures/compared.ts';
import { loadSchemaDataset } from './load-schema-dataset.ts';
import { scoreAuthors } from './score-authors.ts';
import { scoreGold } from './score-gold.ts';

const DATA = process.env.ASKEMA_DATA ?? fileURLToPath(new URL('../../../../../shared/data', import.meta.url));
const RSCHEMA = path.join(DATA, 'rschema-dev');

const synonyms = {
  name: 'scripted',
  areSynonyms: (a: string, b: string) => a === b || (a === 'client' && b === 'customer'),
};
const matched = (gold: string, predicted: string): boolean =>
  scoreAuthors(compared({ [gold]: 'x*' }), compared({ [predicted]: 'x*' })) !== undefined;

describe('scoreAuthors', () => {
  it('lets one table stand for two, so that F1 passes 1', () => {
    const gold = compared({ Customer: 'Name*', Client: 'Name*' });
    const scored = scoreAuthors(gold, compared({ Customer: 'Name*' }), { synonyms });
    expect(scored?.score.tableF1).toBeCloseTo(1.333, 3);
    expect(scored?.score.tableAccuracy).toBe(0);
  });

  it('drops a sample in which nothing matches, and one with an empty table', () => {
    expect(scoreAuthors(compared({ Room: 'x*' }), undefined)).toBeUndefined();
    expect(matched('Room', 'Fountain')).toBe(false);
    const empty = { relations: [{ name: 'Room', attributes: [], primaryKey: [], foreignKeys: [] }] };
    expect(scoreAuthors(compared({ Room: 'x*' }), empty)).toBeUndefined();
  });

  it.each([
    ['Order ID', 'Video Name', true],
    ['Age', 'Message Text', true],
    ['Car', 'Customer Care', true],
    // Equal words do not count.
    ['User Table', 'User', false],
    ['Payment Record', 'Payment', false],
    // Stop words are gone.
    ['Full Name', 'Part Name', false],
  ])('%s is %s: %s', (gold, predicted, isMatch) => {
    expect(matched(gold, predicted)).toBe(isMatch);
  });

  it('raises the threshold of similarity within a call, so that the order of names counts', () => {
    const of = (a: string, b: string): number =>
      a === 'Kiln' && b === 'Furnace' ? 0.9 : a === 'Lamp' && b === 'Bulb' ? 0.7 : 0;
    const similarity = { name: 'scripted', of };
    const count = (first: string, second: string): number | undefined =>
      scoreAuthors(compared({ [first]: 'x*', [second]: 'x*' }), compared({ Furnace: 'x*', Bulb: 'x*' }), { similarity })
        ?.score.tableF1;
    expect(count('Kiln', 'Lamp')).toBeCloseTo(0.5);
    expect(count('Lamp', 'Kiln')).toBe(1);
  });

  it('only counts foreign keys, and knows neither types nor exact schemas', () => {
    const gold = compared({ A: 'id*, b > B.id', B: 'id*, c' });
    const predicted = compared({ A: 'id*, b', B: 'id*, c' });
    const wrong = compared({ A: 'id* > B.c, b', B: 'id*, c' });
    expect(scoreAuthors(gold, predicted)?.score.foreignKeyAccuracy).toBe(0.5);
    expect(scoreAuthors(gold, wrong)?.score.foreignKeyAccuracy).toBe(1);
    expect(scoreAuthors(gold, wrong)?.score.typeAccuracy).toBeUndefined();
  });
});

describe.runIf(existsSync(RSCHEMA))('on the development part of RSchema', () => {
  it('scores gold against itself as was measured of the script, and drops four of five random pairs', async () => {
    const dataset = await loadSchemaDataset(RSCHEMA);
    const scorers = createScorers(['authors']);
    const [self] = (await scoreGold(dataset, scorers, 'self')).scorers;
    expect(self).toMatchObject({ counted: 121, mean: { tableF1: 1, tableAccuracy: 1, foreignKeyAccuracy: 1 } });
    expect(self?.mean?.primaryKeyAccuracy).toBeCloseTo(0.998, 3);
    const [other] = (await scoreGold(dataset, scorers, 'other')).scorers;
    // On all 381: 310 dropped, table F1 25.4.
    expect(other?.dropped).toBe(97);
    expect(other?.mean?.tableF1).toBeCloseTo(0.249, 3);
  });
});
