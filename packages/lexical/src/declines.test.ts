import { describe, expect, it } from 'vitest';
import { openLeague } from './testing/league.ts';
import { smallDatabase } from './testing/small-database.ts';

const league = openLeague();

const shop = smallDatabase(
  {
    customers: ['customer_id number key', 'name text required', 'code text'],
    products: ['product_id number key', 'name text required', 'price number'],
    reviews: [
      'review_id number key',
      'customer_id number > customers',
      'product_id number > products',
      'stars number',
      'topic text',
    ],
    baskets: [
      'basket_id number key',
      'customer_id number > customers',
      'product_id number > products',
      'amount number',
    ],
    shelves: ['shelf_no number key', 'level text'],
  },
  {
    customers: [
      [1, 'Ann', '7'],
      [2, 'Bo', '12'],
    ],
    products: [[1, 'Cup', 3]],
    reviews: [[1, 1, 1, 5, 'taste']],
    baskets: [[1, 2, 1, 9]],
    shelves: [[1, 'top']],
  },
);

describe('asks back', () => {
  it('where two keys lead to the same table, and names both', async () => {
    const { outcome, explanation } = await league.ask('Which matches did the Harbour Lions play?');
    expect(outcome).toBe('needs_clarification');
    expect(explanation).toMatch(/by home_team_id.*; or .*by away_team_id.*Which one is meant\?/u);
  });

  it('not where the question says which key', async () => {
    const home = await league.ask('How many matches have the home team Harbour Lions?');
    expect(league.rows(home.sql)).toEqual([[2]]);
    expect(home.sql).toContain('home_team_id');
  });
});

describe('gives a reason that is true', () => {
  const trams = smallDatabase(
    {
      lines: ['line_id number key', 'name text required'],
      trips: ['trip_id number key', 'line_id number > lines', 'mode text'],
      drivers: ['driver_id number key', 'name text', 'annual_bonus text'],
    },
    { trips: [[1, 1, 'tram']], drivers: [[1, 'Ann', 'high']] },
    { trips: 2_000_000 },
  );

  it('names the tables that were not searched, with their rows and the command that helps', async () => {
    const { explanation } = await trams.ask('How many tram trips are there?');
    expect(explanation).toMatch(/^Nothing that was searched matches 'tram'\. /u);
    expect(explanation).toContain('Not searched in full: trips (2,000,000 rows)');
    expect(explanation).toContain('`askema index DATABASE`');
    expect(explanation).toContain('--value-index');
  });

  it('says that nothing matches where everything was searched', async () => {
    const { explanation } = await league.ask('How many unicorns are there?');
    expect(explanation).toBe("Nothing in the database matches 'unicorns'.");
  });

  it('speaks of keys only where two tables are needed', async () => {
    const one = await trams.ask('Which drivers earn more than 140000?');
    expect([one.outcome, one.explanation]).toEqual([
      'unanswerable',
      "No column was found that says 'earn' of drivers.",
    ]);
    const two = await shop.ask('How many customers are there per shelf?');
    expect(two.explanation).toContain('no key connects customers and shelves');
  });
});

describe('declines', () => {
  it.each([
    // Nothing of the schema or the lexicon.
    ['How many unicorns are there?', ['unicorns']],
    ['Which teams ate the most apples?', ['ate', 'apples']],
    ['List the players called "Zorro"', ['Zorro']],
    ['What is the median salary of players?', ['median']],
    ['Is Ana Costa injured?', []],
    ['Delete all players', ['Delete']],
  ])('"%s" and says what was not understood', async (question, words) => {
    const answer = await league.ask(question);
    expect(answer).toMatchObject({ outcome: 'unanswerable', sql: '', not_understood: words });
    for (const word of words) expect(answer.explanation).toContain(`'${word}'`);
  });

  it.each([
    ['joins by a way that nobody named', shop, 'Which customers have more than one product?'],
    ['joins by a way that nobody named, for none', shop, 'Which customers have no products?'],
    [
      'two conditions on rows of which there are many',
      shop,
      'How many customers have a review with 5 stars and reviews with the topic taste and stars under 3?',
    ],
    ['the extreme of a text', shop, 'Which customer has the highest code?'],
    ['a sum of keys', shop, 'What is the sum of the customer ids?'],
    ['an average of a text', shop, 'What is the average code of customers?'],
    ['tables that no key connects', shop, 'How many customers are there per shelf?'],
    ['the best row of each group', league, 'Who is the tallest player in each team?'],
    ['a value of another attribute', league, 'Which teams are in the city France?'],
    ['a comparison with a text that is no number', league, 'Which players have a salary above Lyon?'],
    ['a number without an order', league, 'List the 3 teams'],
    ['a unit that does not fit', league, 'Which players have a salary over 50 kg?'],
    ['wildcards in a text', league, 'Which teams have a name containing "%"?'],
  ])('%s', async (_, database, question) => {
    const answer = await database.ask(question);
    expect(answer.outcome, answer.sql).not.toBe('sql');
    expect(answer.sql).toBe('');
    expect(answer.explanation.length).toBeGreaterThan(20);
  });

  it('every word counts: one that is left over changes the answer to a decline', async () => {
    const words = 'How many players from France earn more than 50'.split(' ');
    for (let place = 1; place <= words.length; place += 1) {
      const question = words.toSpliced(place, 0, 'sideways').join(' ');
      const { outcome, not_understood } = await league.ask(question);
      expect([outcome, not_understood], question).toEqual(['unanswerable', ['sideways']]);
    }
  });
});
