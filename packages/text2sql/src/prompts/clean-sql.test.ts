import { expect, it } from 'vitest';
import { cleanSql } from './clean-sql.ts';

it.each([
  ['SELECT 1', 'SELECT 1'],
  ['  SELECT 1 ;\n', 'SELECT 1'],
  ['SELECT 1;;', 'SELECT 1'],
  ['```sql\nSELECT 1;\n```', 'SELECT 1'],
  ['```\nSELECT 1\n```', 'SELECT 1'],
  ['~~~SQLite\nSELECT 1\n~~~', 'SELECT 1'],
  ['Here it is:\n\n```sql\nSELECT a\nFROM t\n```\nIt counts rows.', 'SELECT a\nFROM t'],
  ['```sql\nSELECT wrong\n```\nBetter:\n```sql\nSELECT right_one\n```', 'SELECT right_one'],
  ['```json\n{}\n```\n```sql\nSELECT 1\n```', 'SELECT 1'],
  ['```sql\nSELECT 1', 'SELECT 1'],
  ['```sql SELECT 1;```', 'SELECT 1'],
  ['```SELECT 1```', 'SELECT 1'],
  ['  ```SQL\r\n  SELECT 1\r\n  ```', 'SELECT 1'],
  ["SELECT '```' || ';' AS x", "SELECT '```' || ';' AS x"],
  ['SELECT 1; DROP TABLE x;', 'SELECT 1; DROP TABLE x'],
  ['', ''],
  [' ; ', ''],
])('%j becomes %j', (text, sql) => {
  expect(cleanSql(text)).toBe(sql);
});

it('takes no time on a hostile reply', () => {
  const started = performance.now();
  cleanSql(`SELECT 1${' '.repeat(300_000)}x`);
  cleanSql('```sql\n'.repeat(30_000));
  cleanSql('```'.repeat(100_000));
  expect(performance.now() - started).toBeLessThan(2_000);
});
