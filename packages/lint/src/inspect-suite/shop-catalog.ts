import type { Attribute, Catalog, DataType, DomainConstraint, ForeignKey, PrimaryKey, Relation } from '@askema/core';
import { attributeId, finishCatalog, foreignKeyId, relationId } from '@askema/core';

/** For tests: a relation in words. */
interface RelationWords {
  /** `name native type`, optionally followed by `not null` or `unique`. */
  readonly attributes: readonly string[];
  readonly key: readonly string[];
  /** `from, from > target: to, to` */
  readonly references?: readonly string[];
}

const SHOP: Readonly<Record<string, RelationWords>> = {
  customers: {
    attributes: [
      'customer_id INTEGER not null',
      'name TEXT not null',
      'email TEXT unique',
      'city TEXT',
      'country TEXT',
      'is_active BOOLEAN not null',
      'credit DECIMAL(10,2)',
      'signed_up DATE not null',
    ],
    key: ['customer_id'],
  },
  addresses: {
    attributes: [
      'address_id INTEGER not null',
      'customer_id INTEGER not null',
      'street TEXT',
      'city TEXT',
      'postal_code TEXT',
      'is_default BOOLEAN',
    ],
    key: ['address_id'],
    references: ['customer_id > customers: customer_id'],
  },
  employees: {
    attributes: [
      'employee_id INTEGER not null',
      'name TEXT not null',
      'title TEXT',
      'salary REAL',
      'hired_on DATE',
      'manager_id INTEGER',
    ],
    key: ['employee_id'],
    references: ['manager_id > employees: employee_id'],
  },
  products: {
    attributes: [
      'product_id INTEGER not null',
      'name TEXT not null',
      'category TEXT',
      'price DECIMAL(10,2) not null',
      'stock INTEGER not null',
      'discontinued BOOLEAN not null',
    ],
    key: ['product_id'],
  },
  tags: { attributes: ['tag_id INTEGER not null', 'label TEXT not null unique'], key: ['tag_id'] },
  // A bridge: nothing but the two keys that it connects.
  product_tags: {
    attributes: ['product_id INTEGER not null', 'tag_id INTEGER not null'],
    key: ['product_id', 'tag_id'],
    references: ['product_id > products: product_id', 'tag_id > tags: tag_id'],
  },
  orders: {
    attributes: [
      'order_id INTEGER not null',
      'customer_id INTEGER not null',
      'employee_id INTEGER',
      'shipping_address_id INTEGER',
      'ordered_at DATETIME not null',
      'status TEXT not null',
      'total DECIMAL(10,2)',
    ],
    key: ['order_id'],
    references: [
      'customer_id > customers: customer_id',
      'employee_id > employees: employee_id',
      'shipping_address_id > addresses: address_id',
    ],
  },
  order_items: {
    attributes: [
      'order_id INTEGER not null',
      'line_number INTEGER not null',
      'product_id INTEGER not null',
      'quantity INTEGER not null',
      'unit_price DECIMAL(10,2) not null',
      'discount REAL',
    ],
    key: ['order_id', 'line_number'],
    references: ['order_id > orders: order_id', 'product_id > products: product_id'],
  },
  returns: {
    attributes: [
      'return_id INTEGER not null',
      'order_id INTEGER not null',
      'line_number INTEGER not null',
      'reason TEXT',
      'returned_on DATE',
    ],
    key: ['return_id'],
    references: ['order_id, line_number > order_items: order_id, line_number'],
  },
};

const TYPES: Readonly<Record<string, DataType>> = {
  INTEGER: 'NUMERIC',
  REAL: 'NUMERIC',
  'DECIMAL(10,2)': 'NUMERIC',
  TEXT: 'TEXT',
  BOOLEAN: 'BOOL',
  DATE: 'DATETIME',
  DATETIME: 'DATETIME',
};

/**
 * For tests: a small shop with what joins can look like: a self reference (`employees.manager_id`), a bridge
 * (`product_tags`), a composite key (`order_items`) with a foreign key to it (`returns`), two ways between `orders` and
 * `customers` (direct, and by `addresses`), names that several relations have (`name`, `city`, `customer_id`).
 *
 * `parts` replace parts of the catalog.
 */
export function shopCatalog(parts: Partial<Omit<Catalog, 'fingerprint'>> = {}): Catalog {
  return catalogOf(SHOP, parts);
}

/** For tests: any catalog in words; see {@link shopCatalog}. Types besides those of the shop count as TEXT. */
export function catalogOf(
  words: Readonly<Record<string, RelationWords>>,
  parts: Partial<Omit<Catalog, 'fingerprint'>> = {},
): Catalog {
  const comparison = parts.nameComparison ?? 'insensitive';
  const schema = {
    relations: [] as Relation[],
    attributes: [] as Attribute[],
    primaryKeys: [] as PrimaryKey[],
    foreignKeys: [] as ForeignKey[],
    domainConstraints: [] as DomainConstraint[],
  };
  const relations: Record<string, Catalog['relations'][string]> = {};
  const attributes: Record<string, Catalog['attributes'][string]> = {};
  for (const [path, { attributes: texts, key, references = [] }] of Object.entries(words)) {
    const nameParts = path.split('.');
    const relation = relationId(nameParts, comparison);
    const [name = '', schemaName, database] = [...nameParts].reverse();
    schema.relations.push({ id: relation, name });
    relations[relation] = { nameParts: { relation: name, schema: schemaName, database }, kind: 'table' };
    for (const [position, text] of texts.entries()) {
      const [, column = '', nativeType = '', constraints = ''] =
        /^(\S+) (.+?)((?: not null| unique)*)$/.exec(text) ?? [];
      const id = attributeId(relation, column, comparison);
      schema.attributes.push({ id, relation, name: column, type: TYPES[nativeType] ?? 'TEXT' });
      attributes[id] = { position: position + 1, nativeType };
      for (const constraint of ['not null', 'unique'] as const)
        if (constraints.includes(constraint)) schema.domainConstraints.push({ attribute: id, constraint });
    }
    const inRelation = (column: string) => attributeId(relation, column, comparison);
    if (key.length > 0) schema.primaryKeys.push({ relation, attributes: key.map(inRelation) });
    for (const reference of references) {
      const [from = '', to = ''] = reference.split(' > ');
      const [target = '', names = ''] = to.split(': ');
      const targetId = relationId(target.split('.'), comparison);
      const targets = names.split(', ');
      const pairs = from.split(', ').map((column, at) => ({
        from: inRelation(column),
        to: attributeId(targetId, targets[at] ?? '', comparison),
      }));
      schema.foreignKeys.push({ id: foreignKeyId(relation, targetId, pairs), relation, target: targetId, pairs });
    }
  }
  return finishCatalog({
    schemaVersion: 1,
    dialect: 'sqlite',
    name: 'shop',
    nameComparison: comparison,
    schema,
    relations,
    attributes,
    uniqueKeys: [],
    checks: [],
    families: [],
    keyStanding: {},
    incomplete: [],
    ...parts,
  });
}
