import { describe, expect, it } from 'vitest';
import { nameDatabases } from './name-databases.ts';

const loaded = { config: { databases: { 'my shop.db': './a.sqlite', 'shop.v2': './a.sqlite' } }, file: undefined };
const namesOf = (...written: readonly string[]) => nameDatabases(written, loaded);

describe('the name of a database', () => {
  it.each([
    ['shop.sqlite', 'shop', 'shop.sqlite'],
    ['./data/Umsätze 2024.sqlite', 'Umsätze-2024', './data/Umsätze 2024.sqlite'],
    ['sales=./a.sqlite', 'sales', './a.sqlite'],
    ['sales=postgres://host/db?a=b', 'sales', 'postgres://host/db?a=b'],
    ['postgres://ann:secret@host:5432/people?sslmode=require', 'people', expect.any(String)],
    ['./a=b.sqlite', 'a-b', './a=b.sqlite'],
    ['my shop.db', 'my-shop', 'my shop.db'],
    ['shop.v2', 'shop.v2', 'shop.v2'],
    ['C:\\data\\shop.sqlite', 'shop', 'C:\\data\\shop.sqlite'],
    ['postgres://host/', 'host', 'postgres://host/'],
    ['...', 'database', '...'],
    [`${'x'.repeat(60)}.sqlite`, 'x'.repeat(40), expect.any(String)],
    [`x${'𐐀'.repeat(60)}.sqlite`, `x${'𐐀'.repeat(39)}`, expect.any(String)],
  ])('%s is %s', (written, name, address) => {
    expect(namesOf(written)).toEqual([{ name, address }]);
  });

  it('is had by one database alone; the error shows no password', () => {
    expect(() => namesOf('a/shop.sqlite', 'postgres://ann:s3cret@host/shop')).toThrow(
      /Two databases are called `shop`: a\/shop\.sqlite and postgres:\/\/\[redacted\]@host\/shop\. .*other=/,
    );
    expect(namesOf('a/shop.sqlite', 'old=b/shop.sqlite').map(({ name }) => name)).toEqual(['shop', 'old']);
  });
});
