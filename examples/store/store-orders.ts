import type { SeededRandom } from './random.ts';
import { type Cell, type Customer, dateText, LAST_DAY, type Product, type StoreBase, timeText } from './store-rows.ts';
import { JOBS, RETURN_REASONS, REVIEW_COMMENTS, TICKET_SUBJECTS } from './word-lists.ts';

/** Orders of the last days are still on their way. */
const PENDING_DAYS = 6;
const SHIPPED_DAYS = 16;

interface Movements {
  readonly orders: Cell[][];
  readonly items: Cell[][];
  readonly payments: Cell[][];
  readonly returns: Cell[][];
  readonly reviews: Map<string, Cell[]>;
}

/** Adds what customers did between 2022 and 2024. */
export function addMovements({ random, tables, products, customers }: StoreBase): void {
  const moves: Movements = { orders: [], items: [], payments: [], returns: [], reviews: new Map() };
  for (const { customer, day } of orderDays(random, customers)) addOrder(random, products, moves, customer, day);
  tables.set('order', {
    columns: ['order_id', 'customer_id', 'employee_id', 'ordered_at', 'shipped_at', 'status', 'total_amount'],
    rows: moves.orders,
  });
  tables.set('order_items', {
    columns: ['order_id', 'line_number', 'product_id', 'quantity', 'unit_price', 'discount'],
    rows: moves.items,
  });
  tables.set('payments', {
    columns: ['payment_id', 'order_id', 'paid_at', 'method', 'amount'],
    rows: moves.payments,
  });
  tables.set('returns', {
    columns: ['return_id', 'order_id', 'line_number', 'returned_on', 'reason'],
    rows: moves.returns,
  });
  tables.set('reviews', {
    columns: ['customer_id', 'product_id', 'rating', 'comment', 'written_on'],
    rows: [...moves.reviews.values()],
  });
  tables.set('Support Ticket', {
    columns: ['Ticket ID', 'Customer ID', 'Handled By', 'Subject', 'Priority', 'Opened At', 'Closed At'],
    rows: ticketRows(random, customers),
  });
}

/** Who orders when, in the order of time. About one customer in eight never orders. */
function orderDays(
  random: SeededRandom,
  customers: readonly Customer[],
): { readonly customer: Customer; readonly day: number }[] {
  const found: { customer: Customer; day: number }[] = [];
  for (const customer of customers) {
    const count = customer.regular ? random.integer(11, 19) : random.chance(0.13) ? 0 : random.integer(1, 6);
    const from = Math.max(customer.signedUpOn, LAST_DAY - 3 * 365);
    const to = customer.regular ? LAST_DAY - SHIPPED_DAYS - 1 : LAST_DAY;
    for (let order = 0; order < count; order += 1) found.push({ customer, day: random.integer(from, to) });
  }
  return found.sort((a, b) => a.day - b.day || a.customer.id - b.customer.id);
}

function addOrder(
  random: SeededRandom,
  products: readonly Product[],
  moves: Movements,
  customer: Customer,
  day: number,
): void {
  const orderId = moves.orders.length + 1;
  const age = LAST_DAY - day;
  const cancelled = !customer.regular && random.chance(0.07);
  const status = cancelled
    ? 'cancelled'
    : age < PENDING_DAYS
      ? 'pending'
      : age < SHIPPED_DAYS
        ? 'shipped'
        : 'delivered';
  const orderedAt = timeText(random, day);
  const shippedAt =
    status === 'pending' || status === 'cancelled' ? null : timeText(random, day + random.integer(1, 4));
  const bought = chooseProducts(random, products, day, customer.regular ? 5 : 4);
  let total = 0;
  for (const [index, product] of bought.entries()) {
    const quantity = random.chance(0.65) ? 1 : random.integer(2, 5);
    const unitPrice = random.chance(0.2) ? Math.max(0.25, product.price - random.integer(1, 8) / 4) : product.price;
    const discount = random.chance(0.15) ? Math.floor(quantity * unitPrice * 0.4) / 4 : 0;
    total += quantity * unitPrice - discount;
    moves.items.push([orderId, index + 1, product.id, quantity, unitPrice, discount]);
    if (status === 'delivered') addAftermath(random, moves, customer, product, orderId, index + 1, day);
  }
  const employeeId = random.chance(0.3) ? random.pick([5, 6, 7, 8]) : null;
  moves.orders.push([orderId, customer.id, employeeId, orderedAt, shippedAt, status, total]);
  if (status === 'shipped' || status === 'delivered') addPayments(random, moves, orderId, day, total);
}

function chooseProducts(random: SeededRandom, products: readonly Product[], day: number, most: number): Product[] {
  const chosen = new Set<Product>();
  const count = random.integer(1, most);
  while (chosen.size < count) {
    // The product of two draws prefers the beginning of the list: some articles sell better than others.
    const index = Math.floor(random.next() * random.next() * products.length);
    const product = products[(index * 53) % products.length];
    if (product !== undefined && product.launchedOn <= day) chosen.add(product);
  }
  return [...chosen];
}

/** A review or a return of what was delivered. */
function addAftermath(
  random: SeededRandom,
  moves: Movements,
  customer: Customer,
  product: Product,
  orderId: number,
  line: number,
  day: number,
): void {
  const later = Math.min(LAST_DAY, day + random.integer(5, 40));
  const key = `${customer.id}/${product.id}`;
  if (random.chance(0.24) && !moves.reviews.has(key)) {
    const rating = Math.min(5, Math.max(1, product.quality + random.integer(-1, 1)));
    const comment = random.chance(0.3) ? null : random.pick(REVIEW_COMMENTS[rating - 1] ?? []);
    moves.reviews.set(key, [customer.id, product.id, rating, comment, dateText(later)]);
  }
  if (!customer.regular && random.chance(0.05)) {
    const reason = random.chance(0.2) ? null : random.pick(RETURN_REASONS);
    moves.returns.push([moves.returns.length + 1, orderId, line, dateText(later), reason]);
  }
}

/** One payment of everything, or two that add up to it. */
function addPayments(random: SeededRandom, moves: Movements, orderId: number, day: number, total: number): void {
  const first = random.chance(0.08) && total > 20 ? Math.floor(total / 2) : total;
  const method = random.pick(['card', 'card', 'card', 'bank transfer', 'invoice']);
  moves.payments.push([moves.payments.length + 1, orderId, timeText(random, day), method, first]);
  if (first === total) return;
  moves.payments.push([moves.payments.length + 1, orderId, timeText(random, day + 1), 'gift card', total - first]);
}

function ticketRows(random: SeededRandom, customers: readonly Customer[]): Cell[][] {
  const agents = JOBS.flatMap(([title], index) => (title.endsWith('Support Agent') ? [index + 1] : []));
  const rows: Cell[][] = [];
  for (let id = 1; id <= 160; id += 1) {
    const customer = random.pick(customers);
    const day = random.integer(Math.max(customer.signedUpOn, LAST_DAY - 3 * 365), LAST_DAY);
    const open = random.chance(LAST_DAY - day < 60 ? 0.6 : 0.04);
    rows.push([
      id,
      customer.id,
      open && random.chance(0.5) ? null : random.pick(agents),
      random.pick(TICKET_SUBJECTS),
      random.pick(['low', 'normal', 'normal', 'high']),
      timeText(random, day),
      open ? null : timeText(random, day + random.integer(1, 12)),
    ]);
  }
  return rows;
}
