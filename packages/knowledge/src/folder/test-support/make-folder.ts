import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder with these files, by their paths; it is removed after the test. */
export function makeFolder(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'askema-knowledge-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

/** A model of one dataset `orders` with a metric; further metrics as `name: expression`. */
export function shopModel(
  name: string,
  metrics: Readonly<Record<string, string>> = { revenue: 'SUM(orders.amount)' },
): string {
  return `version: 0.2.0.dev0
name: ${name}
# Who asks for changes: the shop team.
datasets:
  - name: ${name}_orders # one row an order
    source: main.orders
    fields:
      - name: amount
        expression: { dialects: [{ dialect: ANSI_SQL, expression: amount }] }
metrics:
${Object.entries(metrics)
  .map(
    ([metric, expression]) =>
      `  - name: ${metric}\n    expression: { dialects: [{ dialect: ANSI_SQL, expression: "${expression}" }] }`,
  )
  .join('\n')}
`;
}
