import { describe, expect, it } from 'vitest';
import { expectAnswer } from '../testing/expect-answer.ts';
import { smallDatabase } from '../testing/small-database.ts';

const zoo = smallDatabase(
  {
    animals: [
      'animal_id number key',
      'name text',
      'sx text',
      'wt_kg number',
      'fur_id number > shades',
      'eye_id number > shades',
    ],
    shades: ['shade_id number key', 'shade text'],
  },
  {
    animals: [
      [1, 'Ada', 'F', 10, 1, 2],
      [2, 'Bob', 'M', 20, 1, 1],
      [3, 'Cleo', 'F', 30, 2, 1],
    ],
    shades: [
      [1, 'Brown'],
      [2, 'Green'],
    ],
  },
);

describe('hints beside the question', () => {
  it('say which value a word means', () =>
    expectAnswer(
      zoo,
      'How many females are there among the animals?'.replace(
        'females are there among the animals',
        'female animals are there',
      ),
      "SELECT COUNT(*) FROM animals WHERE sx = 'F'",
      {
        evidence: "female refers to sx = 'F'",
      },
    ));

  it('say which attribute a phrase means', () =>
    expectAnswer(zoo, 'What is the average heaviness of animals?', 'SELECT AVG(wt_kg) FROM animals', {
      evidence: 'heaviness refers to wt_kg',
    }));

  it('say the value, and the question the key', () =>
    expectAnswer(zoo, 'List the names of animals with brown fur', 'SELECT name FROM animals WHERE fur_id = 1', {
      evidence: "brown fur refers to shade = 'Brown' and fur_id = shades.shade_id",
    }));

  it('are no reason to decline when the question does not mention them', () =>
    expectAnswer(zoo, 'How many animals are there?', 'SELECT COUNT(*) FROM animals', {
      evidence:
        "winged refers to sx = 'W'; share of flying ones = DIVIDE(SUM(wings), COUNT(id)); flying refers to DIVIDE(a, b)",
    }));

  it.each([
    // The words stand apart in the question, so that nothing is linked to the value.
    ["brown animals refers to sx = 'B'", "'B'"],
    ['number of animals refers to DIVIDE(COUNT(animal_id), 100)', 'cannot do'],
    ["brown refers to shade = 'Brown' AND wt_kg = 10", 'cannot do'],
  ])('that are not followed make it decline: %s', async (evidence, reason) => {
    const answer = await zoo.ask('What is the number of animals with brown fur?', { evidence });
    expect(answer.outcome).toBe('unanswerable');
    expect(answer.explanation).toContain(reason);
  });

  it('of any text do no harm', async () => {
    for (const evidence of [
      ';;;',
      'refers to',
      "x refers to = ''",
      'animals refers to (((',
      `${'a refers to b; '.repeat(2_000)}`,
    ])
      expect((await zoo.ask('How many animals are there?', { evidence })).sql).toBe('SELECT COUNT(*) FROM animals');
  });
});
