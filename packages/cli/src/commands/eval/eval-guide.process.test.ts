import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runInProcess } from '../../testing/run-in-process.ts';
import { sampleProject } from '../../testing/sample-questions.ts';
import type { TemporaryProject } from '../../testing/temporary-project.ts';

const GUIDE = readFileSync(resolve(import.meta.dirname, '../../../../../docs/guide/eval.md'), 'utf8');
const BLOCKS = [...GUIDE.matchAll(/```([^\n]+)\n([\s\S]*?)```/g)].map(([, info = '', code = '']) => ({ info, code }));

/** The commands of each block that is run, with what the guide shows of their output. */
const RUNS = BLOCKS.flatMap(({ info, code }, position) => {
  if (info !== 'sh run') return [];
  const next = BLOCKS[position + 1];
  return [
    { commands: code.trimEnd().split('\n'), shown: next?.info === 'text' ? next.code.trimEnd().split('\n') : [] },
  ];
});

let project: TemporaryProject;
beforeAll(() => {
  project = sampleProject();
  for (const { info, code } of BLOCKS) if (info.startsWith('csv ')) project.write(info.slice(4), code);
});
afterAll(() => project.remove());

describe('docs/guide/eval.md', { timeout: 120_000 }, () => {
  it('has commands', () => {
    expect(RUNS.map(({ commands }) => commands.length)).toEqual([1, 1, 3, 1, 2, 2]);
  });

  it.each(RUNS)('prints what stands below: $commands.0', async ({ commands, shown }) => {
    let printed = '';
    for (const command of commands) {
      const [program, ...parameters] = command.split(' ');
      expect(program).toBe('askema');
      const { code, stdout, stderr } = await runInProcess(parameters, { cwd: project.folder });
      expect({ command, code, stderr }).toMatchObject({ code: 0 });
      printed += stdout;
    }
    // The guide leaves lines and ends of lines out, never the order.
    let from = 0;
    for (const line of shown) {
      const found = printed.indexOf(line, from);
      expect(found, `${line}\nis not in\n${printed.slice(from)}`).toBeGreaterThanOrEqual(0);
      from = found + line.length;
    }
  });

  it('leaves the pages that it speaks of', () => {
    for (const page of ['lexical', 'compared', 'again']) {
      expect(existsSync(project.path(`runs/${page}.html`)), page).toBe(true);
    }
    expect(readFileSync(project.path('runs/lexical.html'), 'utf8')).toContain('66.7');
  });
});
