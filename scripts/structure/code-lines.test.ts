import ts from 'typescript';
import { expect, it } from 'vitest';
import { countCodeLines } from './code-lines.ts';

const count = (text: string): number => countCodeLines(ts.createSourceFile('x.ts', text, ts.ScriptTarget.ESNext));

it.each([
  ['comments and blank lines', '/** Doc.\n * More. */\n\n// one\nconst a = 1; // beside code\n/* two\n*/', 1],
  ['what only looks like a comment', "const a = '// no';\nconst b = /[/*]/;\nconst c = '*/';", 3],
  ['lines that hold punctuation alone', 'function f<\n  T,\n>(\n  a: T,\n) {\n  // nothing\n}', 6],
  ['a comment before a closing brace', 'if (a) {\n  b();\n  // last\n}', 3],
  ['every line of a text in backticks', 'const a = `one\n\n// two\n`;', 4],
])('counts code lines: %s', (_, text, lines) => {
  expect(count(text)).toBe(lines);
});
