/** An insurance as its analysts know it: what is true, before anybody writes a statement about it. */

/** `name type`; the key first. `key` names several. */
export interface Table {
  readonly name: string;
  readonly columns: Readonly<Record<string, string>>;
  readonly key: readonly string[];
  /** Stands in every metric of the table. `[column]` is a column in this and all other texts. */
  readonly always?: string;
  readonly time?: string;
  /** Columns by which people cut. */
  readonly cuts: readonly string[];
}

export interface Join {
  readonly from: string;
  readonly columns: readonly string[];
  readonly to: string;
  readonly toColumns: readonly string[];
}

/** `call` of `argument`, for rows that meet `when`. */
export interface Part {
  readonly call: 'SUM' | 'COUNT' | 'AVG' | 'MIN' | 'MAX' | 'DISTINCT';
  /** The first one is the definition; the others are how else people write it. */
  readonly argument: readonly string[];
  readonly when?: string;
}

export interface TrueMetric {
  readonly table: string;
  readonly names: readonly string[];
  readonly part: Part;
  readonly per?: Part;
  /** Written behind: `/ 60.0`. */
  readonly scale?: string;
}

const table = (name: string, key: string, columns: string, cuts: string, rest: Partial<Table> = {}): Table => ({
  name,
  key: key.split(' '),
  columns: Object.fromEntries(columns.split(', ').map((column) => column.split(' ') as [string, string])),
  cuts: cuts.split(' ').filter(Boolean),
  ...rest,
});

export const TABLES: readonly Table[] = [
  table(
    'policies',
    'policy_id',
    'policy_id integer, policy_no text, customer_id integer, broker_id integer, product_code text, status text, start_date date, end_date date, annual_premium numeric, discount_pct numeric, sum_insured numeric',
    'product_code status',
    { always: "[status] <> 'draft'", time: 'start_date' },
  ),
  table(
    'customers',
    'customer_id',
    'customer_id integer, full_name text, birth_date date, country text, segment text, is_test boolean, created_at timestamp',
    'country segment',
    { always: 'NOT [is_test]', time: 'created_at' },
  ),
  table(
    'brokers',
    'broker_id',
    'broker_id integer, broker_name text, region text, channel text, commission_rate numeric, terminated_on date',
    'region channel broker_name',
  ),
  table(
    'products',
    'product_code',
    'product_code text, product_name text, line_of_business text, base_premium numeric',
    'line_of_business product_name',
  ),
  table(
    'coverages',
    'policy_id cover_code',
    'policy_id integer, cover_code text, limit_amount numeric, deductible numeric, premium_part numeric',
    'cover_code',
  ),
  table(
    'claims',
    'claim_id',
    'claim_id integer, policy_id integer, cover_code text, adjuster_id integer, reported_at timestamp, occurred_on date, closed_at timestamp, reserve_amount numeric, cause text, is_fraud boolean',
    'cause cover_code',
    { time: 'reported_at' },
  ),
  table(
    'claim_payments',
    'payment_id',
    'payment_id integer, claim_id integer, paid_on date, amount numeric, payee_type text, voided boolean, approved_by integer',
    'payee_type',
    { always: 'NOT [voided]', time: 'paid_on' },
  ),
  table(
    'premium_invoices',
    'invoice_id',
    'invoice_id integer, policy_id integer, due_date date, amount_net numeric, tax_amount numeric, status text, paid_at timestamp',
    'status',
    { time: 'due_date' },
  ),
  table(
    'employees',
    'emp_id',
    'emp_id integer, emp_name text, branch_id integer, manager_id integer, hired_on date, left_on date, job_title text',
    'job_title emp_name',
    { time: 'hired_on' },
  ),
  table('branches', 'branch_id', 'branch_id integer, city text, state_code text', 'city state_code'),
  table(
    'CallLog',
    'CallId',
    'CallId integer, CustomerId integer, AgentId integer, StartedAt timestamp, Seconds integer, Outcome text',
    'Outcome',
    { time: 'StartedAt' },
  ),
  table(
    'quotes',
    'quote_id',
    'quote_id integer, customer_id integer, product_code text, broker_id integer, quoted_on date, premium numeric, bound_policy_id integer',
    'product_code',
    { time: 'quoted_on' },
  ),
];

const join = (text: string): Join => {
  const [left = '', right = ''] = text.split(' = ');
  const [from = '', columns = ''] = left.split('.');
  const [to = '', toColumns = ''] = right.split('.');
  return { from, columns: columns.split('+'), to, toColumns: toColumns.split('+') };
};

export const JOINS: readonly Join[] = [
  'policies.customer_id = customers.customer_id',
  'policies.broker_id = brokers.broker_id',
  'policies.product_code = products.product_code',
  'coverages.policy_id = policies.policy_id',
  'claims.policy_id = policies.policy_id',
  'claims.policy_id+cover_code = coverages.policy_id+cover_code',
  'claims.adjuster_id = employees.emp_id',
  'claim_payments.claim_id = claims.claim_id',
  'claim_payments.approved_by = employees.emp_id',
  'premium_invoices.policy_id = policies.policy_id',
  'employees.branch_id = branches.branch_id',
  'employees.manager_id = employees.emp_id',
  'CallLog.CustomerId = customers.customer_id',
  'CallLog.AgentId = employees.emp_id',
  'quotes.customer_id = customers.customer_id',
  'quotes.product_code = products.product_code',
  'quotes.broker_id = brokers.broker_id',
  'quotes.bound_policy_id = policies.policy_id',
].map(join);

const part = (call: Part['call'], argument: string | readonly string[], when?: string): Part => ({
  call,
  argument: typeof argument === 'string' ? [argument] : argument,
  ...(when === undefined ? {} : { when }),
});
const metric = (table: string, names: string, of: Part, rest: Partial<TrueMetric> = {}): TrueMetric => ({
  table,
  names: names.split(' '),
  part: of,
  ...rest,
});
const ACTIVE = "[status] = 'active'";
const OPEN = '[closed_at] IS NULL';
const STAFF = '[left_on] IS NULL';

/** With the condition of the table and their own; the first of the names is the usual one. */
export const METRICS: readonly TrueMetric[] = [
  metric(
    'policies',
    'written_premium net_premium gwp',
    part('SUM', [
      '[annual_premium] * (1 - [discount_pct] / 100.0)',
      '(1 - [discount_pct] / 100.0) * [annual_premium]',
      '[annual_premium] - [annual_premium] * [discount_pct] / 100.0',
    ]),
  ),
  metric('policies', 'policy_count policies_written', part('COUNT', ['*', '1', '[policy_id]'])),
  metric('policies', 'in_force_policies active_policies', part('COUNT', ['*', '[policy_id]'], ACTIVE)),
  metric('policies', 'avg_premium average_premium', part('AVG', '[annual_premium]')),
  metric('policies', 'insured_customers policyholders', part('DISTINCT', '[customer_id]', ACTIVE)),
  metric('policies', 'max_sum_insured biggest_risk', part('MAX', '[sum_insured]')),
  metric('policies', 'exposure total_exposure', part('SUM', '[sum_insured]', ACTIVE)),
  metric('policies', 'lapse_rate', part('COUNT', '*', "[status] = 'lapsed'"), { per: part('COUNT', '*') }),
  metric('policies', 'selling_brokers', part('DISTINCT', '[broker_id]')),
  metric('claims', 'claim_count claims_reported', part('COUNT', ['*', '[claim_id]', '1'])),
  metric('claims', 'open_claims pending_claims', part('COUNT', ['*', '[claim_id]'], OPEN)),
  metric('claims', 'outstanding_reserve open_reserve', part('SUM', '[reserve_amount]', OPEN)),
  metric('claims', 'fraud_rate', part('AVG', 'CASE WHEN [is_fraud] THEN 1.0 ELSE 0 END')),
  metric('claims', 'days_to_close closing_time', part('AVG', '[closed_at]::date - [reported_at]::date')),
  metric('claims', 'glass_claims', part('COUNT', '*', "[cause] = 'glass'")),
  metric('claims', 'claiming_policies', part('DISTINCT', '[policy_id]')),
  metric('claim_payments', 'claims_paid paid_losses paid_amount', part('SUM', '[amount]')),
  metric('claim_payments', 'avg_payment average_payout', part('AVG', '[amount]')),
  metric('claim_payments', 'third_party_paid liability_paid', part('SUM', '[amount]', "[payee_type] = 'third_party'")),
  metric('claim_payments', 'paid_claims', part('DISTINCT', '[claim_id]')),
  metric('claim_payments', 'largest_payment', part('MAX', '[amount]')),
  metric(
    'premium_invoices',
    'billed_premium gross_billed',
    part('SUM', ['[amount_net] + [tax_amount]', '[tax_amount] + [amount_net]']),
  ),
  metric('premium_invoices', 'collected_premium cash_in', part('SUM', '[amount_net]', "[status] = 'paid'")),
  metric(
    'premium_invoices',
    'unpaid_invoices',
    part('COUNT', ['*', '[invoice_id]'], "[paid_at] IS NULL AND [status] = 'open'"),
  ),
  metric('premium_invoices', 'collection_rate', part('SUM', '[amount_net]', "[status] = 'paid'"), {
    per: part('SUM', '[amount_net]'),
  }),
  metric('premium_invoices', 'premium_tax tax_billed', part('SUM', '[tax_amount]')),
  metric('customers', 'customer_count customers_total', part('COUNT', ['*', '[customer_id]'])),
  metric('customers', 'business_customers', part('COUNT', '*', "[segment] = 'business'")),
  metric('employees', 'headcount staff', part('COUNT', ['*', '[emp_id]'], STAFF)),
  metric('employees', 'staffed_branches', part('DISTINCT', '[branch_id]', STAFF)),
  metric('CallLog', 'talk_minutes minutes_talked', part('SUM', '[Seconds]'), { scale: '/ 60.0' }),
  metric('CallLog', 'handle_time avg_call_seconds', part('AVG', '[Seconds]', "[Outcome] = 'answered'")),
  metric('CallLog', 'missed_calls', part('COUNT', '*', "[Outcome] = 'missed'")),
  metric('quotes', 'quotes_given quote_count', part('COUNT', ['*', '[quote_id]'])),
  metric('quotes', 'conversion_rate hit_ratio', part('COUNT', '[bound_policy_id]'), { per: part('COUNT', '*') }),
  metric('quotes', 'quoted_premium', part('SUM', '[premium]')),
  metric('quotes', 'lowest_quote', part('MIN', '[premium]')),
  metric('coverages', 'covered_amount net_limit', part('SUM', '[limit_amount] - [deductible]')),
  metric('coverages', 'avg_deductible', part('AVG', '[deductible]')),
  metric('brokers', 'active_brokers', part('COUNT', ['*', '[broker_id]'], '[terminated_on] IS NULL')),
];

/** Conditions that have a name among people; they stand with any aggregate of the table. */
export const NAMED: Readonly<Record<string, string>> = { policies: ACTIVE, claims: OPEN, employees: STAFF };

export const tableOf = (name: string): Table => {
  const found = TABLES.find((one) => one.name === name);
  if (found === undefined) throw new Error(`No table ${name}.`);
  return found;
};

/** With quotes where PostgreSQL needs them. */
export const quoted = (name: string): string => (/^[a-z_]+$/.test(name) ? name : `"${name}"`);

/** A text with its `[columns]` as `alias.column`. */
export const filled = (text: string, column: (name: string) => string): string =>
  text.replaceAll(/\[(\w+)\]/g, (_, name: string) => column(name));
