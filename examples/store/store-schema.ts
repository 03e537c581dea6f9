/**
 * The sample store. It has on purpose what real databases have: a reserved word as a table name, names with blanks and
 * capitals, composite keys, a foreign key of two columns, references of a table to itself, a generated column, a view,
 * NULLs and checks. All money is a multiple of 0.25, so that sums of REAL values are exact. The view casts, because
 * SQLite knows no type of an expression.
 */
export const STORE_SCHEMA = `
CREATE TABLE categories (
  category_id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  parent_id INTEGER REFERENCES categories (category_id)
);

CREATE TABLE suppliers (
  supplier_id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  city TEXT NOT NULL,
  country TEXT NOT NULL,
  email TEXT NOT NULL,
  partner_since DATE NOT NULL
);

CREATE TABLE products (
  product_id INTEGER PRIMARY KEY,
  "SKU" VARCHAR(12) NOT NULL UNIQUE,
  name TEXT NOT NULL UNIQUE,
  category_id INTEGER NOT NULL REFERENCES categories (category_id),
  supplier_id INTEGER NOT NULL REFERENCES suppliers (supplier_id),
  price DECIMAL(10, 2) NOT NULL CHECK (price > 0),
  weight_kg REAL,
  stock INTEGER NOT NULL DEFAULT 0 CHECK (stock >= 0),
  discontinued BOOLEAN NOT NULL DEFAULT 0 CHECK (discontinued IN (0, 1)),
  launched_on DATE NOT NULL
);

CREATE TABLE customers (
  customer_id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  email TEXT NOT NULL UNIQUE,
  city TEXT NOT NULL,
  country TEXT NOT NULL,
  birth_date DATE,
  signed_up_on DATE NOT NULL,
  loyalty_level TEXT CHECK (loyalty_level IN ('bronze', 'silver', 'gold')),
  newsletter BOOLEAN NOT NULL DEFAULT 0 CHECK (newsletter IN (0, 1))
);

CREATE TABLE employees (
  employee_id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  job_title TEXT NOT NULL,
  department TEXT NOT NULL,
  manager_id INTEGER REFERENCES employees (employee_id),
  hired_on DATE NOT NULL,
  salary DECIMAL(10, 2) NOT NULL CHECK (salary > 0)
);

CREATE TABLE "order" (
  order_id INTEGER PRIMARY KEY,
  customer_id INTEGER NOT NULL REFERENCES customers (customer_id),
  employee_id INTEGER REFERENCES employees (employee_id),
  ordered_at DATETIME NOT NULL,
  shipped_at DATETIME,
  status TEXT NOT NULL CHECK (status IN ('pending', 'shipped', 'delivered', 'cancelled')),
  total_amount DECIMAL(10, 2) NOT NULL,
  CHECK (shipped_at IS NULL OR shipped_at >= ordered_at)
);

CREATE TABLE order_items (
  order_id INTEGER NOT NULL REFERENCES "order" (order_id) ON DELETE CASCADE,
  line_number INTEGER NOT NULL,
  product_id INTEGER NOT NULL REFERENCES products (product_id),
  quantity INTEGER NOT NULL CHECK (quantity > 0),
  unit_price DECIMAL(10, 2) NOT NULL,
  discount DECIMAL(10, 2) NOT NULL DEFAULT 0,
  line_total DECIMAL(10, 2) GENERATED ALWAYS AS (quantity * unit_price - discount) STORED,
  PRIMARY KEY (order_id, line_number)
);

CREATE TABLE payments (
  payment_id INTEGER PRIMARY KEY,
  order_id INTEGER NOT NULL REFERENCES "order" (order_id),
  paid_at DATETIME NOT NULL,
  method TEXT NOT NULL CHECK (method IN ('card', 'bank transfer', 'gift card', 'invoice')),
  amount DECIMAL(10, 2) NOT NULL CHECK (amount > 0)
);

CREATE TABLE returns (
  return_id INTEGER PRIMARY KEY,
  order_id INTEGER NOT NULL,
  line_number INTEGER NOT NULL,
  returned_on DATE NOT NULL,
  reason TEXT,
  UNIQUE (order_id, line_number),
  FOREIGN KEY (order_id, line_number) REFERENCES order_items (order_id, line_number)
);

CREATE TABLE reviews (
  customer_id INTEGER NOT NULL REFERENCES customers (customer_id),
  product_id INTEGER NOT NULL REFERENCES products (product_id),
  rating INTEGER NOT NULL CHECK (rating BETWEEN 1 AND 5),
  comment TEXT,
  written_on DATE NOT NULL,
  PRIMARY KEY (customer_id, product_id)
);

CREATE TABLE "Support Ticket" (
  "Ticket ID" INTEGER PRIMARY KEY,
  "Customer ID" INTEGER NOT NULL REFERENCES customers (customer_id),
  "Handled By" INTEGER REFERENCES employees (employee_id),
  "Subject" TEXT NOT NULL,
  "Priority" TEXT NOT NULL CHECK ("Priority" IN ('low', 'normal', 'high')),
  "Opened At" DATETIME NOT NULL,
  "Closed At" DATETIME
);

CREATE INDEX products_by_category ON products (category_id);
CREATE INDEX orders_by_customer ON "order" (customer_id, ordered_at);
CREATE INDEX order_items_by_product ON order_items (product_id);
CREATE INDEX payments_by_order ON payments (order_id);
CREATE INDEX open_tickets ON "Support Ticket" ("Customer ID") WHERE "Closed At" IS NULL;

CREATE VIEW customer_totals AS
SELECT
  customers.customer_id,
  customers.name,
  CAST(COUNT("order".order_id) AS INTEGER) AS order_count,
  CAST(COALESCE(SUM("order".total_amount), 0) AS REAL) AS total_spent,
  MAX("order".ordered_at) AS last_order_at
FROM customers
LEFT JOIN "order" ON "order".customer_id = customers.customer_id AND "order".status <> 'cancelled'
GROUP BY customers.customer_id, customers.name;
`;
