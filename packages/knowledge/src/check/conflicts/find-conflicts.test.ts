import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Knowledge, KnowledgeText, VerifiedQuery } from '../../model/knowledge.ts';
import type { Field, Metric, SemanticModel } from '../../model/semantic-model.ts';
import { findConflicts } from './find-conflicts.ts';

const DATA = process.env.ASKEMA_DATA ?? fileURLToPath(new URL('../../../../../../shared/data', import.meta.url));
const POOLS = `${DATA}/knowledge/defog-knowledge.jsonl`;
const hasFiles = existsSync(POOLS);
if (!hasFiles) {
  // biome-ignore lint/suspicious/noConsole: a test that does not read its data says so.
  console.warn(`NOT READ: ${POOLS} is not there. Set ASKEMA_DATA to the folder that holds it.`);
}

const EMPTY: Knowledge = { schemaVersion: 1, settings: {}, models: [], verifiedQueries: [], texts: [], problems: [] };
const standing = { state: 'accepted', source: 'file', place: { file: 'rules/a.md', line: 1 } } as const;
const text = (id: string, said: string, kind: KnowledgeText['kind'] = 'rule'): KnowledgeText => ({
  id,
  kind,
  title: id,
  text: said,
  appliesTo: [],
  priority: 0,
  standing,
});
const ofTexts = (...said: string[]) => findConflicts({ ...EMPTY, texts: said.map((one, at) => text(`r${at}`, one)) });
const codes = (...said: string[]) => ofTexts(...said).map(({ code }) => code);

it('takes no long time where thousands of rules share their words', { timeout: 30_000 }, () => {
  const lines = Array.from({ length: 12_000 }, (_, at) => `AOV${at % 7} = ab${at}`);
  const start = performance.now();
  expect(codes(...lines)).toContain('term-defined-twice');
  expect(performance.now() - start).toBeLessThan(6_000);
});

describe('definitions', () => {
  it.each([
    ['other words', 'AOV = basket value per visit.', 'AOV = basket value per member.'],
    ['another name', 'ARR = annual recurring revenue.', 'ARR (average room rate) = what guests pay for a room.'],
    [
      'another denominator',
      'Churn is defined as lost members divided by all members.',
      'To calculate churn, divide lost members by paying members.',
    ],
    [
      'the other direction',
      'Growth = this year - last year.',
      'To calculate the growth, subtract this year from last year.',
    ],
    ['a total', 'Total visits = number of logins.', 'Visits = number of opened pages.'],
    [
      'brackets in a sentence',
      'The load factor (LF) is the share of seats sold.',
      '- LF = the weight of luggage in tons',
    ],
    [
      'a line without full stops',
      'ADR = daily income of rooms RevPAR = income of beds',
      'ADR = daily income of suites',
    ],
  ])('differ by %s', (_, a, b) => {
    expect(codes(a, b)).toEqual(['term-defined-twice']);
  });

  it.each([
    [
      'the same in other words',
      'CTR = clicks / impressions.',
      'CTR (click-through rate) is the ratio of the number of clicks to impressions.',
    ],
    ['one says more', 'Yield = sold kilos per plant.', 'Yield = sold kilos per plant and bed.'],
    ['one is open in time', 'MAU = members who log in during a given month.', 'MAU = members who logged in recently.'],
    [
      'a procedure',
      'To get the sales per store, join sales and stores.',
      'To get the sales per store, link stores with receipts.',
    ],
    ['conditions on a column', "status = 'open'", "status = 'paid'"],
    ['labels', 'Note: prices are net.', 'Note: weeks begin on Sunday.'],
    ['a noun for a sum', 'Orders = count of orders.', 'Order total = sum of all prices and taxes.'],
    ['other terms', 'GMV = value of all orders.', 'NMV = value of kept orders.'],
  ])('do not differ where there is %s', (_, a, b) => {
    expect(codes(a, b)).toEqual([]);
  });

  it('come from the glossary and from metrics, too', () => {
    const problems = findConflicts({
      ...EMPTY,
      texts: [text('Take rate', 'Fees per booking.', 'glossary')],
      models: [model({ metrics: [metric('take_rate', 'SUM(fee)', { description: 'Share of hosts who pay fees.' })] })],
    });
    expect(problems).toMatchObject([
      { code: 'term-defined-twice', entry: 'glossary:Take rate', place: standing.place },
    ]);
    expect(problems[0]?.message).toContain('metric:take_rate');
  });
});

describe('ways of comparing text', () => {
  it.each([
    ['Match names exactly.', 'Always filter text with ILIKE.'],
    ['Compare city names without regard to case.', 'City names must be matched exactly.'],
    ['Search brands with LIKE and percent signs.', 'Brand names are matched case-insensitively, without wildcards.'],
    ['Filter streets and cities using exact matches.', 'When filtering cities, use LOWER(city).'],
    ['Always compare text exactly.', 'Filter street names using ILIKE.'],
  ])('contradict: %s %s', (a, b) => {
    expect(codes(a, b)).toEqual(['matching-conflict']);
  });

  it.each([
    ['a column is an exception', 'Filter text using ILIKE.', 'Match postal codes exactly.'],
    ['they are about two columns', 'Match cities exactly.', 'Match streets case-insensitively.'],
    ['a code is no name', 'Filter airport names using ILIKE.', 'Match airport codes exactly.'],
    ['exact means something else', 'Filter names using ILIKE.', 'Give the exact number of members.'],
  ])('do not where %s', (_, a, b) => {
    expect(codes(a, b)).toEqual([]);
  });

  it('are compared with the settings', () => {
    const problems = findConflicts({
      ...EMPTY,
      settings: { matching: 'exact' },
      texts: [text('a', 'Use ILIKE for names.')],
    });
    expect(problems).toMatchObject([
      { code: 'matching-conflict', message: expect.stringContaining('matching: exact') },
    ]);
  });
});

describe('rules', () => {
  it('contradict each other where one turns the sense of the other', () => {
    expect(codes('Always include returned parcels in revenue.', 'Revenue must exclude returned parcels.')).toEqual([
      'rules-opposite',
    ]);
    expect(codes('Order rooms by price ascending.', 'Order rooms by price descending.')).toEqual(['rules-opposite']);
    expect(codes('Never count test members.', 'Do not count test members.')).toEqual([]);
    expect(codes('Include returned parcels in revenue.', 'Exclude test members from counts.')).toEqual([]);
  });
});

describe('synonyms', () => {
  it('stand for one metric, and for one field of a dataset', () => {
    const fields = [field('price', 'unit_price', ['cost']), field('expense', 'paid', ['Cost'])];
    const problems = findConflicts({
      ...EMPTY,
      models: [
        model({
          fields,
          metrics: [
            metric('revenue', 'SUM(a)', { ai: { synonyms: ['sales'], examples: [] } }),
            metric('sales', 'COUNT(*)', {}),
            metric('turnover', 'SUM(a)', { ai: { synonyms: ['revenue'], examples: [] } }),
          ],
        }),
      ],
    });
    expect(problems.map(({ message }) => /`[^`]*`/.exec(message)?.[0])).toEqual(['`sales`', '`cost`']);
  });
});

describe('verified queries', () => {
  const query = (id: string, question: string, sql: string): VerifiedQuery => ({
    id,
    question,
    sql,
    names: 'physical',
    parameters: [],
    tags: [],
    standing,
  });
  const near = (a: string, b: string, sql = 'SELECT 2') =>
    findConflicts({ ...EMPTY, verifiedQueries: [query('a', a, 'SELECT 1'), query('b', b, sql)] }).map(
      ({ code }) => code,
    );

  it('that ask the same have the same statement', () => {
    expect(near('How many members are in Oslo?', 'What is the number of members in Oslo?')).toEqual([
      'queries-near-equal',
    ]);
    expect(near('Show income by city', 'income per city')).toEqual(['queries-near-equal']);
    expect(near('Show income by city', 'income per city', 'select  1')).toEqual([]);
  });

  it.each([
    ['numbers', 'Income in 2023', 'Income in 2024'],
    ['names', 'Flights from Rome to Oslo', 'Flights from Oslo to Rome'],
    ['words', 'Income by city', 'Income by country'],
    ['a turn', 'Members with a card', 'Members without a card'],
  ])('are different questions by %s', (_, a, b) => {
    expect(near(a, b)).toEqual([]);
  });
});

interface Pool {
  readonly db_id: string;
  readonly pool: readonly { readonly id: string; readonly text: string }[];
  readonly excluded: readonly { readonly id: string; readonly reasons: readonly { rule: string; why: string }[] }[];
}

describe('the evidence of defog', () => {
  it.skipIf(!hasFiles)('shows the conflicts that make its questions ambiguous, and few others', () => {
    const pools = readFileSync(POOLS, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Pool);
    const others: string[] = [];
    const missed: string[] = [];
    let found = 0;
    for (const { db_id, pool, excluded } of pools) {
      const problems = findConflicts({ ...EMPTY, texts: pool.map((one) => text(one.id, one.text)) });
      const meant = new Set<string>();
      for (const { id, reasons } of excluded) {
        const [reason] = reasons;
        const term = /^(\w+):/.exec(reason?.why ?? '')?.[1];
        const problem = problems.find(({ code, message }) =>
          reason?.rule === 'term-conflict'
            ? code === 'term-defined-twice' && message.startsWith(`\`${term}\``)
            : code === 'matching-conflict' && namesWays(message, reason?.why ?? ''),
        );
        if (problem === undefined) missed.push(id);
        else {
          found += 1;
          meant.add(problem.message);
        }
      }
      for (const { code, message } of problems)
        if (!meant.has(message)) others.push(`${db_id} ${code} ${/`[^`]*`/.exec(message)?.[0] ?? ''}`.trim());
    }
    expect(missed).toEqual([]);
    expect(found).toBe(11);
    expect(others).toMatchInlineSnapshot(`
      [
        "atis matching-conflict \`state code\`",
        "atis matching-conflict \`airport codes\`",
        "atis matching-conflict \`days\`",
        "scholar matching-conflict \`journal\`",
        "broker term-defined-twice \`NPM\`",
        "derm_treatment term-defined-twice \`AWF\`",
        "derm_treatment term-defined-twice \`DDD\`",
        "derm_treatment term-defined-twice \`SDR\`",
        "ewallet term-defined-twice \`PMDAU\`",
        "car_dealership term-defined-twice \`MoM\`",
      ]
    `);
  });
});

/** The pool asks for ways of comparing that the question needs otherwise: both are in the message. */
function namesWays(message: string, why: string): boolean {
  const ways = { exact: 'exactly', insensitive: 'without case', contains: 'as a part' };
  const named = Object.entries(ways).filter(([way]) => why.includes(way));
  return named.every(([, way]) => message.includes(way));
}

function metric(name: string, expression: string, more: Partial<Metric>): Metric {
  return {
    name,
    definition: { kind: 'aggregate', expressions: [{ dialect: 'ANSI_SQL', expression }] },
    extensions: [],
    standing,
    ...more,
  };
}

function field(name: string, expression: string, synonyms: string[]): Field {
  return {
    name,
    expressions: [{ dialect: 'ANSI_SQL', expression }],
    ai: { synonyms, examples: [] },
    values: [],
    extensions: [],
  };
}

function model({ metrics = [], fields = [] }: { metrics?: Metric[]; fields?: Field[] }): SemanticModel {
  return {
    name: 'm',
    datasets: [{ name: 'd', source: 'd', primaryKey: [], uniqueKeys: [], fields, extensions: [], standing }],
    relationships: [],
    metrics,
    filters: [],
    extensions: [],
    standing,
  };
}
