import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { publishedPackages, ROOT } from '../workspace.ts';

export interface ReadmeSnippet {
  /** A file name. */
  readonly name: string;
  readonly code: string;
  /** `check` for what needs a server or an account: it is only compiled. `test` for a file of vitest. */
  readonly kind: 'run' | 'check' | 'test';
}

/**
 * Every block of TypeScript in the READMEs and guides that is marked as a whole program: ```ts run, ```ts test for a
 * file of tests, or ```ts check for one that is only compiled. They run in the root of the project, where
 * `examples/store.sqlite` is.
 */
export function readmeSnippets(): ReadmeSnippet[] {
  const readmes = [
    { name: 'readme', file: join(ROOT, 'README.md') },
    { name: 'contributing', file: join(ROOT, 'CONTRIBUTING.md') },
    ...readdirSync(join(ROOT, 'docs', 'guide')).map((file) => ({
      name: `guide-${file.replace('.md', '')}`,
      file: join(ROOT, 'docs', 'guide', file),
    })),
    ...publishedPackages().map(({ path, folder }) => ({
      name: path.replace('/', '-'),
      file: join(folder, 'README.md'),
    })),
  ];
  return readmes.flatMap(({ name, file }) =>
    [...readFileSync(file, 'utf8').matchAll(/^```ts (run|check|test)\n([\s\S]*?)^```/gm)].map((match, index) => {
      const kind = match[1] as ReadmeSnippet['kind'];
      return { name: `${name}-${index + 1}${kind === 'test' ? '.test' : ''}.ts`, code: match[2] ?? '', kind };
    }),
  );
}
