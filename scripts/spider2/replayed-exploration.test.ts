import { attributeId, type Catalog, finishCatalog, relationId } from '@askema/core';
import { explorationLimits } from '@askema/grounding';
import { describe, expect, it } from 'vitest';
import { snowflakeDialect } from '../../packages/dialects/src/snowflake/snowflake.ts';
import { type RecordedStatement, recordingOf, replayExploration, totalsOf } from './replayed-exploration.ts';

const relation = relationId(['SHOP', 'PUBLIC', 'ORDERS'], 'sensitive');
const names = ['status', 'TOTAL', 'PLACED_AT'];
const ids = names.map((name) => attributeId(relation, name, 'sensitive'));
const catalog: Catalog = finishCatalog({
  schemaVersion: 1,
  dialect: 'snowflake',
  name: 'SHOP',
  nameComparison: 'sensitive',
  schema: {
    relations: [{ id: relation, name: 'ORDERS' }],
    attributes: names.map((name, at) => ({ id: ids[at] ?? '', relation, name, type: 'TEXT' })),
    primaryKeys: [],
    foreignKeys: [],
    domainConstraints: [],
  },
  relations: { [relation]: { nameParts: { database: 'SHOP', schema: 'PUBLIC', relation: 'ORDERS' }, kind: 'table' } },
  attributes: Object.fromEntries(ids.map((id, at) => [id, { position: at + 1, nativeType: 'VARCHAR' }])),
  uniqueKeys: [],
  checks: [],
  families: [],
  keyStanding: {},
  incomplete: [],
});

const explored = (sql: string, error?: string, error_class?: string): RecordedStatement =>
  error === undefined
    ? { stage: 'explore', sql, result: `result of ${sql}` }
    : { stage: 'explore', sql, error, error_class };
const correction = (corrected_from: string, sql: string, error_class?: string): RecordedStatement => ({
  stage: 'correct',
  sql,
  corrected_from,
  ...(error_class === undefined ? { result: `result of ${sql}` } : { error: 'No data found.', error_class }),
});

const STATUS = 'SELECT DISTINCT STATUS FROM ORDERS';
const MANY = 'SELECT STATUS, COUNT(*) FROM ORDERS GROUP BY STATUS';
const NARROW = 'SELECT TOTAL FROM ORDERS WHERE "status" = \'Open\'';
const YEAR = 'SELECT YEAR_OF(PLACED_AT) FROM ORDERS';
const MONTH = 'SELECT YEAR_OF(PLACED_AT), TOTAL FROM ORDERS';
const LAST = 'SELECT MAX(PLACED_AT) FROM ORDERS';
const statements: readonly RecordedStatement[] = [
  explored(STATUS, "000904 (42000): SQL compilation error\ninvalid identifier 'STATUS'", '000904'),
  correction(STATUS, 'SELECT DISTINCT "status" FROM ORDERS'),
  explored(MANY, "000904 (42000): SQL compilation error\ninvalid identifier 'STATUS'", '000904'),
  correction(MANY, 'SELECT "status", COUNT(*) FROM ORDERS GROUP BY "status"'),
  explored(NARROW, 'No data found.', 'empty'),
  correction(NARROW, 'SELECT TOTAL FROM ORDERS WHERE "status" = \'OPEN\'', 'empty'),
  correction(NARROW, 'SELECT TOTAL FROM ORDERS WHERE "status" ILIKE \'%open%\''),
  explored(YEAR, '002140 (42601): SQL compilation error:\nUnknown function YEAR_OF', '002140'),
  correction(YEAR, 'SELECT YEAR(PLACED_AT) FROM ORDERS'),
  explored(MONTH),
  explored(LAST, '000630 (57014): Statement reached its statement or warehouse timeout', '000630'),
];
const queue = statements.filter(({ stage }) => stage === 'explore').map(({ sql }) => ({ sql, purpose: '' }));
const replay = (preset: 'askema' | 'v5') =>
  replayExploration(
    queue,
    recordingOf(statements),
    explorationLimits({ preset, maxFailuresInARow: 9 }),
    snowflakeDialect,
    catalog,
  );

describe('a replayed exploration', () => {
  it('asks the model for every failure, and for the queue after every correction, as v5 did', async () => {
    const run = await replay('v5');
    expect(run.counts).toEqual({
      executions: 11,
      modelCalls: 10,
      corrections: 6,
      nameFixes: 0,
      revisions: 4,
      revisionsTaken: 4,
      propagated: 0,
    });
    expect(run.outcomes).toEqual([true, true, true, true, true, false]);
  });

  it('spends no calls on names, on further empty results and on queues without the mistake', async () => {
    const run = await replay('askema');
    // STATUS is put right once, and in the next statement before it fails.
    expect(run.fixes).toEqual([{ fix: { from: 'STATUS', to: 'status', relation: 'ORDERS' }, agrees: true }]);
    expect(run.counts).toMatchObject({ corrections: 3, revisions: 1, modelCalls: 4, nameFixes: 1, propagated: 1 });
    expect(run.findings.map(({ errorClass, view }) => errorClass ?? view?.slice(0, 6))).toEqual([
      'result',
      'result',
      'empty',
      'result',
      'result',
      'timeout',
    ]);
  });

  it('adds up', async () => {
    const run = await replay('askema');
    const totals = totalsOf([
      { probes: 6, run },
      { probes: 6, run },
    ]);
    expect(totals).toMatchObject({
      explorations: 2,
      probes: 12,
      results: 8,
      modelCalls: 8,
      fixesThatAgree: 2,
      stops: { done: 2 },
    });
  });
});
