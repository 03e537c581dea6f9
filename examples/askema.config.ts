/**
 * Four known systems as flows, beside those that come along:
 *
 * ```sh
 * askema ask --config examples/askema.config.ts --flow din-sql examples/store.sqlite "Which city has most customers?"
 * askema eval run … --config examples/askema.config.ts --flow mac-sql
 * ```
 *
 * `ACT_SQL_EXAMPLES` names a file of examples for `act-sql`: an object with `question` and `sql` a line.
 */
import { defineConfig } from 'askema';
import { actSql } from './flows/act-sql.ts';
import { dinSql } from './flows/din-sql.ts';
import { macSql } from './flows/mac-sql.ts';
import { spiderAgent } from './flows/spider-agent.ts';

export default defineConfig({
  databases: { store: './store.sqlite' },
  flows: {
    'act-sql': () => actSql({ examples: process.env.ACT_SQL_EXAMPLES }),
    'din-sql': dinSql,
    'mac-sql': macSql,
    'spider-agent': spiderAgent,
  },
});
