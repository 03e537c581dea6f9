import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../../workspace.ts';

it('the guide shows what stands in the application', () => {
  const guide = readFileSync(join(ROOT, 'docs/guide/into-my-agent.md'), 'utf8');
  const blocks = [...guide.matchAll(/^```ts (examples\/\S+)\n([\s\S]*?)^```/gm)];
  expect(blocks.map(([, file]) => file)).toEqual(
    ['store.ts', 'agent.ts', 'app.ts'].map((name) => `examples/applications/hono-agent/src/${name}`),
  );
  for (const [, file = '', code = ''] of blocks) expect(readFileSync(join(ROOT, file), 'utf8')).toContain(code);
});
