import type { LoggedStatement } from '../../../packages/knowledge/src/index.ts';
import { TABLES } from './definitions.ts';
import type { Random } from './random.ts';

type Noise = Pick<LoggedStatement, 'sql'> & Partial<LoggedStatement>;

/** A statement that nobody should learn from. */
export function noiseOf(random: Random): Noise {
  const kinds = [misspelled, wrongJoin, wrongAggregate, fanOut, ofTool, ofTool, own, elsewhere, failed, noQuery];
  return random.pick(kinds)(random);
}

const nameOf = (column: string): string => column.split(' ')[0] ?? '';

function columnOf(table: (typeof TABLES)[number], random: Random): string {
  return nameOf(random.pick(table.columns));
}

/** It does not parse. */
function misspelled(random: Random): Noise {
  const sql = wrongAggregate(random).sql;
  return {
    sql: random.pick([
      sql.replace('FROM', 'FORM'),
      sql.replace('(', '(('),
      `${sql} WHERE WHERE`,
      sql.replace('SELECT', 'SELECT SELECT FROM'),
      `${sql} GROUP ORDER`,
    ]),
  };
}

/** Columns that have nothing to do with each other. */
function wrongJoin(random: Random): Noise {
  const [a, b] = random.shuffled(TABLES) as [(typeof TABLES)[number], (typeof TABLES)[number]];
  const on = random.chance(0.2) ? '' : ` ON a.${columnOf(a, random)} = b.${columnOf(b, random)}`;
  const kind = on === '' ? 'CROSS JOIN' : 'JOIN';
  return { sql: `SELECT COUNT(*) FROM ${a.name} a ${kind} ${b.name} b${on}` };
}

/** An aggregate that means nothing, with a filter that somebody tried. */
function wrongAggregate(random: Random): Noise {
  const table = random.pick(TABLES);
  const aggregate = random.pick(['SUM', 'AVG', 'MIN', 'MAX', 'COUNT']);
  const factor = random.pick(['', '', ' * 2', ' + 1', ' / 100']);
  const where = random.chance(0.5) ? ` WHERE ${columnOf(table, random)} IS NOT NULL` : '';
  return { sql: `SELECT ${aggregate}(${columnOf(table, random)}${factor}) AS result FROM ${table.name}${where}` };
}

/** Amounts of orders, repeated by their lines: a mistake that several people make. */
function fanOut(random: Random): Noise {
  const amount = random.pick(['total', 'tax']);
  const table = random.pick(['order_lines', 'payments', 'refunds']);
  return {
    sql: `SELECT SUM(o.${amount}) AS ${random.pick(['revenue', 'total', 'sum'])} FROM orders o JOIN ${table} x ON x.order_id = o.order_id`,
  };
}

/** What a dashboard or a job runs all day, be it wrong. */
function ofTool(random: Random): Noise {
  const [application, user, sql] = random.pick([
    [
      'Metabase',
      'metabase',
      'SELECT SUM(o.order_id) AS checksum FROM orders o JOIN visits v ON v.seconds = o.store_id',
    ],
    ['Metabase', 'metabase', 'SELECT COUNT(*) FROM refunds r JOIN employees e ON e.id = r.order_id'],
    ['etl', 'loader', 'SELECT MAX(payment_id) AS high_water FROM payments'],
    ['etl', 'loader', 'SELECT MIN(visit_id) AS low_water, SUM(visit_id) FROM visits WHERE seconds > 0'],
  ] as const);
  return { application, user, sql };
}

/** Written by the product itself. */
function own(random: Random): Noise {
  const sql = 'SELECT SUM(o.sold_by) AS sold FROM orders o JOIN tickets t ON t.ticket_id = o.order_id';
  return random.pick([
    { application: 'askema', sql },
    { tag: '{"app":"askema","run":"r1"}', sql },
    { tag: 'askema-run:r2', sql },
  ]);
}

/** Tables that this database does not have. */
function elsewhere(random: Random): Noise {
  const table = random.pick(['crm.leads', 'finance.ledger', 'hr.absences', 'staging.orders_raw']);
  return { sql: `SELECT COUNT(*) AS n, SUM(x.amount) FROM ${table} x JOIN ${table}_2 y ON x.id = y.parent` };
}

function failed(random: Random): Noise {
  return { ...wrongJoin(random), failed: true };
}

function noQuery(random: Random): Noise {
  const table = random.pick(TABLES);
  return {
    sql: random.pick([
      `INSERT INTO ${table.name} SELECT * FROM ${table.name}_new`,
      `DELETE FROM ${table.name} WHERE 1 = 0`,
      `CREATE TABLE copy_of AS SELECT SUM(1) FROM ${table.name}`,
      'SET search_path TO shop',
      'VACUUM',
    ]),
  };
}
