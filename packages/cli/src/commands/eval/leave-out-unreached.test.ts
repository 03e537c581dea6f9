import type { Dataset } from '@askema/eval';
import { describe, expect, it } from 'vitest';
import { leaveOutUnreached } from './leave-out-unreached.ts';

function datasetOf(dialects: readonly (string | undefined)[]): Dataset {
  const ids = dialects.map((dialect, position) => `${dialect}${position}`);
  const question = { question: 'q', goldSql: [], category: '', difficulty: '', orderMatters: false, features: [] };
  return {
    name: 'set',
    directory: '/set',
    questions: ids.map((id, line) => ({ ...question, id, databaseId: id, line })),
    databases: Object.fromEntries(ids.map((id, n) => [id, { id, file: `/set/${id}.sqlite`, dialect: dialects[n] }])),
    problems: [],
    fingerprint: '',
  };
}

const lite = datasetOf(['sqlite', 'snowflake', 'bigquery', 'bigquery']);
const left = (dataset: Dataset, dialect: string | undefined, address: string | undefined) => {
  const { questions, leftOut } = leaveOutUnreached(dataset, { dialect, address, cwd: '/set' });
  return [questions.map(({ id }) => id), leftOut?.map(({ questions: count, reason }) => `${count} ${reason}`)];
};

describe('questions on an engine that is not reached', () => {
  it('are left out and counted: those of servers where files are asked, those of others on a server', () => {
    const files = ['1 on snowflake, and only files are asked here', '2 on bigquery, and only files are asked here'];
    expect(left(lite, undefined, undefined)).toEqual([['sqlite0'], files]);
    expect(left(lite, undefined, 'sqlite:/none/{id}.sqlite')).toEqual([['sqlite0'], files]);
    expect(left(lite, 'snowflake', 'snowflake://account/{id}')).toEqual([
      ['snowflake1'],
      ['1 on sqlite, which --database does not reach', '2 on bigquery, which --database does not reach'],
    ]);
  });

  it('are asked where somebody has put all databases on one server, or it is not known what an address opens', () => {
    const all = [['sqlite0', 'snowflake1', 'bigquery2', 'bigquery3'], undefined];
    expect(left(lite, 'postgres', 'postgres://host/{id}')).toEqual(all);
    expect(left(lite, undefined, 'warehouse')).toEqual(all);
    expect(left(datasetOf([undefined]), undefined, undefined)).toEqual([['undefined0'], undefined]);
  });

  it('are an error where no other is left', () => {
    expect(() => left(datasetOf(['bigquery']), undefined, undefined)).toThrow(
      'No question of set can be asked here: 1 on bigquery, and only files are asked here.',
    );
  });
});
