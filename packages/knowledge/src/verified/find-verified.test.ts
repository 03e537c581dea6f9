import type { ValueMatch } from '@askema/core';
import { mysqlDialect, postgresDialect, sqliteDialect } from '@askema/dialects';
import { describe, expect, it } from 'vitest';
import { boundShop, openShop } from '../compile/test-support/shop.ts';
import type { Knowledge, QueryParameter, VerifiedQuery } from '../model/knowledge.ts';
import { cell } from '../reader/test-support/shop.ts';
import { findVerified } from './find-verified.ts';
import { plainKey, plainQuestion } from './plain-question.ts';

/** Of this process: others may use the machine meanwhile. */
const processorMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

function query(
  question: string,
  sql: string,
  {
    parameters = [],
    state = 'accepted',
  }: { parameters?: QueryParameter[]; state?: 'accepted' | 'failed' | 'proposed' } = {},
): VerifiedQuery {
  const standing = { state, source: 'file', place: { file: `sql/${question}.md` } };
  return { id: question, question, sql, names: 'physical', parameters, tags: [], standing };
}

function knowledge(...verifiedQueries: VerifiedQuery[]): Knowledge {
  return { schemaVersion: 1, settings: {}, models: [], verifiedQueries, texts: [], problems: [] };
}

const CITY = { name: 'city', type: 'text' } as const;
const inCity = query('Revenue in {city} since {start}', 'SELECT SUM(x) FROM o WHERE c = :city AND d >= :start', {
  parameters: [CITY, { name: 'start', type: 'date' }],
});

describe('findVerified', () => {
  const small = knowledge(
    query('What is the revenue by region in 2024?', 'SELECT 1'),
    query('orders > 5', 'SELECT 2'),
    query("Ada's orders", 'SELECT 3'),
  );

  it.each([
    'What is the revenue by region in 2024?',
    'what is   the revenue, by region, in 2024',
    'Could you please tell me: what is the REVENUE by region in 2024? Thanks!',
  ])('finds the same question: %s', (question) => {
    expect(findVerified(question, small)).toMatchObject({ kind: 'same', sql: 'SELECT 1', parameters: {} });
  });

  it('does not take a hole for what stands in quotation marks', () => {
    expect(
      findVerified(
        'revenue in "{}"',
        knowledge(query('revenue in "{}"', 'SELECT 1'), query('revenue in {x}', 'SELECT 2')),
      ),
    ).toMatchObject({ sql: 'SELECT 1' });
    expect(plainKey('revenue in "{}"')).not.toBe(plainKey('revenue in {x}'));
  });

  it.each([
    ['What is the revenue by region in 2023?', 'near'],
    ['What is the revenue by region?', 'near'],
    ['What is the net revenue by region in 2024?', 'near'],
    ['orders < 5', 'near'],
    ['orders 5', 'near'],
    ['orders > -5', 'near'],
    ['Adas orders', 'near'],
    ['What did we earn in each region?', 'near'],
    ['How is the weather in Paris?', 'none'],
    ['', 'none'],
  ])('does not take another question for it: %s is %s', (question, kind) => {
    expect(findVerified(question, small).kind).toBe(kind);
  });

  it('gives at most three that are like it, likest first', () => {
    const many = knowledge(
      ...['churn by month', 'revenue by month', 'revenue by store', 'revenue', 'revenue by store and day'].map(
        (question) => query(question, 'SELECT 1'),
      ),
    );
    const found = findVerified('revenue of every store', many);
    const questions = found.kind === 'near' ? found.queries.map(({ query: { question } }) => question) : [];
    expect(questions).toHaveLength(3);
    expect(questions[0]).toBe('revenue by store');
    expect(questions).not.toContain('churn by month');
  });

  it('never uses what was not accepted or failed its last check', () => {
    const failed = knowledge(
      query('revenue', 'SELECT 1', { state: 'failed' }),
      query('orders', 'SELECT 1', { state: 'proposed' }),
    );
    expect(findVerified('revenue', failed)).toEqual({ kind: 'none' });
    expect(findVerified('orders', failed)).toEqual({ kind: 'none' });
  });

  it('answers nothing where two queries for one question differ', () => {
    const two = knowledge(query('Revenue', 'SELECT 1'), query('revenue?', 'SELECT 2'));
    expect(findVerified('revenue', two)).toMatchObject({ kind: 'near', queries: { length: 2 } });
  });

  describe('with holes', () => {
    const holes = knowledge(inCity);
    const sqlOf = (question: string, dialect = sqliteDialect): string | undefined => {
      const found = findVerified(question, holes, { dialect });
      return found.kind === 'same' ? found.sql : undefined;
    };

    it.each([
      ['revenue in Berlin since 2024-05-01', "'Berlin'"],
      ['Revenue in New York since 2024-05-01?', "'New York'"],
      ['please show me revenue in "la paz" since 2024-05-01', "'la paz'"],
      ['revenue in "O\'Hara; DROP TABLE o; --" since 2024-05-01', "'O''Hara; DROP TABLE o; --'"],
    ])('fills them from the question: %s', (question, city) => {
      expect(sqlOf(question)).toBe(`SELECT SUM(x) FROM o WHERE c = ${city} AND d >= '2024-05-01'`);
    });

    it('keeps them for a driver where no dialect is given', () => {
      expect(findVerified('revenue in Berlin since 2024-05-01', holes)).toMatchObject({
        sql: inCity.sql,
        parameters: { city: 'Berlin', start: '2024-05-01' },
      });
    });

    it.each([
      'revenue in Berlin since May',
      'revenue in Berlin since 2024-02-30',
      'revenue in Berlin without returns since 2024-05-01',
      'revenue in March since 2024-05-01',
      'revenue in 2023 since 2024-05-01',
      'revenue in since 2024-05-01',
      'net revenue in Berlin since 2024-05-01',
    ])('takes only values of their types: %s', (question) => {
      expect(findVerified(question, holes, { dialect: sqliteDialect }).kind).toBe('near');
    });

    it('takes a text that is a cell, as it is stored, and no other where cells were looked for', () => {
      const values = [{ mention: 'sao paulo', attribute: 'o.c' as never, value: 'Sao Paulo', score: 1 }];
      const ask = (question: string) => findVerified(question, holes, { values, dialect: sqliteDialect });
      expect(ask('revenue in sao paulo since 2024-05-01')).toMatchObject({ parameters: { city: 'Sao Paulo' } });
      expect(ask('revenue in Berlin since 2024-05-01').kind).toBe('near');
    });

    it('quotes as the dialect does', () => {
      expect(sqlOf('revenue in "a\\" since 2024-05-01', mysqlDialect)).toContain("c = 'a\\\\'");
    });

    it('leaves casts, strings, comments and paths alone', () => {
      const one = query('since {start}', "SELECT ':start', x::date, y:start -- :start\nFROM o WHERE d >= :start", {
        parameters: [{ name: 'start', type: 'date' }],
      });
      expect(findVerified('since 2024-05-01', knowledge(one), { dialect: postgresDialect })).toMatchObject({
        sql: "SELECT ':start', x::date, y:start -- :start\nFROM o WHERE d >= '2024-05-01'",
      });
    });

    it('takes missing values from the caller, then the default; checked as the others', () => {
      const parameters: QueryParameter[] = [
        { name: 'n', type: 'number', default: 5 },
        { name: 'isOpen', type: 'boolean' },
      ];
      const one = knowledge(query('best stores', 'SELECT :n, :isOpen', { parameters }));
      const ask = (given: Record<string, unknown>) =>
        findVerified('best stores', one, { parameters: given, dialect: sqliteDialect });
      expect(ask({ isOpen: true })).toMatchObject({ kind: 'same', sql: 'SELECT 5, 1' });
      expect(ask({ isOpen: true, n: -2 })).toMatchObject({ sql: 'SELECT (-2), 1' });
      expect(ask({ isOpen: '1; DROP TABLE o' }).kind).toBe('near');
      expect(ask({}).kind).toBe('near');
    });

    it('answers nothing where the holes can be filled in two ways', () => {
      const parameters: QueryParameter[] = [CITY, { name: 'other', type: 'text' }];
      const two = knowledge(query('compare {city} and {other}', 'SELECT :city, :other', { parameters }));
      expect(findVerified('compare A and B', two).kind).toBe('same');
      expect(findVerified('compare A and And and B', two).kind).toBe('near');
    });
  });

  describe('in terms of the model', () => {
    const total = query('total', 'SELECT metric(revenue)');
    const cities = { ...query('cities', 'SELECT city FROM stores'), names: 'logical' as const };
    const bound = boundShop();

    it('writes names of the model and metrics as the database runs them', () => {
      expect(findVerified('total', knowledge(total), { bound })).toMatchObject({ sql: expect.stringContaining('SUM') });
      expect(findVerified('cities', knowledge(cities), { bound })).toMatchObject({
        sql: 'SELECT city FROM (SELECT t."city" AS city FROM stores t) AS stores',
      });
    });

    it('writes both in one statement', () => {
      const sql = `WITH m AS (SELECT * FROM metric(revenue, visits_count BY stores.city)), sale AS (SELECT sold_at FROM sales)
        SELECT s.city, m.revenue, (SELECT COUNT(sold_at) FROM sale) FROM stores AS s JOIN m ON m.city = s.city ORDER BY 1`;
      const found = findVerified('both', knowledge({ ...query('both', sql), names: 'logical' }), { bound });
      expect(openShop().rows(found.kind === 'same' ? found.sql : '')).toEqual([
        ['Berlin', 35, 7],
        ['Oslo', null, 7],
        ['Rome', 11, 7],
      ]);
    });

    it('takes no cell of what its statement does not read, whoever wrote it there', () => {
      const visits = query(
        'visits in {city}',
        'SELECT COUNT(*) FROM visits JOIN stores USING (store_id) WHERE city = :city',
        {
          parameters: [CITY],
        },
      );
      const sold = {
        ...query('sold in {city}', 'SELECT revenue FROM metric(revenue BY stores.city) AS m WHERE city = :city', {
          parameters: [CITY],
        }),
        names: 'logical' as const,
      };
      const both = knowledge(visits, sold);
      const ask = (question: string, ...values: ValueMatch[]) => findVerified(question, both, { values, bound });
      const qualified = query('stores in {city}', 'SELECT * FROM main."stores" AS s WHERE s."city" = :city', {
        parameters: [CITY],
      });
      const berlin = { values: [cell('stores.city', 'Berlin')], bound };
      expect(findVerified('stores in Berlin', knowledge(qualified), berlin)).toMatchObject({ kind: 'same' });
      for (const what of ['visits', 'sold']) {
        const planted = cell('items.product', 'berlin');
        expect(ask(`${what} in berlin`, planted, cell('stores.city', 'Berlin', 'berlin'))).toMatchObject({
          parameters: { city: 'Berlin' },
        });
        expect(ask(`${what} in total`, cell('items.product', 'total')).kind).toBe('near');
        expect(ask(`${what} in 2020`, cell('stores.opened_on', '2020')).kind).toBe('near');
        expect(ask(`${what} in "total"`)).toMatchObject({ parameters: { city: 'total' } });
      }
    });

    it('says why it does not use one', () => {
      const unusable = query('lost', 'SELECT metric(revenu)');
      expect(findVerified('lost', knowledge(unusable), { bound })).toMatchObject({
        unused: [{ query: { id: 'lost' }, reason: expect.stringContaining('Did you mean `revenue`') }],
      });
      for (const [question, one] of [
        ['total', total],
        ['cities', cities],
      ] as const)
        expect(findVerified(question, knowledge(one), { dialect: sqliteDialect })).toMatchObject({
          unused: [{ reason: expect.stringContaining('`bound`') }],
        });
    });
  });

  it('is quick with quotation marks that are never closed', () => {
    const before = processorMs();
    findVerified('\u201c'.repeat(20_000), knowledge(query('orders', 'SELECT 1')));
    expect(processorMs() - before).toBeLessThan(300);
    expect(plainQuestion('in \u201cNew York\u201d')).toMatchObject([
      { plain: 'in' },
      { plain: 'new york', isQuoted: true },
    ]);
  });

  it('is quick among 5,000', () => {
    const many = knowledge(
      ...Array.from({ length: 5_000 }, (_, at) =>
        at % 2 === 0
          ? query(`revenue of product ${at} by region in {city}`, 'SELECT :city', { parameters: [CITY] })
          : query(`orders of product ${at} by region and month`, 'SELECT 1'),
      ),
    );
    findVerified('revenue', many);
    const before = processorMs();
    for (let at = 0; at < 10; at += 1) findVerified(`revenue of product ${at} by region in Berlin`, many);
    expect((processorMs() - before) / 10).toBeLessThan(50);
  });
});
