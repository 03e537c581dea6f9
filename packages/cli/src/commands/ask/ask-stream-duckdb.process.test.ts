import { duckdb } from '@askema/duckdb';
import { DuckDBInstance } from '@duckdb/node-api';
import { describeAskStream } from '../../testing/describe-ask-stream.ts';

describeAskStream(
  'DuckDB',
  {
    rows: (count) => `SELECT range AS x FROM range(1, ${count + 1})`,
    endless: 'SELECT range AS x FROM range(1, 1000000000000)',
    failing: (count) => `SELECT ${2n ** 63n - 1n - BigInt(count)} + range AS x FROM range(1, ${count + 1_000})`,
  },
  async (project) => {
    const file = project.path('shop.duckdb');
    (await DuckDBInstance.create(file)).closeSync();
    return { address: file, env: {}, writer: duckdb({ file, access: 'write' }) };
  },
);
