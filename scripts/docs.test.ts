import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, posix, relative, resolve, sep } from 'node:path';
import { describe, expect, it } from 'vitest';
import { publishedPackages, REPOSITORY, ROOT } from './workspace.ts';

const pages = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.md'))
  .map((file) => posix.join('docs', file.split(sep).join('/')))
  .sort();
const readmes = publishedPackages().map(({ path }) => `${path}/README.md`);
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
/** A page without its blocks of code. */
const prose = (file: string): string => read(file).replaceAll(/^ *```.*?^ *```/gms, '');

/** What stands between the brackets of each link. */
const targetsOf = (file: string): readonly string[] =>
  [...prose(file).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);

/** Where each link into the repository leads: a path from the root, and the heading. */
function linksOf(file: string): readonly { link: string; path: string; heading: string }[] {
  return targetsOf(file).flatMap((link) => {
    const isOwn = link === REPOSITORY || link.startsWith(`${REPOSITORY}/`);
    if (/^[a-z]+:/.test(link) && !isOwn) return [];
    const [target = '', heading = ''] = (isOwn ? pathOf(link) : link).split('#');
    const from = isOwn ? ROOT : dirname(join(ROOT, file));
    const path = target === '' && !isOwn ? join(ROOT, file) : resolve(from, target);
    return [{ link, path: relative(ROOT, path).split(sep).join('/'), heading }];
  });
}

/** The path that an address of the repository shows: `blob` for a file, `tree` for a folder. */
function pathOf(address: string): string {
  const [, kind, path = ''] = /^\/(blob|tree)\/main\/(.+)$/.exec(address.slice(REPOSITORY.length)) ?? [];
  if (kind === undefined) return ['', '/issues'].includes(address.slice(REPOSITORY.length)) ? '.' : address;
  const found = statSync(join(ROOT, path.split('#')[0] ?? ''), { throwIfNoEntry: false });
  return found?.isDirectory() === (kind === 'tree') ? path : `${kind}/main/${path}`;
}

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(file: string): ReadonlySet<string> {
  const seen = new Map<string, number>();
  return new Set(
    [...prose(file).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => {
      const plain = title.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
      const anchor = plain.replaceAll(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(' ', '-');
      const count = seen.get(anchor) ?? 0;
      seen.set(anchor, count + 1);
      return count === 0 ? anchor : `${anchor}-${count}`;
    }),
  );
}

/** The page that has to link a page: that of its folder where there is one, else the index. */
function indexOf(page: string): string {
  const folder = dirname(page);
  return (
    [`${folder}/README.md`, `${folder}.md`].find((file) => file !== page && pages.includes(file)) ?? 'docs/README.md'
  );
}

describe('README.md', () => {
  it('fits on two screens', () => {
    expect(read('README.md').split('\n').length).toBeLessThanOrEqual(91);
  });
});

describe('docs/README.md', () => {
  const linksTo = (index: string): readonly string[] => linksOf(index).map(({ path }) => path);

  it.each(pages.filter((page) => page !== 'docs/README.md'))('leads to %s', (page) => {
    expect(linksTo(indexOf(page))).toContain(page);
    if (indexOf(page) !== 'docs/README.md') expect(linksTo('docs/README.md')).toContain(indexOf(page));
  });

  it('leads to the README of every package', () => {
    expect(readmes.filter((readme) => !linksTo('docs/README.md').includes(readme))).toEqual([]);
  });
});

describe.each([
  'README.md',
  'CONTRIBUTING.md',
  'bench/README.md',
  'examples/README.md',
  'scripts/README.md',
  'servers/README.md',
  ...pages,
  ...readmes,
])('the links of %s', (file) => {
  it('are alive', () => {
    const dead = linksOf(file).filter(({ path, heading }) => {
      const place = join(ROOT, path);
      if (!existsSync(place)) return true;
      return heading !== '' && (statSync(place).isDirectory() || !anchorsOf(path).has(heading));
    });
    expect(dead.map(({ link }) => link)).toEqual([]);
  });
});

describe.each(readmes)('%s', (readme) => {
  it('leads to what it names from a registry as well: its links are whole addresses', () => {
    expect(targetsOf(readme).filter((link) => !/^(https:|#)/.test(link))).toEqual([]);
  });
});
