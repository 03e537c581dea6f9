import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { REPOSITORY, ROOT } from './workspace.ts';

/** What every page has, in this order; further parts may stand between. */
const PARTS = [
  'Install',
  'Connect',
  'Permissions',
  'What read-only means',
  'How statements run',
  'Values',
  'The catalog',
  'What `diagnose` says',
  'Costs',
  'Errors',
  'Limits',
  'Tested against what',
];

const adapters = readdirSync(join(ROOT, 'adapters')).filter((name) =>
  existsSync(join(ROOT, 'adapters', name, 'package.json')),
);
const read = (...path: string[]): string => readFileSync(join(ROOT, ...path), 'utf8');

/** An interface of options that adapters extend. */
function sharedOptions(name: 'PoolOptions' | 'ServerOptions'): string {
  const folder = join('packages', 'adapter-kit', 'src', 'options');
  const files = ['pool-options.ts', 'server-address.ts'].map((file) => read(folder, file)).join('\n');
  return new RegExp(`export interface ${name}\\b.*?^\\}`, 'ms').exec(files)?.[0] ?? '';
}

describe.each(adapters)('%s', (name) => {
  it('has a page with the parts that all have', () => {
    const parts = [...read('docs', 'adapters', `${name}.md`).matchAll(/^## (.*)$/gm)].map(([, title = '']) => title);
    expect(parts.filter((part) => PARTS.includes(part))).toEqual(PARTS);
  });

  it('names every option in its README, which leads to the page', () => {
    const readme = read('adapters', name, 'README.md');
    const own = [`${name}-options.ts`, 'options.ts']
      .filter((file) => existsSync(join(ROOT, 'adapters', name, 'src', file)))
      .map((file) => read('adapters', name, 'src', file).split('export interface ResolvedOptions')[0])
      .join('');
    // What has a server has the options of a pool as well.
    const shared = (['PoolOptions', 'ServerOptions'] as const).filter((one) =>
      new RegExp(`extends.*\\b(${one}|ServerOptions)`).test(own),
    );
    const interfaces = [own, ...shared.map(sharedOptions)].join('\n');
    const options = [...interfaces.matchAll(/^ +readonly (\w+)\??: (?!undefined;)/gm)].map(
      ([, option]) => `\`${option}\``,
    );
    expect(options.length).toBeGreaterThan(5);
    expect(options.filter((option) => !readme.includes(option) && option !== '`request`')).toEqual([]);
    expect(readme).toContain(`](${REPOSITORY}/blob/main/docs/adapters/${name}.md)`);
  });

  it('is installed as its README and its page say: with the driver that is its peer', () => {
    const manifest = JSON.parse(read('adapters', name, 'package.json')) as {
      readonly peerDependencies: Readonly<Record<string, string>>;
    };
    const [driver = ''] = Object.keys(manifest.peerDependencies).filter((peer) => peer !== '@askema/core');
    const command = /^npm install .*$/m.exec(read('adapters', name, 'README.md'))?.[0];
    expect(command).toContain(`@askema/core @askema/${name} ${driver}`);
    expect(read('docs', 'adapters', `${name}.md`)).toContain(command);
  });
});
