import fc from 'fast-check';
import { moved } from '../plain-calendar.ts';
import type { Cell, PlainColumn, PlainLink, PlainTable, Row } from '../plain-star.ts';

/** Names that a star draws its words from: some are keywords, some stand in several tables. */
const WORDS = ['north', "O'Brien", 'say "x"', 'North', 'a%b_c', '', 'Zürich', '\\ back', 'null'] as const;

const number = (name: string): PlainColumn => ({ name, type: 'integer' });
const text = (name: string, field?: string): PlainColumn => ({ name, type: 'text', ...(field ? { field } : {}) });

/** A dimension, and for some another behind it. */
const LOOKUPS: readonly { readonly name: string; readonly columns: readonly PlainColumn[]; readonly to?: string }[] = [
  { name: 'area', columns: [number('area_id'), text('name'), text('order', 'grouping')] },
  {
    name: 'shop',
    columns: [number('shop_id'), text('name'), number('area_id'), { name: 'opened', type: 'date' }],
    to: 'area',
  },
  { name: 'item', columns: [number('item_id'), text('name'), text('kind'), { name: 'is_new', type: 'boolean' }] },
  { name: 'client', columns: [number('client_id'), text('name'), number('area_no')] },
];
const FACTS = ['sale', 'visit', 'claim'] as const;
/** Which dimensions each fact has: `shop` is shared by all, the others by some. */
const FACT_LINKS: Readonly<Record<(typeof FACTS)[number], readonly string[]>> = {
  sale: ['shop', 'item', 'client'],
  visit: ['shop', 'item'],
  claim: ['shop', 'client'],
};

export const cellOf = (type: PlainColumn['type']): fc.Arbitrary<Cell> => {
  switch (type) {
    case 'integer':
      return fc.integer({ min: -20, max: 40 });
    case 'decimal':
      return fc.integer({ min: -2_000, max: 9_000 }).map((value) => value / 100);
    case 'text':
      return fc.constantFrom(...WORDS);
    case 'boolean':
      return fc.boolean();
    default: {
      const day = fc
        .oneof(
          { weight: 8, arbitrary: fc.integer({ min: 0, max: 480 }) },
          // Ends of months and of years, and days around the leap day.
          { weight: 3, arbitrary: fc.constantFrom(30, 59, 60, 61, 364, 365, 366, 395, 0) },
        )
        .map((days) => moved('2023-12-31', days, 'day'));
      return type === 'date'
        ? day
        : fc.tuple(day, fc.constantFrom('00:00:00', '08:15:30', '23:59:59')).map(([one, time]) => `${one} ${time}`);
    }
  }
};

/** NULL, a row that is there, or one that is not. */
const keyOf = (target: readonly Row[], key: string): fc.Arbitrary<Cell> =>
  fc.oneof(
    { weight: 1, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.constant(99) },
    ...(target.length === 0
      ? []
      : [{ weight: 8, arbitrary: fc.constantFrom(...target.map((row) => row[key] ?? null)) }]),
  );

const orNull = (cell: fc.Arbitrary<Cell>): fc.Arbitrary<Cell> =>
  fc.oneof({ weight: 1, arbitrary: fc.constant(null) }, { weight: 7, arbitrary: cell });

function tableRows(
  columns: readonly PlainColumn[],
  key: string,
  keys: Readonly<Record<string, fc.Arbitrary<Cell>>>,
  maxLength: number,
): fc.Arbitrary<readonly Row[]> {
  const cells = Object.fromEntries(
    columns.filter(({ name }) => name !== key).map(({ name, type }) => [name, keys[name] ?? orNull(cellOf(type))]),
  );
  return fc
    .oneof(
      { weight: 1, arbitrary: fc.constant([]) },
      { weight: 8, arbitrary: fc.array(fc.record(cells), { minLength: Math.ceil(maxLength / 2), maxLength }) },
    )
    .map((rows) => rows.map((row, at): Row => ({ [key]: at + 1, ...row })));
}

/** A star without metrics. */
export interface Tables {
  readonly tables: readonly PlainTable[];
  readonly links: readonly PlainLink[];
}

function lookups(): fc.Arbitrary<Tables> {
  return LOOKUPS.reduce<fc.Arbitrary<Tables>>(
    (before, { name, columns, to }) =>
      before.chain(({ tables, links }) => {
        const key = `${name}_id`;
        const target = tables.find((table) => table.name === to);
        const keys: Record<string, fc.Arbitrary<Cell>> = target === undefined
          ? {}
          : { [`${to}_id`]: keyOf(target.rows, `${to}_id`) };
        return tableRows(columns, key, keys, 5).map((rows) => ({
          tables: [...tables, { name, key, columns, rows, ...(name === 'shop' ? { time: 'opened' } : {}) }],
          links: to === undefined ? links : [...links, { from: name, column: `${to}_id`, to, toColumn: `${to}_id` }],
        }));
      }),
    fc.constant({ tables: [], links: [] }),
  );
}

function facts({ tables, links }: Tables): fc.Arbitrary<Tables> {
  return fc.uniqueArray(fc.constantFrom(...FACTS), { minLength: 1, maxLength: 3 }).chain((names) =>
    fc.tuple(...names.map((name) => fact(name, tables))).map((made) => ({
      tables: [...tables, ...made],
      links: [
        ...links,
        ...names.flatMap((name) =>
          FACT_LINKS[name].map((to) => ({ from: name, column: `${to}_id`, to, toColumn: `${to}_id` })),
        ),
      ],
    })),
  );
}

function fact(name: (typeof FACTS)[number], tables: readonly PlainTable[]): fc.Arbitrary<PlainTable> {
  const key = `${name}_id`;
  const columns: readonly PlainColumn[] = [
    number(key),
    ...FACT_LINKS[name].map((to) => number(`${to}_id`)),
    { name: 'made_at', field: 'made', type: name === 'visit' ? 'timestamp' : 'date' },
    { name: 'amount', type: 'decimal' },
    number('pieces'),
    text('kind'),
  ];
  const keys = Object.fromEntries(
    FACT_LINKS[name].map((to) => [
      `${to}_id`,
      keyOf(tables.find((table) => table.name === to)?.rows ?? [], `${to}_id`),
    ]),
  );
  return fc.tuple(tableRows(columns, key, keys, 25), fc.boolean()).map(([rows, isFiltered]) => ({
    name,
    source: `${name}s`,
    key,
    time: 'made',
    columns,
    rows,
    ...(isFiltered ? { filter: { field: `${name}.kind`, test: '<>' as const, values: ['north'] } } : {}),
  }));
}
/** Between one and three facts with shared and own dimensions, one of them behind another. */
export function randomTables(): fc.Arbitrary<Tables> {
  return lookups().chain(facts);
}

export function isFact(table: string): boolean {
  return FACTS.some((fact) => fact === table);
}
