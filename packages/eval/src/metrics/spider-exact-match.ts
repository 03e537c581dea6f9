import type { Metric } from './metric.ts';
import { parseSpiderSql } from './parse-spider-sql.ts';
import { readSpiderSchema } from './read-spider-schema.ts';
import { sameSpiderComponents } from './spider-components.ts';

/**
 * Spider's exact set match without values (evaluation.py): 1 where the statement has the components of some gold statement, whatever
 * the results. Names are resolved on the question's SQLite database, whose foreign keys say which columns are one. A statement that
 * Spider's grammar does not know is 0. Does not apply where no gold statement is within that grammar, or the database is no SQLite.
 */
export const spiderExactMatch: Metric = {
  id: 'spider-exact-match',
  title: 'Spider exact match',
  async score({ question, sql, run }) {
    if (question.goldSql.length === 0) return undefined;
    const schema = await readSpiderSchema((statement) => run(statement));
    if (schema === undefined) return undefined;
    const gold = question.goldSql.flatMap((one) => parseSpiderSql(one, schema) ?? []);
    if (gold.length === 0) return undefined;
    const candidate = sql === undefined ? undefined : parseSpiderSql(sql, schema);
    return candidate !== undefined && gold.some((one) => sameSpiderComponents(candidate, one, schema)) ? 1 : 0;
  },
};
