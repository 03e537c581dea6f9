import { indexSchema } from '@askema/core';
import { describe, expect, it } from 'vitest';
import { smallCatalog, type TableNotation } from '../testing/small-database.ts';
import { tokenise } from '../tokenise/tokenise.ts';
import { linkCatalog } from './lattice.ts';
import { linkTerms, linkVerbs } from './link-terms.ts';
import type { TermLink } from './links.ts';

const TABLES: TableNotation = {
  ref_customer_types: ['type_code text key', 'description text'],
  customers: [
    'customer_id number key',
    'FName text',
    'LName text',
    'date_of_birth date',
    'type_code text > ref_customer_types',
    'cell_mobile_number text',
  ],
  countrylanguage: ['id number key', 'language text'],
  country: ['code text key', 'country_name text'],
  Superhero: [
    'hero_id number key',
    'height_cm number',
    'eye_colour_id number > colour',
    'Directed_by text',
    'publisher text',
  ],
  colour: ['id number key', 'colour text'],
};

const catalog = smallCatalog(TABLES);
const linked = linkCatalog(catalog, indexSchema(catalog));

const target = (link: TermLink): string =>
  link.kind === 'relation'
    ? link.relation
    : link.kind === 'attribute'
      ? link.attribute
      : `role ${link.foreignKey.pairs[0]?.from}`;

/** What the whole text denotes, cheapest first. */
function links(text: string): string[] {
  const tokens = tokenise(text);
  const mention = linkTerms(tokens, linked.vocabulary)
    .get(0)
    ?.find(({ end }) => end === tokens.length);
  return (mention?.links ?? []).map(target);
}

describe('linkTerms', () => {
  it.each([
    ['customers', 'customers'],
    ['customer types', 'ref_customer_types'],
    ['first names', 'customers#fname'],
    ['last name', 'customers#lname'],
    ['surname', 'customers#lname'],
    ['date of birth', 'customers#date_of_birth'],
    ['birth date', 'customers#date_of_birth'],
    ['birthday', 'customers#date_of_birth'],
    ['customer id', 'customers#customer_id'],
    ['height', 'superhero#height_cm'],
    ['eye colours', 'role superhero#eye_colour_id'],
    ['languages', 'countrylanguage#language'],
    ['nations', 'country'],
    ['names of the country', 'country#country_name'],
    ['country_name', 'country#country_name'],
    ['super heroes', 'superhero'],
    ['heroes', 'superhero'],
    ['mobile phone number', 'customers#cell_mobile_number'],
    ['directed by', 'superhero#directed_by'],
  ])('"%s" denotes %s', (text, expected) => expect(links(text)[0]).toBe(expected));

  it.each(['of', 'by', 'the customers of', 'unicorns', 'names customers'])('"%s" denotes nothing', (text) =>
    expect(links(text)).toEqual([]),
  );

  it('makes a whole name cheaper than a part of one', () => {
    const tokens = tokenise('colour');
    const [first, second] = linkTerms(tokens, linked.vocabulary).get(0)?.[0]?.links ?? [];
    expect(first?.cost).toBe(0);
    expect(second?.cost).toBe(0);
    const mobile = linkTerms(tokenise('mobile'), linked.vocabulary).get(0)?.[0]?.links[0];
    expect(mobile?.cost).toBeGreaterThan(0.3);
  });

  it('lists longer pieces first', () => {
    const found = linkTerms(tokenise('customer types'), linked.vocabulary).get(0) ?? [];
    expect(found.map(({ end }) => end)).toEqual([2, 1]);
  });
});

describe('linkVerbs', () => {
  const verb = (text: string): string[] => {
    const tokens = tokenise(text);
    const verbs = linkVerbs(tokens, linkTerms(tokens, linked.vocabulary), linked.vocabulary);
    return (verbs.get(0) ?? []).flatMap(({ links: found }) => found.map(target));
  };

  it('finds the noun that a verb shares its stem with', () => {
    expect(verb('published by')).toContain('superhero#publisher');
    expect(verb('directed by')).toContain('superhero#directed_by');
  });

  it('leaves verbs that say nothing by themselves alone', () => {
    expect(verb('has a name')).toEqual([]);
    expect(verb('is')).toEqual([]);
  });
});
