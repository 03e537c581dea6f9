import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

/**
 * Every fact about an engine stands in `packages/dialects/src/<name>/`; all other code reads fields of `Dialect`. So no
 * other file of packages and adapters compares the name of a dialect with a text, branches on it, or looks something up
 * by it.
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDERS = join(ROOT, 'packages/dialects/src');
const NAMES: ReadonlySet<string> = new Set([
  ...readdirSync(FOLDERS, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(FOLDERS, entry.name, 'lexer.ts')))
    .map(({ name }) => name),
  'mariadb',
  'postgresql',
]);
/** A file without any of the names in quotes or in front of a colon is not parsed: most have none. */
const MENTION = new RegExp(`(['"])(?:${[...NAMES].join('|')})\\1|\\b(?:${[...NAMES].join('|')})\\s*:`);

/** Where a name stands for something else than an engine whose facts are read, each with the reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'packages/sql-parser/src/node-sql-parser/load.ts': 'The names are those of grammars.',
  'packages/cli/src/database/address-openers.ts': 'The names are schemes of addresses: which package opens one.',
  'packages/testkit/src/adapter/hostile/hostile-statements.ts':
    'Attacks in the SQL of one engine: data of the published suite, which no dialect carries into production.',
  'packages/testkit/src/adapter/suite/default-statements.ts':
    'Statements of the published suite, by grammar: no dialect carries them into production.',
  'packages/knowledge/src/formats/wren/import-wren.ts': 'The names are what WrenAI calls a data source.',
  'packages/knowledge/src/test-support/star-tables.ts': 'Types of the tables of tests.',
  'packages/knowledge/src/expression/engines/expression-suite.ts': 'Types of the tables of tests.',
};

/** Each place that compares the name of a dialect: `line: text`. */
function comparisonsIn(path: string, text: string): string[] {
  if (!MENTION.test(text)) return [];
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const report = (node: ts.Node): void => {
    const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
    found.push(`${path}:${line + 1}: ${node.getText(file).split('\n')[0]}`);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isBinaryExpression(node) && EQUALITIES.has(node.operatorToken.kind)) {
      const isFound =
        (isName(node.right) && mayBeDialect(node.left)) || (isName(node.left) && mayBeDialect(node.right));
      if (isFound) report(node);
    }
    if (ts.isSwitchStatement(node) && mayBeDialect(node.expression))
      for (const clause of node.caseBlock.clauses)
        if (ts.isCaseClause(clause) && isName(clause.expression)) report(clause);
    // ['postgres', 'mysql'].includes(dialect.name), or such a list behind a name or in a Set.
    if (ts.isArrayLiteralExpression(node) && node.elements.length > 0 && node.elements.every(isName)) report(node);
    // { sqlite: …, mysql: … }, and the same as pairs of a Map.
    if (ts.isObjectLiteralExpression(node) && node.properties.filter((property) => isKey(property.name)).length > 1)
      report(node);
    if (ts.isArrayLiteralExpression(node) && node.elements.filter(isPair).length > 1) report(node);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

const EQUALITIES: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
  ts.SyntaxKind.EqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsToken,
]);

function isName(node: ts.Node): boolean {
  return ts.isStringLiteralLike(node) && NAMES.has(node.text);
}

function isKey(name: ts.PropertyName | undefined): boolean {
  return name !== undefined && (ts.isIdentifier(name) || ts.isStringLiteralLike(name)) && NAMES.has(name.text);
}

function isPair(node: ts.Node): boolean {
  return (
    ts.isArrayLiteralExpression(node) &&
    node.elements.length === 2 &&
    node.elements[0] !== undefined &&
    isName(node.elements[0])
  );
}

/**
 * `dialect`, `dialect.name`, `catalog.dialect`, `name`: a kind of file or the scheme of an address is another thing.
 */
function mayBeDialect(node: ts.Node): boolean {
  return /dialect|engine|\bname\b/i.test(node.getText());
}

function sourceFiles(): string[] {
  return ['packages', 'adapters'].flatMap((folder) =>
    readdirSync(join(ROOT, folder)).flatMap((name) => {
      const source = join(ROOT, folder, name, 'src');
      return readdirSync(source, { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
        .map((file) => relative(ROOT, join(source, file)));
    }),
  );
}

describe('names of dialects', () => {
  it.each([
    "if (dialect.name === 'mysql') refuse();",
    "const isOld = 'sqlite' !== catalog.dialect;",
    "function f({ name }: Dialect) { return name === 'postgres'; }",
    "switch (dialect.name) {\n  case 'bigquery':\n    break;\n}",
    "const SET = new Set(['snowflake', 'postgres']);",
    "const isThere = ['duckdb'].includes(dialect.name);",
    'const GRAMMARS = { sqlite: 1, mysql: 2 };',
    "const MAP = new Map([['sqlite', 1], ['mariadb', 2]]);",
  ])('are found in %j', (text) => {
    expect(comparisonsIn('planted.ts', text)).toEqual([expect.stringMatching(/^planted\.ts:[12]: /)]);
  });

  it.each([
    "if (content === 'sqlite') open();",
    "switch (problem.kind) { case 'duckdb': break; }",
    "const dialect = { name: 'mysql', displayName: 'MySQL' };",
    "const found = dialects.find((one) => one.name === dialect.name) ?? 'sqlite';",
    "// dialect.name === 'sqlite'",
  ])('are not taken for a comparison in %j', (text) => {
    expect(comparisonsIn('sound.ts', text)).toEqual([]);
  });

  it('are compared in the folder of the dialect alone', () => {
    const files = sourceFiles().filter(
      (file) => !NAMES.has(/^packages\/dialects\/src\/([^/]+)\//.exec(file)?.[1] ?? ''),
    );
    expect(files.length).toBeGreaterThan(1000);
    const found = files.flatMap((file) => comparisonsIn(file, readFileSync(join(ROOT, file), 'utf8')));
    const unexpected = found.filter((place) => !Object.keys(EXCEPTIONS).some((path) => place.startsWith(`${path}:`)));
    expect(unexpected, 'Make it a field of `Dialect` (packages/core/src/dialect/dialect.ts).').toEqual([]);
    const unused = Object.keys(EXCEPTIONS).filter((path) => !found.some((place) => place.startsWith(`${path}:`)));
    expect(unused, 'These exceptions hold nothing any more.').toEqual([]);
  });
});
