/**
 * Writes logs of an insurance from its definitions, as eight analysts with their habits write statements, mines them,
 * and compares what is proposed with what is true. Usage: node --conditions=@askema/source
 * scripts/knowledge/mining-second.ts [--count STATEMENTS] [--seeds COUNT] [--first-seed SEED] [--verbose]
 * Fails where a log misses a bar.
 */
import { parseArgs } from 'node:util';
import { postgresDialect } from '@askema/dialects';
import { createSqlParser } from '@askema/sql-parser';
import { mineKnowledge } from '../../packages/knowledge/src/index.ts';
import { judge } from './mining-second/judge.ts';
import { catalogOfTables, openRows } from './mining-second/rows.ts';
import { writeLog } from './mining-second/write-log.ts';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '2000' },
    seeds: { type: 'string', default: '5' },
    'first-seed': { type: 'string', default: '1' },
    verbose: { type: 'boolean', default: false },
  },
});
const BARS = { joins: 0.9, metrics: 0.8, wrong: 0.05 };

const catalog = catalogOfTables();
const databases = [await openRows(1), await openRows(2), await openRows(3)];
const parser = createSqlParser();
for (let at = 0; at < Number(values.seeds); at += 1) {
  const seed = Number(values['first-seed']) + at;
  const log = writeLog(seed, Number(values.count));
  const mined = await mineKnowledge(log.statements, { catalog, dialect: postgresDialect, parser });
  const { joins, metrics, defaults, named, proposals, wrong, missed } = await judge(mined, log, catalog, databases);
  const isGood =
    joins.found >= BARS.joins * joins.used &&
    metrics.found >= BARS.metrics * metrics.used &&
    wrong.length <= BARS.wrong * proposals;
  if (!isGood) process.exitCode = 1;
  console.log(
    [
      `seed ${seed}`,
      `joins ${joins.found}/${joins.used}`,
      `metrics ${metrics.found}/${metrics.used}`,
      `default filters ${defaults.found}/${defaults.used}`,
      `names ${named.right}/${named.all}`,
      `wrong ${wrong.length}/${proposals}`,
      isGood ? 'good' : 'MISSES A BAR',
    ].join(' | '),
  );
  if (!values.verbose) continue;
  console.log(JSON.stringify({ skipped: mined.skipped, used: mined.used, withheld: mined.withheld }));
  for (const text of wrong) console.log(`  wrong  ${text}`);
  for (const text of missed) console.log(`  missed ${text}`);
}
await parser.close();
for (const database of databases) await database.close();
