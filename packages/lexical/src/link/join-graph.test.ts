import { indexSchema } from '@askema/core';
import { describe, expect, it } from 'vitest';
import { smallCatalog, type TableNotation } from '../testing/small-database.ts';
import { displayAttributes } from './display.ts';
import { inferForeignKeys } from './infer-foreign-keys.ts';
import { createJoinGraph } from './join-graph.ts';

const graphOf = (tables: TableNotation) => {
  const catalog = smallCatalog(tables);
  return createJoinGraph(catalog, indexSchema(catalog));
};

const LEAGUE: TableNotation = {
  teams: ['team_id number key', 'name text'],
  players: ['player_id number key', 'team number > teams'],
  matches: ['match_id number key', 'home number > teams', 'away number > teams'],
  passports: ['player number key > players', 'code text'],
  lonely: ['id number key'],
};

describe('createJoinGraph', () => {
  const graph = graphOf(LEAGUE);
  const ways = (from: string, to: string): string[] =>
    graph
      .routes(from, to)
      .map((route) => route.map((edge) => `${edge.foreignKey.pairs[0]?.from}/${edge.direction}`).join(' '));

  it('finds the shortest way, and all of them where keys are parallel', () => {
    expect(ways('players', 'teams')).toEqual(['players#team/forward']);
    expect(ways('passports', 'teams')).toEqual(['passports#player/forward players#team/forward']);
    expect(ways('matches', 'teams')).toEqual(['matches#home/forward', 'matches#away/forward']);
    expect(ways('players', 'matches')).toHaveLength(2);
    expect(graph.routes('teams', 'teams')).toEqual([[]]);
    expect(graph.routes('teams', 'lonely')).toEqual([]);
    expect(graph.distance('teams', 'lonely')).toBeUndefined();
  });

  it('knows of how many rows one row has partners', () => {
    const edge = (from: string, to: string) => graph.edges(from).find((found) => found.to === to);
    expect(edge('players', 'teams')).toMatchObject({ functional: true, backFunctional: false });
    expect(edge('teams', 'players')).toMatchObject({ functional: false, backFunctional: true });
    // The key of a passport is that of its player.
    expect(edge('players', 'passports')).toMatchObject({ functional: true, backFunctional: true });
  });

  it('tells whether there is another way round', () => {
    const shop = graphOf({
      customers: ['customer_id number key'],
      products: ['product_id number key'],
      reviews: ['review_id number key', 'customer number > customers', 'product number > products'],
      baskets: ['basket_id number key', 'customer number > customers', 'product number > products'],
    });
    const [route = []] = shop.routes('customers', 'products');
    expect(route).toHaveLength(2);
    expect(shop.hasDetour(route)).toBe(true);
    const [only = []] = graph.routes('passports', 'teams');
    expect(graph.hasDetour(only)).toBe(false);
  });

  it('gives up beyond four steps', () => {
    const chain = Object.fromEntries(
      Array.from({ length: 7 }, (_, place) => [
        `t${place}`,
        ['id number key', ...(place === 0 ? [] : [`up number > t${place - 1}`])],
      ]),
    );
    const long = graphOf(chain);
    expect(long.distance('t4', 't0')).toBeDefined();
    expect(long.distance('t5', 't0')).toBeUndefined();
  });
});

describe('inferForeignKeys', () => {
  const inferred = (tables: TableNotation): string[] => {
    const catalog = smallCatalog(tables);
    return inferForeignKeys(catalog, indexSchema(catalog)).map(({ pairs }) => `${pairs[0]?.from} > ${pairs[0]?.to}`);
  };

  it.each<[string, TableNotation, string[]]>([
    [
      'the same name',
      { a: ['part_no number key'], b: ['b_no number key', 'part_no number'] },
      ['b#part_no > a#part_no'],
    ],
    [
      'the relation and "id"',
      { customers: ['id number key'], o: ['o_no number key', 'customer_id number'] },
      ['o#customer_id > customers#id'],
    ],
    [
      'the relation itself',
      { airlines: ['uid number key'], f: ['f_no number key', 'Airline number'] },
      ['f#airline > airlines#uid'],
    ],
  ])('infers a key from %s', (_, tables, expected) => expect(inferred(tables)).toEqual(expected));

  it.each<[string, TableNotation]>([
    ['two relations fit', { a: ['k number key'], b: ['k number key'], c: ['c_no number key', 'k number'] }],
    ['the types differ', { a: ['part_no number key'], b: ['b_no number key', 'part_no text'] }],
    [
      'a key is declared',
      { a: ['part_no number key'], c: ['c_no number key'], b: ['b_no number key', 'part_no number > c'] },
    ],
    [
      'only a text is called like a relation',
      { airlines: ['uid number key', 'name text'], f: ['f_no number key', 'Airline text'] },
    ],
    ['the key has two attributes', { a: ['x number key', 'y number key'], b: ['b_no number key', 'x number'] }],
  ])('infers nothing when %s', (_, tables) => expect(inferred(tables)).toEqual([]));
});

describe('displayAttributes', () => {
  const display = (columns: readonly string[], table = 'cities') => {
    const catalog = smallCatalog({ [table]: columns });
    return displayAttributes(table, catalog, indexSchema(catalog))?.map((id) => id.split('#')[1]);
  };

  it.each([
    [['id number key', 'title text', 'name text'], ['name']],
    [['id number key', 'city_name text', 'label text'], ['city_name']],
    [['id number key', 'title text'], ['title']],
    [['id number key', 'city text', 'full_name text'], ['city']],
    [
      ['id number key', 'first_name text', 'last_name text'],
      ['first_name', 'last_name'],
    ],
    [['id number key', 'series_name text', 'year number'], ['series_name']],
    [['id number key', 'series_name text', 'other_name text'], undefined],
    [['id number key', 'name number'], undefined],
    [['id number key', 'amount number'], undefined],
  ])('of %j is %j', (columns, expected) => expect(display(columns)).toEqual(expected));
});
