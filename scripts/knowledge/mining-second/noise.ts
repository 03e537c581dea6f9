import type { LoggedStatement } from '../../../packages/knowledge/src/index.ts';
import type { Chance } from './chance.ts';
import { quoted, TABLES, type Table } from './definitions.ts';
import { HABITS, inLetters } from './habits.ts';

/** Of all statements of a log. */
export const NOISE = 0.3;

/** They look right, and run. */
const WRONG_JOINS = [
  'claims.claim_id = policies.policy_id',
  'claims.adjuster_id = customers.customer_id',
  'policies.broker_id = employees.emp_id',
  'premium_invoices.invoice_id = claim_payments.payment_id',
  'quotes.customer_id = brokers.broker_id',
  'claims.occurred_on = policies.start_date',
  'claim_payments.claim_id = policies.policy_id',
  'quotes.quote_id = policies.policy_id',
  'CallLog.AgentId = brokers.broker_id',
  'employees.branch_id = employees.emp_id',
  'coverages.cover_code = products.product_code',
  'claims.cause = coverages.cover_code',
  'brokers.region = branches.state_code',
  'quotes.product_code = policies.product_code',
];

const nameOf = (path: string): string => path.split('.').map(quoted).join('.');
const aColumn = (table: Table, chance: Chance, type?: RegExp): string | undefined => {
  const names = Object.entries(table.columns).filter(([, one]) => type === undefined || type.test(one));
  return names.length === 0 ? undefined : quoted(chance.oneOf(names)[0]);
};

function wrongJoin(chance: Chance): string {
  const [left = '', right = ''] = chance.oneOf(WRONG_JOINS).split(' = ');
  const [from = '', to = ''] = [left, right].map((path) => path.split('.')[0] ?? '');
  const isSelf = from === to;
  const [a, b] = isSelf ? ['e1', 'e2'] : [quoted(from), quoted(to)];
  const on = isSelf ? 'e1.branch_id = e2.emp_id' : `${nameOf(left)} = ${nameOf(right)}`;
  const sources = isSelf ? ['employees e1', 'employees e2'] : [a, b];
  const about = TABLES.find(({ name }) => name === from) ?? chance.oneOf(TABLES);
  const item = chance.oneOf([`COUNT(*)`, `SUM(${a}.${aColumn(about, chance, /int|num/)})`, '*', `${a}.*`]);
  return chance.is(0.5)
    ? `SELECT ${item} FROM ${sources[0]} JOIN ${sources[1]} ON ${on}${item.endsWith('*') ? ' LIMIT 10' : ''}`
    : `SELECT ${item} FROM ${sources.join(', ')} WHERE ${on}${item.endsWith('*') ? ' LIMIT 100' : ''}`;
}

/** The sum of the discounts, the average without the drafts' condition, a count that is not distinct. */
function wrongFormula(chance: Chance): string {
  const table = chance.oneOf(TABLES);
  const number = aColumn(table, chance, /numeric/) ?? aColumn(table, chance, /integer/) ?? '1';
  const other = aColumn(table, chance, /numeric/) ?? '2';
  const any = aColumn(table, chance) ?? '*';
  const value = chance.oneOf([
    `SUM(${number})`,
    `AVG(${number})`,
    `SUM(${number} * ${other})`,
    `SUM(${number} - ${other})`,
    `COUNT(${any})`,
    `COUNT(DISTINCT ${any})`,
    `MAX(${number})`,
    `SUM(${number}) / COUNT(*)`,
    `SUM(${number}) * 1.19`,
    'COUNT(*)',
  ]);
  const date = aColumn(table, chance, /date|timestamp/);
  const where = chance.oneOf([
    '',
    '',
    date === undefined ? '' : ` WHERE ${date} IS NOT NULL`,
    ` WHERE ${any} IS NOT NULL`,
  ]);
  const by = chance.is(0.4) && table.cuts.length > 0 ? quoted(chance.oneOf(table.cuts)) : undefined;
  const name = chance.is(0.5)
    ? ` AS ${chance.oneOf(['total', 'written_premium', 'amount', 'n', 'claims_paid', 'share'])}`
    : '';
  return `SELECT ${by === undefined ? '' : `${by}, `}${value}${name} FROM ${quoted(table.name)}${where}${by === undefined ? '' : ` GROUP BY ${by}`}`;
}

const WRITES = [
  'CREATE TABLE tmp_policies AS SELECT customer_id, SUM(annual_premium) AS p FROM policies GROUP BY 1',
  'UPDATE claims SET reserve_amount = 0 WHERE closed_at IS NOT NULL AND claim_id = 4411',
  'INSERT INTO brokers (broker_id, broker_name) SELECT emp_id, emp_name FROM employees WHERE left_on IS NULL',
  "DELETE FROM quotes WHERE quoted_on < now() - interval '5 years'",
  'ALTER TABLE policies ADD COLUMN renewal_of integer',
  'CREATE INDEX ix_claims_policy ON claims (policy_id)',
  'VACUUM ANALYZE claim_payments',
  'COPY (SELECT * FROM premium_invoices) TO STDOUT WITH CSV HEADER',
  'BEGIN',
  'SET search_path TO public',
  'CREATE OR REPLACE VIEW v_claims AS SELECT c.*, p.status FROM claims c JOIN policies p ON c.claim_id = p.policy_id',
  'MERGE INTO brokers b USING employees e ON b.broker_id = e.emp_id WHEN MATCHED THEN UPDATE SET region = e.job_title',
  'EXPLAIN SELECT COUNT(*) FROM claims JOIN policies ON claims.claim_id = policies.policy_id',
  'TRUNCATE tmp_policies',
];

const OTHER = [
  'SELECT SUM(balance) AS written_premium FROM ledger.accounts',
  'SELECT COUNT(*) FROM archive.policies p JOIN archive.claims c ON c.claim_id = p.policy_id',
  'SELECT AVG(amount) FROM archive.claim_payments WHERE voided',
  'SELECT relname, n_live_tup FROM pg_stat_user_tables ORDER BY 2 DESC',
  "SELECT COUNT(*) FROM information_schema.columns WHERE table_schema = 'public'",
  'SELECT c.city, COUNT(*) FROM crm.contacts c JOIN crm.accounts a ON a.id = c.account_id GROUP BY 1',
  'SELECT SUM(sum_insured) FROM staging.policies',
];

const broken = (sql: string, chance: Chance): string =>
  chance.oneOf([
    sql.slice(0, Math.floor(sql.length * (0.3 + chance.below(50) / 100))),
    `${sql} WHERE`,
    sql.replace('SELECT', 'SELCT'),
    sql.replace('(', '(('),
    sql.replace('FROM', 'FORM'),
  ]);

/** A letter of a name is wrong, so there is no such table or column; some tools log it as a success all the same. */
const misspelled = (sql: string, chance: Chance): string => {
  const word = chance.oneOf(['premium', 'claim', 'customer', 'amount', 'employees', 'status', 'date']);
  return sql.replaceAll(word, `${word.slice(0, 2)}${word.slice(3)}`);
};

const LOOKS = [
  (table: string) => `SELECT * FROM ${table} LIMIT 10`,
  (table: string) => `SELECT COUNT(*) FROM ${table}`,
  (table: string) => `select * from ${table} order by 1 desc limit 5`,
  (table: string) => `SELECT t.* FROM ${table} t WHERE 1 = 1 LIMIT 100`,
  (table: string) => `SELECT max(${table}) FROM ${table}`,
];

/** One person's own figures, which nobody else uses. */
const PRIVATE = [
  "SELECT SUM(sum_insured * discount_pct) AS my_index FROM policies WHERE status = 'expired'",
  'SELECT SUM(reserve_amount) - COUNT(*) AS fudge FROM claims',
];

/** `count` statements from which nothing may be learned; `right` writes one of the others. */
export function writeNoise(count: number, right: () => string, chance: Chance): readonly LoggedStatement[] {
  const wrong = (): string => (chance.is(0.5) ? wrongJoin(chance) : wrongFormula(chance));
  const dashboard = Array.from({ length: 4 }, wrong);
  const own = Array.from({ length: 3 }, wrong);
  const shares: readonly (readonly [number, () => Omit<LoggedStatement, 'at'>])[] = [
    [13, () => ({ sql: wrongJoin(chance) })],
    [13, () => ({ sql: wrongFormula(chance) })],
    [10, () => ({ sql: broken(right(), chance), failed: chance.is(0.7) })],
    [11, () => ({ sql: chance.oneOf(WRITES) })],
    [20, () => ({ sql: chance.oneOf(dashboard), user: 'svc_dash', application: 'grafana' })],
    [8, () => ({ sql: chance.oneOf(own), user: 'ada', application: 'askema' })],
    [7, () => ({ sql: wrong(), failed: true })],
    [6, () => ({ sql: chance.oneOf(OTHER) })],
    [6, () => ({ sql: misspelled(right(), chance) })],
    [4, () => ({ sql: chance.oneOf(LOOKS)(quoted(chance.oneOf(TABLES).name)) })],
    [2, () => ({ sql: chance.oneOf(PRIVATE), user: 'gus', application: 'psql' })],
  ];
  const all = shares.reduce((sum, [share]) => sum + share, 0);
  const kinds = shares.flatMap(([share, make]) => Array.from({ length: Math.ceil((share / all) * count) }, () => make));
  return chance
    .shuffled(kinds)
    .slice(0, count)
    .map((make) => {
      const habit = chance.oneOf(HABITS);
      const made = make();
      const isOnes = made.user !== undefined;
      return {
        user: habit.user,
        application: 'psql',
        ...made,
        sql: isOnes ? made.sql : inLetters(made.sql, chance.is(0.3) ? habit.letters : 'as they are'),
      };
    });
}
