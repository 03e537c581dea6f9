import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../../run-cli.ts';
import { memoryHost } from '../../testing/memory-host.ts';
import { type TemporaryProject, temporaryProject } from '../../testing/temporary-project.ts';
import { unsafeCharacters } from '../../testing/unsafe-characters.ts';

/** Lines of an order repeat the price of their article, but for one; its article is its reference too, but for one. */
const ORDERS = `
  PRAGMA foreign_keys = OFF;
  CREATE TABLE article (id INTEGER PRIMARY KEY, title TEXT NOT NULL);
  CREATE TABLE line (order_no INTEGER, position INTEGER, article_id INTEGER REFERENCES article (id), price NUMERIC, PRIMARY KEY (order_no, position));
  CREATE TABLE note (order_no INTEGER, position INTEGER, text TEXT, FOREIGN KEY (order_no, position) REFERENCES line (order_no, position));
  WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 20) INSERT INTO article SELECT x, 'Article ' || x FROM n;
  WITH RECURSIVE n(x) AS (SELECT 0 UNION ALL SELECT x + 1 FROM n WHERE x < 399)
  INSERT INTO line SELECT x / 4, x % 4, 1 + x * 7 % 19, 1.5 * (1 + x * 7 % 19 % 9) FROM n;
  UPDATE line SET price = 99 WHERE order_no = 3 AND position = 2;
  UPDATE line SET article_id = 77 WHERE order_no = 5 AND position = 0;
  UPDATE line SET position = NULL WHERE order_no = 6 AND position = 1;
  INSERT INTO note VALUES (1, 1, 'fine'), (1, 9, 'lost'), (1, NULL, 'not asked');
`;

const HOSTILE = `
  CREATE TABLE "a\u001b[2Jb\u202e" ("c\u0007, d" TEXT, " " TEXT, "\`x\`" TEXT);
  WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 200)
  INSERT INTO "a\u001b[2Jb\u202e" SELECT x % 7, char(27) || '[31m' || (x % 7) || char(8238) || hex(zeroblob(2000)), x FROM n;
  UPDATE "a\u001b[2Jb\u202e" SET " " = char(7) || 'other' WHERE "\`x\`" = '50';
`;

let project: TemporaryProject;
beforeAll(() => {
  project = temporaryProject();
  project.database('orders.sqlite', ORDERS);
  project.database('hostile.sqlite', HOSTILE);
  project.database(
    'plain.sqlite',
    `CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT); CREATE TABLE sale (customer_id INT, x INT, y INT REFERENCES gone (id));
     CREATE VIEW v AS SELECT * FROM customer;`,
  );
  project.database(
    'wide.sqlite',
    `CREATE TABLE wide (id INTEGER PRIMARY KEY, ${Array.from({ length: 34 }, (_, at) => `c${at} INT`).join(', ')}, b BLOB);
     WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 3000)
     INSERT INTO wide SELECT x, ${Array.from({ length: 34 }, (_, at) => `x * ${at + 3} % ${at + 20}`).join(', ')}, NULL FROM n;`,
  );
});
afterAll(() => project.remove());

async function check(parameters: readonly string[], columns?: number) {
  const host = memoryHost({ cwd: project.folder, ...(columns === undefined ? {} : { columns }) });
  const code = await runCli(['schema', ...parameters], host);
  return { code, ...host.written };
}

interface Found {
  readonly code: string;
  readonly severity: string;
  readonly message: string;
  readonly [key: string]: unknown;
}
interface Table {
  readonly name: string;
  readonly keys: unknown;
  readonly form?: string;
  readonly findings: readonly Found[];
  readonly rows?: Record<string, unknown>;
}

async function tables(parameters: readonly string[]): Promise<Readonly<Record<string, Table>>> {
  const { stdout } = await check([...parameters, '--format', 'json']);
  const document = JSON.parse(stdout) as { readonly tables: readonly Table[] };
  return Object.fromEntries(document.tables.map((table) => [table.name, table]));
}

describe('askema schema --check', () => {
  it('reads the catalog alone, and says how little that tells', async () => {
    const { code, stdout, stderr } = await check(['plain.sqlite', '--check']);
    expect(code).toBe(1);
    expect(stdout).toContain(
      'customer 0 rows\n  keys         (id)\n  normal form  BCNF, as far as the catalog tells\n',
    );
    expect(stdout).toContain(
      'sale 0 rows\n  keys         none declared\n  normal form  without a key there is none to speak of\n',
    );
    expect(stdout).toMatch(
      /error: `sale`: foreign key \(y\) to gone: its target does not exist.*\[foreign-key-without-target\]/,
    );
    expect(stdout).toMatch(/note: `customer_id` of `sale` is named like a reference to `customer`\.`id`/);
    expect(stderr).toMatch(/^2 tables: 1 error, 1 warning, 1 note; 1 view not looked at\n.*--data looks at the rows/);
    expect(stdout).not.toContain('rows read');
  });

  it('exits with 0 where nothing is an error', async () => {
    expect((await check(['plain.sqlite', '--check', '--include', 'customer'])).code).toBe(0);
  });

  it('finds a dependency that one row breaks, and shows the row', async () => {
    const { line } = await tables(['orders.sqlite', '--check', '--data']);
    const suspected = line?.findings.filter(({ code }) => code === 'dependency-suspected');
    expect(suspected).toHaveLength(1);
    expect(suspected?.[0]).toMatchObject({
      severity: 'warning',
      suspects: [
        {
          left: ['article_id'],
          right: 'price',
          violations: 1,
          rows: 400,
          g3: 1 / 400,
          counterExample: {
            row: [
              { attribute: 'order_no', value: 3 },
              { attribute: 'position', value: 2 },
              { attribute: 'article_id', value: 4 },
              { attribute: 'price', value: 99 },
            ],
            usualCount: 20,
          },
        },
      ],
    });
    expect(line?.rows).toMatchObject({
      count: 400,
      whole: true,
      complete: true,
      ifRules: { verdict: { form: '2NF' }, key: ['order_no', 'position'], isKeyDeclared: true },
    });
  });

  it('finds rows that refer to nothing, by one attribute and by two, and NULL in a primary key', async () => {
    const { line, note } = await tables(['orders.sqlite', '--check', '--data']);
    const orphans = (table: Table | undefined) => table?.findings.filter(({ code }) => code === 'rows-without-target');
    expect(orphans(line)).toMatchObject([
      {
        severity: 'error',
        inclusion: {
          rows: 400,
          filled: 400,
          missing: 1,
          examples: [
            [
              { attribute: 'order_no', value: 5 },
              { attribute: 'position', value: 0 },
              { attribute: 'article_id', value: 77 },
            ],
          ],
        },
      },
    ]);
    expect(orphans(note)).toMatchObject([{ inclusion: { rows: 3, filled: 2, missing: 1 } }]);
    expect(line?.findings.find(({ code }) => code === 'key-part-null')).toMatchObject({
      severity: 'error',
      rows: [
        [
          { attribute: 'order_no', value: 6 },
          { attribute: 'position', value: null },
        ],
      ],
    });
  });

  it('says what was cut: rows, attributes, time', async () => {
    const { stdout } = await check(['wide.sqlite', '--check', '--data', '--max-rows', '1000']);
    expect(stdout).toContain('the first 1000 that the database gave: not drawn at random; 30 attributes');
    expect(stdout).toContain('left out, as there are so many: c29, c30, c31, c32, c33');
    expect(stdout).toContain('left out, as not every database compares them: b');
    const hurried = await check(['wide.sqlite', '--check', '--data', '--timeout', '1ms']);
    expect(hurried.code).toBe(0);
    expect(hurried.stdout + hurried.stderr).toMatch(/time ran out|no time was left|did not end|stopped/);
  });

  it('takes no names and no values for orders to the terminal, and cuts long ones', async () => {
    const { code, stdout, stderr } = await check(['hostile.sqlite', '--check', '--data']);
    expect(code).toBe(0);
    expect(unsafeCharacters(stdout + stderr, '\n')).toEqual([]);
    expect(stderr).not.toContain('not read');
    expect(stdout).toContain('nearly determines');
    expect(stdout).toMatch(/breaks it: .*'\\u\{7\}other'/);
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThan(500);
    const json = await check(['hostile.sqlite', '--check', '--data', '--format', 'json']);
    expect(unsafeCharacters(json.stdout, '\n')).toEqual([]);
  });

  it('shows on a terminal what it looks at', async () => {
    const { stderr } = await check(['orders.sqlite', '--check', '--data'], 100);
    expect(stderr).toMatch(/looking at line \(2 of 3\)/);
  });

  it('stops at Ctrl-C', async () => {
    const host = memoryHost({ cwd: project.folder, columns: 100 });
    const running = runCli(['schema', 'wide.sqlite', '--check', '--data'], host);
    while (!host.written.stderr.includes('looking at')) await new Promise((resolve) => setTimeout(resolve, 1));
    host.interrupt();
    expect(await running).toBe(130);
    expect(host.written.stdout).toBe('');
  });

  it.each<[readonly string[], RegExp]>([
    [['--data'], /--data goes with --check/],
    [['--check', '--max-rows', '5'], /--max-rows goes with --data/],
    [['--timeout', '5s'], /--timeout goes with --check/],
    [['--check', '--format', 'svg'], /--check is printed as text or json, not as svg/],
    [['--check', '--dialect', 'mysql'], /--dialect goes with --format/],
    [['--check', '--data', '--max-rows', 'many'], /--max-rows "many" must be a whole number/],
    [['--check', '--data', '--timeout', '5'], /--timeout "5" is no time/],
  ])('exits with 2 for %j', async (parameters, message) => {
    const { code, stderr } = await check(['plain.sqlite', ...parameters]);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });
});
