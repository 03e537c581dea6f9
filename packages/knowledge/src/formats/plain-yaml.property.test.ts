import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDocument, stringify } from 'yaml';
import { readPlainJson, readPlainYaml } from './plain-yaml.ts';

const MODEL = `# A model
version: 0.2.0.dev0
name: shop
datasets:
  - name: orders   # one row an order
    source: "main.\\u006frders"
    primary_key: [id, 'it''s']
    unique_keys: [[a, b], [c]]
    fields:
      - name: amount
        expression: { dialects: [{ dialect: ANSI_SQL, expression: "a: b" }, { dialect: X, expression: a + b }] }
        description: |
          Without tax.
            - indented

          # no comment
        dimension: {}
        label: 2024-01-01
        empty:
      - name: b
        size: -12.50
        yes: no
    other: # said below
    - 1
    - true
    -
      a: ~
  - - x
    - y
custom_extensions:
  - vendor_name: ASKEMA
    data: |-
      {
        "unit": "USD"
      }
`;

/** What the complete reader makes of it; undefined where it finds something wrong. */
function whole(text: string): unknown {
  const document = parseDocument(text, { merge: true, stringKeys: true });
  return document.errors.length + document.warnings.length > 0 ? undefined : document.toJS();
}

describe('readPlainYaml', () => {
  it('reads a model without help', () => {
    const plain = readPlainYaml(MODEL);
    expect(plain?.value).toEqual(whole(MODEL));
    const model = plain?.value as { datasets: { fields: object[]; unique_keys: object }[] } | undefined;
    const orders = model?.datasets[0];
    expect(
      [orders, orders?.fields, orders?.fields[1], orders?.unique_keys].map((each) => plain?.lines?.get(each as object)),
    ).toEqual([5, 10, 20, 8]);
  });

  it('reads what the complete reader reads, or nothing', () => {
    const pieces = fc.constantFrom(
      ...['\n', ' ', '  ', '- ', ': ', ':', '#', ' #', '"', "'", '[', ']', '{', '}', ',', '|', '|-', '>', '&a', '*a'],
      ...[
        '!x',
        '?',
        '~',
        '<<: ',
        '---',
        '...',
        '%',
        '0x1',
        '1e3',
        '.5',
        '+1',
        '-',
        '007',
        'null',
        'a',
        'key: ',
        '\\',
        '\t',
      ],
    );
    const edits = fc.array(fc.tuple(fc.nat(MODEL.length), fc.nat(3), pieces), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(edits, (all) => {
        const text = all.reduce((sum, [at, cut, piece]) => sum.slice(0, at) + piece + sum.slice(at + cut), MODEL);
        const plain = readPlainYaml(text);
        if (plain !== undefined) expect(plain.value).toEqual(whole(text));
      }),
      { numRuns: 500 },
    );
  });

  it('reads small texts as the complete reader does, or not', () => {
    const piece = fc.constantFrom(
      'a',
      'b: ',
      '- ',
      '\n',
      '\n  ',
      '\n    ',
      'c:',
      '1',
      ' # x',
      '"q"',
      "'",
      '[',
      ']',
      '{',
      '}',
      ', ',
      '|',
      ' ',
      'null',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
        const plain = readPlainYaml(pieces.join(''));
        if (plain !== undefined) expect(plain.value).toEqual(whole(pieces.join('')));
      }),
      { numRuns: 3_000 },
    );
  });

  it('reads what is written by a tool', () => {
    const key = fc.stringMatching(/^[a-z_]{1,6}$/);
    const leaf = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null), fc.double({ noNaN: true }));
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(key, tie('value')),
      ),
    }));
    fc.assert(
      fc.property(fc.dictionary(key, value, { minKeys: 1 }), (data) => {
        const text = stringify(data, { lineWidth: 0 });
        const plain = readPlainYaml(text);
        if (plain !== undefined) expect(plain.value).toEqual(whole(text));
        expect(readPlainJson(JSON.stringify(data))?.value).toEqual(JSON.parse(JSON.stringify(data)));
      }),
      { numRuns: 300 },
    );
  });

  it('leaves JSON with a key that stands twice to the complete reader', () => {
    expect(readPlainJson('{"a": {"b": 1, "b": 2}}')).toBeUndefined();
    expect(readPlainJson('{"a": "b\\": 1", "c": []}')?.value).toEqual({ a: 'b": 1', c: [] });
  });
});
