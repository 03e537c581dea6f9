/**
 * How much of what a company means is found in a log of what its people run: statements that are written from known
 * definitions, 30 % of them noise. Usage:
 *
 * node --conditions=@askema/source scripts/knowledge/mining.ts [--seeds 1,2,3,4,5] [--count 2000] [--list missed,wrong,log]
 *
 * Bars, for each seed: at least 90 % of the joins and 80 % of the metrics that were used ten times or more are proposed,
 * and at most 5 % of all proposals are wrong. Exits with 1 below them.
 */
import { parseArgs } from 'node:util';
import { postgresDialect } from '@askema/dialects';
import { mineKnowledge } from '../../packages/knowledge/src/index.ts';
import { createSqlParser } from '../../packages/sql-parser/src/index.ts';
import { catalogOfTables, judge } from './mining/judge.ts';
import { writeLog } from './mining/write-log.ts';

const NOISE = 0.3;
const LEAST_JOINS = 0.9;
const LEAST_METRICS = 0.8;
const MOST_WRONG = 0.05;

const { values: flags } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1,2,3,4,5' },
    count: { type: 'string', default: '2000' },
    list: { type: 'string', default: '' },
  },
});
const listed = flags.list.split(',');
const parser = createSqlParser();
const catalog = catalogOfTables();
try {
  for (const seed of flags.seeds.split(',').map(Number)) {
    const log = writeLog(seed, Number(flags.count), NOISE);
    if (listed.includes('log')) for (const { sql } of log.statements) console.log(sql.replaceAll('\n', ' '));
    const started = performance.now();
    const mined = await mineKnowledge(log.statements, { catalog, dialect: postgresDialect, parser });
    const seconds = (performance.now() - started) / 1000;
    const { joins, metrics, proposals, wrong, missed } = judge(mined, log);
    const share = wrong.length / proposals;
    console.log(
      `seed ${seed}: joins ${joins.found} of ${joins.due}, metrics ${metrics.found} of ${metrics.due}, ` +
        `wrong ${wrong.length} of ${proposals} proposals (${(100 * share).toFixed(1)} %), ${seconds.toFixed(1)} s`,
    );
    console.log(`  used ${mined.used}, skipped ${JSON.stringify(mined.skipped)}`);
    if (listed.includes('missed')) for (const one of missed) console.log(`  missed ${one}`);
    if (listed.includes('wrong')) for (const one of wrong) console.log(`  wrong ${one}`);
    const isMet =
      joins.found >= LEAST_JOINS * joins.due && metrics.found >= LEAST_METRICS * metrics.due && share <= MOST_WRONG;
    if (!isMet) process.exitCode = 1;
  }
} finally {
  await parser.close();
}
