import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { publishedPackages, ROOT } from '../workspace.ts';

/**
 * Every block of TypeScript in the READMEs and guides that is marked as a whole program (```ts run), with a file name for each. Programs
 * run in the root of the project, where `examples/store.sqlite` is.
 */
export function readmeSnippets(): { readonly name: string; readonly code: string }[] {
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
    [...readFileSync(file, 'utf8').matchAll(/^```ts run\n([\s\S]*?)^```/gm)].map((match, index) => ({
      name: `${name}-${index + 1}.ts`,
      code: match[1] ?? '',
    })),
  );
}
