import { indexSchema } from '@askema/core';
import { describe, expect, it } from 'vitest';
import { createLattice, linkCatalog } from '../link/lattice.ts';
import { openLeague } from '../testing/league.ts';
import type { Frame, Modifier, Phrase } from './frame.ts';
import { readQuestion } from './question.ts';
import { createReader, defineRule, parse, type Rule } from './reader.ts';
import { unknownWords } from './unread.ts';

const { catalog } = openLeague();
const linked = linkCatalog(catalog, indexSchema(catalog));
const readerOf = (question: string) => createReader(createLattice({ question, values: [] }, linked), '2024-06-15');

/** The likeliest frame of a question. */
function frameOf(question: string): Frame {
  const [first] = [...readQuestion(readerOf(question))].sort((a, b) => a.cost - b.cost);
  if (first === undefined) throw new Error(`Not read: ${question}`);
  return first.value;
}

/** A frame in short: "count players [compare >= salary]". */
function short(question: string): string {
  const frame = frameOf(question);
  const outputs = frame.outputs.map((output) => {
    const function_ = output.kind === 'aggregate' ? output.function : output.kind;
    return `${function_ === 'phrase' ? '' : `${function_} `}${shortPhrase(output.phrase)}`.trim();
  });
  return [...outputs, ...frame.modifiers.map(shortModifier)].join(' ');
}

function shortPhrase(phrase: Phrase | undefined): string {
  if (phrase === undefined) return '';
  const flags = [
    phrase.distinct ? 'distinct' : '',
    phrase.each ? 'each' : '',
    phrase.count === undefined ? '' : `${phrase.count}`,
  ];
  const owner = phrase.owner === undefined ? '' : `of ${shortPhrase(phrase.owner)}`;
  const words = [
    ...flags,
    phrase.head?.text ?? (phrase.pronoun ? 'it' : ''),
    ...phrase.modifiers.map(shortModifier),
    owner,
  ];
  return words.filter((word) => word !== '').join(' ');
}

function shortModifier(modifier: Modifier): string {
  switch (modifier.kind) {
    case 'related':
      return `[${modifier.quantifier.kind === 'count' ? `${modifier.quantifier.comparison} ${modifier.quantifier.number}` : modifier.quantifier.kind} ${shortPhrase(modifier.phrase)}]`;
    case 'compare':
      return `[${modifier.comparison}${modifier.upper === undefined ? '' : ' …'}]`;
    case 'time':
      return `[${modifier.comparison} ${modifier.span.start}]`;
    case 'superlative':
      return `[${modifier.end} ${modifier.measure.kind}]`;
    case 'group':
      return `[per ${shortPhrase(modifier.phrase)}]`;
    case 'order':
      return `[by ${modifier.keys.map(({ measure, direction }) => `${measure.kind} ${direction ?? ''}`.trim()).join(', ')}]`;
    case 'null':
      return modifier.negated ? '[present]' : '[missing]';
    default:
      return `[${modifier.kind}]`;
  }
}

describe('readQuestion', () => {
  it.each([
    ['How many players are there?', 'count players'],
    ['Please show me all the different positions', 'distinct positions'],
    ['names and budgets of the teams', 'names budgets of the teams'],
    ["What is each team's city?", 'city of each team'],
    [
      'average, minimum and maximum salary of players',
      'avg salary of players min salary of players max salary of players',
    ],
    ['teams with at least two players', 'teams [>= 2 players]'],
    ['teams that do not have any sponsors', 'teams [none sponsors]'],
    ['teams without a coach', 'teams [none coach]'],
    ['players with a salary between 10 and 20', 'players [>= …]'],
    ['players whose position is not missing', 'players [present]'],
    ['players whose salary is not over 10', 'players [<=]'],
    ['matches since March 2022', 'matches [>= 2022-03-01]'],
    ['the 3 tallest players', '3 players [high dimension]'],
    ['the team with the most players', 'team [high count]'],
    ['the team with the lowest budget', 'team [low term]'],
    ['number of teams per country sorted by country descending', 'count teams [per each country] [by term descending]'],
    ['For each country, what is the average budget of teams?', 'avg budget of teams [per each country]'],
    ['teams ordered by budget and then by name in descending order', 'teams [by term, term descending]'],
  ])('%s', (question, expected) => expect(short(question)).toBe(expected));

  it('takes what a second sentence lists of the entity of the first', () => {
    const frame = frameOf('Which players earn more than 20? List their first names.');
    expect(frame.outputs).toHaveLength(1);
    expect(shortPhrase(frame.subject)).toBe('players [>]');
  });

  it.each([
    'players teams of',
    'How many',
    'List the',
    'players with',
    'sorted by salary',
    'players of players of and',
  ])('reads nothing in "%s"', (question) => expect(readQuestion(readerOf(question))).toEqual([]));

  it('ends when its fuel is used up', () => {
    const reader = readerOf('names of teams with players');
    reader.fuel = 3;
    expect(readQuestion(reader)).toEqual([]);
  });
});

describe('defineRule', () => {
  it('computes once for each token, and reads nothing where it comes back to itself', () => {
    let computed = 0;
    const rule: Rule<number> = defineRule((reader, at) => {
      computed += 1;
      return [parse(at, at + 1), ...rule(reader, at)];
    });
    const reader = readerOf('teams');
    expect(rule(reader, 0)).toHaveLength(1);
    expect(rule(reader, 0)).toHaveLength(1);
    expect(computed).toBe(1);
    expect(reader.furthest).toBe(1);
  });
});

describe('unknownWords', () => {
  it('names words and quotations that nothing knows, once each, in order', () => {
    expect(
      unknownWords(
        createLattice({ question: 'How many zorbs have "Blorp" and two zorbs per team?', values: [] }, linked),
      ),
    ).toEqual(['zorbs', 'Blorp']);
  });
});
