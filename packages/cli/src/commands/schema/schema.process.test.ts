import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../../run-cli.ts';
import { memoryHost } from '../../testing/memory-host.ts';
import { SHOP_SQL, type TemporaryProject, temporaryProject } from '../../testing/temporary-project.ts';
import { unsafeCharacters } from '../../testing/unsafe-characters.ts';

let project: TemporaryProject;
beforeAll(() => {
  project = temporaryProject();
  project.database('shop.sqlite', SHOP_SQL);
  project.database('empty.sqlite', 'CREATE TABLE gone (a); DROP TABLE gone');
  project.database('hostile.sqlite', 'CREATE TABLE "a\u001b[2Jb\u202e" ("c\u0007" TEXT)');
});
afterAll(() => project.remove());

async function schema(parameters: readonly string[], columns?: number) {
  const host = memoryHost({ cwd: project.folder, ...(columns === undefined ? {} : { columns }) });
  const code = await runCli(['schema', ...parameters], host);
  return { code, ...host.written };
}

describe('askema schema', () => {
  it('prints every relation, attribute and key as text', async () => {
    const { code, stdout, stderr } = await schema(['shop.sqlite']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const word of ['customer', 'order', 'customer_id', 'city', 'total']) expect(stdout).toContain(word);
  });

  it('prints DDL that makes the same tables again', async () => {
    const { stdout } = await schema(['shop.sqlite', '--format', 'ddl']);
    project.database('copy.sqlite', stdout);
    const copy = await schema(['copy.sqlite', '--format', 'json']);
    const original = await schema(['shop.sqlite', '--format', 'json']);
    const { schema: expected } = JSON.parse(original.stdout);
    expect(JSON.parse(copy.stdout).schema).toEqual(expected);
    expect(expected.relations).toHaveLength(2);
  });

  it('prints a diagram', async () => {
    const { stdout } = await schema(['shop.sqlite', '--format', 'mermaid']);
    expect(stdout).toMatch(/^erDiagram\n.*customer/s);
  });

  it('keeps what --include names', async () => {
    const { stdout } = await schema(['shop.sqlite', '--include', 'ord*', '--format', 'json']);
    expect(JSON.parse(stdout).schema.relations.map((each: { name: string }) => each.name)).toEqual(['order']);
    const none = await schema(['shop.sqlite', '--include', 'zebra']);
    expect(none.stderr).toMatch(/No table or view of .* fits --include zebra/);
  });

  it('says when a database is empty', async () => {
    const { code, stderr } = await schema(['empty.sqlite']);
    expect(code).toBe(0);
    expect(stderr).toMatch(/empty\.sqlite holds no tables and no views/);
  });

  it('prints DDL and models of other databases', async () => {
    const ddl = await schema(['shop.sqlite', '--format', 'ddl', '--dialect', 'postgres']);
    expect(ddl.stdout).toMatch(/^CREATE TABLE customer .*CREATE TABLE "order" /s);
    const prisma = await schema(['shop.sqlite', '--format', 'prisma', '--dialect', 'mysql']);
    expect(prisma.stdout).toMatch(/provider = "mysql".*model customer \{/s);
    const drizzle = await schema(['shop.sqlite', '--format', 'drizzle']);
    expect(drizzle.stdout).toMatch(
      /from 'drizzle-orm\/sqlite-core';.*export const customer = sqliteTable\("customer"/s,
    );
    const dbml = await schema(['shop.sqlite', '--format', 'dbml']);
    expect(dbml.stdout).toMatch(/^Table "customer" \{.*^Ref: "order"\."customer_id" > "customer"/ms);
    const svg = await schema(['shop.sqlite', '--format', 'svg']);
    expect(svg.stdout).toMatch(/^<svg .*<title>customer<\/title>.*<\/svg>\n$/s);
  });

  it.each<[string, string, RegExp]>([
    ['drizzle', 'snowflake', /--format drizzle is not there for Snowflake: name --dialect sqlite, postgres, mysql/],
    ['mermaid', 'sqlite', /--dialect goes with --format ddl, prisma or drizzle, not with mermaid/],
    ['ddl', 'postgress', /Did you mean `postgres`/],
  ])('exits with 2 for %s of %s', async (format, dialect, message) => {
    const { code, stdout, stderr } = await schema(['shop.sqlite', '--format', format, '--dialect', dialect]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
  });

  it.each(['text', 'ddl', 'mermaid', 'dbml', 'svg', 'prisma', 'drizzle', 'json'])(
    '%s cannot move the cursor of a terminal',
    async (format) => {
      const { stdout } = await schema(['hostile.sqlite', '--format', format], 100);
      expect(unsafeCharacters(stdout, '\n\t')).toEqual([]);
      expect(stdout.length).toBeGreaterThan(10);
    },
  );

  it('exits with 2 for a database that is not there', async () => {
    const { code, stdout, stderr } = await schema(['shopp.sqlite']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/Did you mean `shop\.sqlite`/);
  });
});
