import { caseOf, given, planOf } from './run-fixture.ts';

/** For tests: a shop whose customers place orders that contain products. */
export const SHOP = {
  Customer: { attributes: ['Customer ID NUMERIC', 'Name', 'Email unique'], key: ['Customer ID'] },
  Order: {
    attributes: ['Order ID NUMERIC', 'Order Date DATETIME', 'Total NUMERIC', 'Paid BOOL', 'Customer ID NUMERIC'],
    key: ['Order ID'],
    references: ['Customer ID > Customer: Customer ID'],
    absorbed: ['Places'],
  },
  Product: { attributes: ['SKU', 'Price NUMERIC'], key: ['SKU'] },
  Contains: {
    attributes: ['Order ID NUMERIC', 'SKU', 'Quantity NUMERIC'],
    key: ['Order ID', 'SKU'],
    references: ['Order ID > Order: Order ID', 'SKU > Product: SKU'],
    kind: 'relationship' as const,
  },
};

export const ANN = given('customer', ['customer_id', 1], ['name', 'Ann'], ['Email', 'ann@x']);
export const ORDER = given(
  'orders',
  ['Order ID', 10],
  ['Order Date', '2024-01-02T08:30:00Z'],
  ['Total', '9.5'],
  ['Paid', 'true'],
  ['Customer', 1],
);

export const SHOP_PLAN = planOf(
  {
    // The order refers to a customer that is written behind it.
    given: [ORDER, ANN, given('Product', ['SKU', 'A'], ['Price', 2])],
    cases: [
      caseOf(
        'insert',
        'Contains',
        {
          values: [
            ['Order', 10],
            ['Product', 'A'],
            ['Quantity', 3],
          ],
        },
        'accepted',
      ),
      caseOf(
        'insert',
        'Contains',
        {
          values: [
            ['Order', 10],
            ['SKU', 'A'],
            ['Quantity', 4],
          ],
        },
        'entity integrity',
      ),
      caseOf(
        'insert',
        'Contains',
        {
          values: [
            ['Order', 10],
            ['SKU', null],
            ['Quantity', 4],
          ],
        },
        'entity integrity',
      ),
      caseOf(
        'insert',
        'Contains',
        {
          values: [
            ['Order', 99],
            ['SKU', 'A'],
            ['Quantity', 4],
          ],
        },
        'referential integrity',
      ),
      caseOf(
        'insert',
        'Customer',
        {
          values: [
            ['Customer ID', 2],
            ['Email', 'ann@x'],
          ],
        },
        'unique',
      ),
      caseOf('delete', 'Product', { where: [['SKU', 'A']] }, 'referential integrity'),
      caseOf(
        'update',
        'Contains',
        {
          values: [['Quantity', 5]],
          where: [
            ['Order Date', '2024-01-02 08:30:00'],
            ['SKU', 'A'],
          ],
        },
        'accepted',
      ),
      caseOf('query', 'Contains', { values: [['Quantity', null]], where: [['Customer Name', 'Ann']] }, [
        [
          ['Name', 'Ann'],
          ['quantity', 5.0],
          ['Order Date', '2024-01-02 08:30'],
          ['Total', 9.5],
          ['Paid', true],
        ],
      ]),
      caseOf('delete', 'Contains', { where: [['Quantity', 5]] }, 'accepted'),
      caseOf('query', 'Contains', { values: [['Quantity', null]] }, []),
    ],
  },
  {
    given: [ANN],
    cases: [
      caseOf(
        'insert',
        'Order',
        {
          values: [
            ['Order ID', 10],
            ['Order Date', '2024-01-02'],
          ],
        },
        'accepted',
      ),
      caseOf(
        'insert',
        'places',
        {
          values: [
            ['Order', 10],
            ['Customer', 1],
          ],
        },
        'accepted',
      ),
      caseOf('query', 'Places', { values: [['Order ID', null]] }, [
        [
          ['Order ID', 10],
          ['Name', 'Ann'],
          ['Order Date', '2024-01-02T00:00:00'],
        ],
      ]),
      caseOf('update', 'Order', { values: [['Total', 7]], where: [['Customer Name', 'Ann']] }, 'accepted'),
      caseOf('delete', 'Places', { where: [['Order ID', 10]] }, 'accepted'),
      caseOf('query', 'Places', { values: [['Order ID', null]] }, []),
      caseOf('query', 'Order', { values: [] }, [
        [
          ['Order ID', 10],
          ['Total', 7],
          ['Customer ID', null],
        ],
      ]),
    ],
  },
);
