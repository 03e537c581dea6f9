import { createHash } from 'node:crypto';
import { type Catalog, foreignKeyId } from '@askema/core';
import { catalogFixture, schemaFixture } from '@askema/testkit';
import { describe, expect, it } from 'vitest';
import { catalogFileText, parseCatalogFile, type StoredCatalog } from './catalog-file.ts';

const schema = schemaFixture({
  customer: { attributes: ['id NUMERIC', 'name TEXT'], key: ['id'] },
  orders: { attributes: ['id NUMERIC', 'customer_id NUMERIC'], key: ['id'] },
});
const catalog: Catalog = catalogFixture(schema);
const pairs = [{ from: 'orders#customer_id', to: 'customer#id' }];
const foreignKey = { id: foreignKeyId('orders', 'customer', pairs), relation: 'orders', target: 'customer', pairs };
const stored: StoredCatalog = {
  readAt: 1_000,
  structure: 's',
  data: 'd',
  catalog,
  drawn: {
    keys: [{ foreignKey, matchedShare: 1, valueCount: 3 }],
    samples: {
      limit: 3,
      values: {
        'customer#name': { values: ['Ada', '\ud800 half', null], isCut: false, isWhole: true },
        'customer#id': {
          values: [12345678901234567890n, 0.1, new Uint8Array([0, 255])],
          isCut: true,
          isWhole: false,
          range: [0.1, 12345678901234567890n],
        },
      },
    },
  },
};
const textOf = (key = 'key'): string => catalogFileText(key, stored) ?? '';
const parse = (text: string, key = 'key'): StoredCatalog | undefined => parseCatalogFile(key, Buffer.from(text));

describe('a file of a catalog', () => {
  it('gives back everything, values exactly', () => {
    expect(parse(textOf())).toEqual(stored);
  });

  it('is read for the key alone that it was written for', () => {
    expect(parse(textOf('of Ada'), 'of Bob')).toBeUndefined();
  });

  it('that is cut anywhere, or of which a character was changed, is none', () => {
    const text = textOf();
    for (let end = 0; end < text.length; end += 7) expect(parse(text.slice(0, end))).toBeUndefined();
    for (let at = 1; at < text.length; at += 7)
      expect(
        parse(`${text.slice(0, at)}${text[at] === 'x' ? 'y' : 'x'}${text.slice(at + 1)}`)?.catalog ?? catalog,
      ).toEqual(catalog);
  });

  /** With a digest that fits, as only this user could write it. */
  const forged = (change: (lines: [unknown, unknown]) => void): string => {
    const [, packed = '', drawn = ''] = textOf().split('\n');
    const lines: [Record<string, unknown>, Record<string, unknown>] = [JSON.parse(packed), JSON.parse(drawn)];
    change(lines as [unknown, unknown]);
    const body = `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`;
    const head = JSON.parse(textOf().split('\n')[0] ?? '') as { digest: string };
    head.digest = createHash('sha256').update(body).digest('hex');
    return `${JSON.stringify(head)}\n${body}`;
  };

  it.each([
    ['samples of an attribute that is not there', { samples: { limit: 3, values: [['customer#secret', ['x']]] } }],
    ['samples that are no list', { samples: { limit: 3, values: [['customer#name', 'x']] } }],
    ['samples without a limit', { samples: { values: [] } }],
    ['keys to nowhere', { keys: [{ foreignKey: { ...foreignKey, target: 'gone' }, matchedShare: 1, valueCount: 1 }] }],
    ['keys of another form', { keys: [null] }],
    ['a list', []],
    ['null', null],
  ])('with %s is none, or has none', (_what, drawn) => {
    const found = parse(forged((lines) => lines.splice(1, 1, drawn)));
    expect(found?.drawn ?? { keys: undefined, samples: undefined }).toEqual({ keys: undefined, samples: undefined });
  });

  it('adds nothing to what every object has', () => {
    const hostile = forged((lines) => {
      Object.defineProperty(lines[0], '__proto__', { value: { polluted: true }, enumerable: true });
      Object.defineProperty(lines[1], '__proto__', { value: { keys: [] }, enumerable: true });
    });
    expect(hostile).toContain('__proto__');
    parse(hostile);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});
