import { expect, test } from 'vitest';
import { LOADERS } from '../../same-answers/engines.ts';
import { findingsOn } from './findings-on.ts';
import { TABLES } from './planted-knowledge.ts';

test('a check finds on DuckDB what is planted', async () => {
  const findings = await findingsOn(await LOADERS.duckdb(TABLES));
  await expect(findings.join('\n')).toMatchFileSnapshot('__snapshots__/planted-findings.txt');
});
