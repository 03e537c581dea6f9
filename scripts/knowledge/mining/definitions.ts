/** What the company of the generated log means by its words. The log is written from it, and the miner never sees it. */

export interface TableDefinition {
  readonly name: string;
  /** `name type`, the types of PostgreSQL. */
  readonly columns: readonly string[];
  readonly key: readonly string[];
  /** What nearly everybody writes when the table is read. */
  readonly always?: string;
  readonly time?: string;
}

export interface JoinDefinition {
  /** `table.column`s, as many on both sides. */
  readonly from: readonly string[];
  readonly to: readonly string[];
}

export interface MetricDefinition {
  /** Names that people give it. */
  readonly names: readonly string[];
  readonly table: string;
  /** Ways to write it; `@` stands before each column of the table. */
  readonly ways: readonly string[];
  /** A condition over the table. */
  readonly filter?: string;
}

export interface FilterDefinition {
  readonly table: string;
  readonly condition: string;
  /** Of how many of the statements over the table. */
  readonly share: number;
}

/** What people cut numbers by: values that differ from statement to statement. */
export interface SliceDefinition {
  readonly column: string;
  readonly values: readonly string[];
}

export const TABLES: readonly TableDefinition[] = [
  { name: 'regions', key: ['region_id'], columns: ['region_id integer', 'name text', 'continent text'] },
  {
    name: 'customers',
    key: ['customer_id'],
    time: 'signed_up',
    columns: [
      'customer_id integer',
      'name text',
      'email text',
      'country text',
      'segment text',
      'signed_up date',
      'region_id integer',
    ],
  },
  {
    name: 'categories',
    key: ['category_id'],
    columns: ['category_id integer', 'title text', 'parent_id integer'],
  },
  {
    name: 'products',
    key: ['product_id'],
    columns: [
      'product_id integer',
      'label text',
      'brand text',
      'category_id integer',
      'list_price numeric',
      'cost numeric',
    ],
  },
  {
    name: 'stores',
    key: ['id'],
    columns: ['id integer', 'city text', 'format text', 'region_id integer'],
  },
  {
    name: 'employees',
    key: ['id'],
    time: 'hired_on',
    columns: ['id integer', 'role text', 'store_id integer', 'manager_id integer', 'salary numeric', 'hired_on date'],
  },
  {
    name: 'orders',
    key: ['order_id'],
    always: '@is_test = FALSE',
    time: 'ordered_at',
    columns: [
      'order_id integer',
      'customer_id integer',
      'store_id integer',
      'sold_by integer',
      'ordered_at timestamp',
      'status text',
      'channel text',
      'total numeric',
      'tax numeric',
      'is_test boolean',
    ],
  },
  {
    name: 'order_lines',
    key: ['order_id', 'line_no'],
    columns: [
      'order_id integer',
      'line_no integer',
      'product_id integer',
      'quantity integer',
      'unit_price numeric',
      'discount numeric',
    ],
  },
  {
    name: 'payments',
    key: ['payment_id'],
    time: 'paid_at',
    columns: [
      'payment_id integer',
      'order_id integer',
      'method text',
      'state text',
      'amount numeric',
      'paid_at timestamp',
    ],
  },
  {
    name: 'refunds',
    key: ['refund_id'],
    time: 'refunded_at',
    columns: ['refund_id integer', 'order_id integer', 'reason text', 'amount numeric', 'refunded_at timestamp'],
  },
  {
    name: 'tickets',
    key: ['ticket_id'],
    always: '@deleted_at IS NULL',
    time: 'opened_at',
    columns: [
      'ticket_id integer',
      'customer_id integer',
      'agent_id integer',
      'priority text',
      'score integer',
      'opened_at timestamp',
      'closed_at timestamp',
      'deleted_at timestamp',
    ],
  },
  {
    name: 'visits',
    key: ['visit_id'],
    always: '@is_bot = FALSE',
    time: 'visited_at',
    columns: [
      'visit_id integer',
      'customer_id integer',
      'source text',
      'seconds integer',
      'visited_at timestamp',
      'is_bot boolean',
    ],
  },
  {
    name: 'shipments',
    key: ['shipment_id'],
    time: 'sent_on',
    columns: [
      'shipment_id integer',
      'order_id integer',
      'line_no integer',
      'carrier text',
      'weight numeric',
      'sent_on date',
    ],
  },
];

const join = (from: string, to: string): JoinDefinition => ({ from: [from], to: [to] });

export const JOINS: readonly JoinDefinition[] = [
  join('customers.region_id', 'regions.region_id'),
  join('products.category_id', 'categories.category_id'),
  join('stores.region_id', 'regions.region_id'),
  join('employees.store_id', 'stores.id'),
  join('orders.customer_id', 'customers.customer_id'),
  join('orders.store_id', 'stores.id'),
  join('orders.sold_by', 'employees.id'),
  join('order_lines.order_id', 'orders.order_id'),
  join('order_lines.product_id', 'products.product_id'),
  join('payments.order_id', 'orders.order_id'),
  join('refunds.order_id', 'orders.order_id'),
  join('tickets.customer_id', 'customers.customer_id'),
  join('tickets.agent_id', 'employees.id'),
  join('visits.customer_id', 'customers.customer_id'),
  {
    from: ['shipments.order_id', 'shipments.line_no'],
    to: ['order_lines.order_id', 'order_lines.line_no'],
  },
];

const metric = (table: string, names: string, ways: readonly string[], filter?: string): MetricDefinition => ({
  table,
  names: names.split(', '),
  ways,
  ...(filter !== undefined && { filter }),
});
const rows = (key: string): readonly string[] => ['COUNT(*)', 'COUNT(1)', `COUNT(@${key})`];

export const METRICS: readonly MetricDefinition[] = [
  metric('orders', 'revenue, sales, turnover', ['SUM(@total)'], "@status <> 'cancelled'"),
  metric('orders', 'gross_bookings, bookings', ['SUM(@total)']),
  metric('orders', 'orders, order_count, n_orders', rows('order_id')),
  metric('orders', 'cancelled_orders, cancellations', rows('order_id'), "@status = 'cancelled'"),
  metric(
    'orders',
    'aov, average_order_value',
    ['SUM(@total) / COUNT(*)', 'SUM(@total) / NULLIF(COUNT(*), 0)', 'SUM(@total) * 1.0 / COUNT(@order_id)'],
    "@status <> 'cancelled'",
  ),
  metric('orders', 'buyers, active_customers', ['COUNT(DISTINCT @customer_id)']),
  metric('orders', 'tax_collected, vat', ['SUM(@tax)', 'SUM(COALESCE(@tax, 0))']),
  metric('orders', 'largest_order, biggest_basket', ['MAX(@total)']),
  metric('orders', 'net_of_tax, net_sales', ['SUM(@total - @tax)'], "@status <> 'cancelled'"),
  metric('customers', 'customers, customer_count', rows('customer_id')),
  metric('order_lines', 'units, items_sold', ['SUM(@quantity)']),
  metric('order_lines', 'line_revenue, goods_value', ['SUM(@quantity * @unit_price)', 'SUM(@unit_price * @quantity)']),
  metric('order_lines', 'net_line_revenue, net_goods', [
    'SUM(@quantity * @unit_price - @discount)',
    'SUM((@unit_price * @quantity) - @discount)',
  ]),
  metric('order_lines', 'discounts, discount_given', ['SUM(@discount)']),
  metric('order_lines', 'discount_rate, markdown', [
    'SUM(@discount) / SUM(@quantity * @unit_price)',
    'SUM(@discount) / NULLIF(SUM(@unit_price * @quantity), 0)',
  ]),
  metric('payments', 'cash_in, received', ['SUM(@amount)'], "@state = 'settled'"),
  metric('payments', 'failed_payments, declines', rows('payment_id'), "@state = 'failed'"),
  metric('payments', 'paying_orders, paid_orders', ['COUNT(DISTINCT @order_id)'], "@state = 'settled'"),
  metric('refunds', 'refunded, refund_amount', ['SUM(@amount)']),
  metric('refunds', 'refunds, refund_count', rows('refund_id')),
  metric('refunds', 'average_refund, avg_refund', ['AVG(@amount)']),
  metric('employees', 'headcount, staff', rows('id')),
  metric('employees', 'payroll, wage_bill', ['SUM(@salary)']),
  metric('employees', 'average_salary, avg_pay', ['AVG(@salary)']),
  metric('tickets', 'tickets, ticket_count', rows('ticket_id')),
  metric('tickets', 'open_tickets, backlog', rows('ticket_id'), '@closed_at IS NULL'),
  metric('tickets', 'csat, satisfaction', ['AVG(@score)', 'AVG(@score * 1.0)']),
  metric('tickets', 'urgent_tickets, escalations', rows('ticket_id'), "@priority = 'urgent'"),
  metric('visits', 'visits, sessions', rows('visit_id')),
  metric('visits', 'visit_length, avg_seconds', ['AVG(@seconds)']),
  metric('visits', 'visitors, unique_visitors', ['COUNT(DISTINCT @customer_id)']),
  metric('shipments', 'shipped_weight, freight', ['SUM(@weight)']),
  metric('shipments', 'shipments, parcels', rows('shipment_id')),
];

export const FILTERS: readonly FilterDefinition[] = [
  { table: 'orders', condition: "@channel = 'online'", share: 0.2 },
  { table: 'customers', condition: "@segment = 'wholesale'", share: 0.2 },
  { table: 'stores', condition: "@format = 'flagship'", share: 0.2 },
];

export const SLICES: readonly SliceDefinition[] = [
  { column: 'customers.country', values: ['DE', 'FR', 'NO', 'US', 'IT', 'ES', 'PL'] },
  { column: 'regions.name', values: ['north', 'south', 'east', 'west', 'centre'] },
  { column: 'products.brand', values: ['Acme', 'Umbra', 'Kito', 'Vale', 'Oslo', 'Rond'] },
  { column: 'stores.city', values: ['Berlin', 'Paris', 'Rome', 'Lyon', 'Bergen'] },
  { column: 'payments.method', values: ['card', 'invoice', 'transfer', 'cash'] },
  { column: 'refunds.reason', values: ['broken', 'late', 'wrong size', 'other'] },
  { column: 'employees.role', values: ['clerk', 'manager', 'buyer', 'driver'] },
  { column: 'visits.source', values: ['ads', 'mail', 'search', 'direct'] },
  { column: 'shipments.carrier', values: ['Post', 'Swift', 'Bike', 'Truck'] },
  { column: 'customers.name', values: ['Ann Berg', 'Jo Lund', 'Kim Roe', 'Max Hall', 'Eva Dahl', 'Tom Vik'] },
];
