import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomSchema } from '../ddl/random-schema.ts';
import { catalogFromText, schemaFromText } from '../ddl/schema-text-fixture.ts';
import { writeMermaid } from './write-mermaid.ts';

/** What a line of Mermaid's erDiagram can be, as its documentation has it. */
const NAME = '[A-Za-z_\\u00c0-\\uffff][A-Za-z0-9_\\u00c0-\\uffff]*';
const TEXT = '"(?:[^"%\\\\#\\n\\r;]|#\\d+;)+"';
const LINES: readonly RegExp[] = [
  /^erDiagram$/,
  new RegExp(`^ {2}(?<entity>${NAME})(?:\\[${TEXT}\\])?(?: \\{)?$`),
  new RegExp(
    `^ {4}(?:NUMERIC|TEXT|DATETIME|BINARY|BOOL) (?<attribute>${NAME})(?: (?:PK|FK|UK)(?:, (?:FK|UK))*)?(?: ${TEXT})?$`,
  ),
  /^ {2}\}$/,
  new RegExp(`^ {2}(?<target>${NAME}) (?:\\|\\||\\|o)(?:--|\\.\\.)(?:o\\{|o\\|) (?<own>${NAME}) : ${TEXT}$`),
];

describe('writeMermaid', () => {
  it('draws keys, cardinalities and identifying relationships', () => {
    const schema = schemaFromText(`
      customers: id NUMERIC key, email TEXT unique
      orders: id NUMERIC key, customer NUMERIC not null > customers.id, payer NUMERIC > customers.id
      lines: order NUMERIC key > orders.id, line NUMERIC key
      profiles: customer NUMERIC key > customers.id
    `);
    expect(writeMermaid(schema)).toMatchInlineSnapshot(`
      "erDiagram
        customers {
          NUMERIC id PK
          TEXT email UK
        }
        orders {
          NUMERIC id PK
          NUMERIC customer FK
          NUMERIC payer FK
        }
        lines {
          NUMERIC order PK, FK
          NUMERIC line PK
        }
        profiles {
          NUMERIC customer PK, FK
        }
        customers ||..o{ orders : "customer"
        customers |o..o{ orders : "payer"
        orders ||--o{ lines : "order"
        customers ||--o| profiles : "customer"
      "
    `);
  });

  it('gives names that Mermaid cannot take an alias, and shows the name itself', () => {
    const schema = schemaFromText(
      'Order "Line": a%b TEXT, PK TEXT, a b TEXT\n Order_-Line-: 名前 TEXT\n end: x TEXT > Order_-Line-.名前',
    );
    expect(writeMermaid(schema).split('\n')).toEqual([
      'erDiagram',
      '  Order__Line_["Order #34;Line#34;"] {',
      '    TEXT a_b "a#37;b"',
      '    TEXT PK_ "PK"',
      '    TEXT a_b_2 "a b"',
      '  }',
      '  Order__Line__2["Order_-Line-"] {',
      '    TEXT 名前',
      '  }',
      '  end_["end"] {',
      '    TEXT x FK',
      '  }',
      '  Order__Line__2 |o..o{ end_ : "x"',
      '',
    ]);
  });

  it('shows qualified names of a catalog, and leaves out what refers to nothing', () => {
    const catalog = catalogFromText('sales/t: id NUMERIC key > gone.id');
    expect(writeMermaid(catalog)).toBe(
      'erDiagram\n  sales_t["sales.t"] {\n    NUMERIC id PK, FK\n  }\n  %% left out: sales.t (id) references gone\n',
    );
  });

  it('writes only lines that Mermaid knows, with as many names as there are, whatever the names', () => {
    fc.assert(
      fc.property(randomSchema, (schema) => {
        const lines = writeMermaid(schema).trimEnd().split('\n');
        const groups = lines.map(
          (line) => LINES.map((pattern) => pattern.exec(line)).find((match) => match !== null)?.groups,
        );
        expect(lines.filter((line) => !LINES.some((pattern) => pattern.test(line)))).toEqual([]);
        const entities = groups.flatMap((group) => group?.entity?.toLowerCase() ?? []);
        expect(new Set(entities).size).toBe(schema.relations.length);
        expect(groups.filter((group) => group?.attribute !== undefined)).toHaveLength(schema.attributes.length);
        for (const group of groups.filter((found) => found?.own !== undefined))
          expect([
            entities.includes(group!.own!.toLowerCase()),
            entities.includes(group!.target!.toLowerCase()),
          ]).toEqual([true, true]);
        expect(groups.filter((group) => group?.own !== undefined)).toHaveLength(schema.foreignKeys.length);
      }),
      { numRuns: 200 },
    );
  });

  it('lets no label become a statement', () => {
    expect(writeMermaid(schemaFromText('go direction  LR now: x TEXT'))).toContain('["go direction#32;LR now"]');
  });
});
